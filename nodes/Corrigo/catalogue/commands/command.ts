import type { MemberTypes } from '../entities/entity';

interface CommandRow {
	/** The default is the words of the name. */
	label?: string;
	fields: MemberTypes;
	/** Documented ones, and the Id of the record: without it, the service's error is misleading. */
	required?: readonly string[];
	/** Member of CommandResult that was made, changed or found, if one is documented. */
	answer?: string;
	/** The command changes nothing, so it may be repeated after a lost connection. */
	reads?: true;
	/** Member that turns the command from reading to writing. */
	writesWith?: string;
}

/** Commands by class name, which is part of the address. */
export type CommandRows = Readonly<Record<string, CommandRow>>;

export interface Command extends CommandRow {
	name: string;
	label: string;
	required: readonly string[];
}

/** A command that acts on one record requires its Id. */
export const buildIdCommand = <Id extends string, const Own extends MemberTypes>(
	label: string,
	id: Id,
	own: Own,
) => ({
	label,
	fields: { [id]: 'integer', ...own } as Own & Readonly<Record<Id, 'integer'>>,
	required: [id],
});
