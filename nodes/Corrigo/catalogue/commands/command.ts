import type { MemberTypes } from '../entities/entity';

interface CommandRow {
	/** The default is the words of the name. */
	label?: string;
	fields: MemberTypes;
	/**
	 * Members that the documentation requires, and the Id of the record that the command acts on: if
	 * the Id is missing, the service answers with a misleading code.
	 */
	required?: readonly string[];
	/**
	 * Member of CommandResult with the object or list that was made, changed or found. Unset if
	 * CommandResult itself is the answer, or if nothing is documented.
	 */
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
