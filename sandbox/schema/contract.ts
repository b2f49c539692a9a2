import contract from '../../contract/contract.json';

/** Members of an entity or value object, name to type. */
type Members = Readonly<Record<string, string>>;

interface Command {
	readonly members: Members;
	readonly subject?: string | null;
	readonly answer?: string;
	readonly creates?: boolean;
}

interface Contract {
	readonly entities: Readonly<
		Record<string, { key?: readonly string[]; lock: boolean; softDelete: boolean; fields: Members }>
	>;
	readonly valueObjects: Readonly<Record<string, Members>>;
	readonly commands: Readonly<Record<string, Command>>;
	readonly enumerations: Readonly<Record<string, readonly string[]>>;
	/** Names by the number that the service uses for a time zone. */
	readonly timeZones: Readonly<Record<string, string>>;
}

/** The published interface of the service, shared by the sandbox and the tests. */
export const { entities, valueObjects, commands, enumerations, timeZones }: Contract = contract;
