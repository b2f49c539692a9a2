import contract from '../../contract/contract.json';

/** Members of an entity or value object, name to type. */
type Members = Readonly<Record<string, string>>;

interface Contract {
	readonly entities: Readonly<
		Record<string, { key?: readonly string[]; lock: boolean; softDelete: boolean; fields: Members }>
	>;
	readonly valueObjects: Readonly<Record<string, Members>>;
	readonly enumerations: Readonly<Record<string, readonly string[]>>;
	/** By the number that the service knows a time zone by. */
	readonly timeZones: Readonly<Record<string, string>>;
}

/** What the service publishes: the one witness, for the sandbox as for the tests. */
export const { entities, valueObjects, enumerations, timeZones }: Contract = contract;
