import type { Fields } from '../entities/entity';

interface CommandRow {
	label: string;
	fields: Fields;
	/**
	 * The documented required members, and the Id of the record that the command acts on: without the Id
	 * the service answers with a misleading code.
	 */
	required?: readonly string[];
	/**
	 * The member of CommandResult that carries the object or list made, changed or found. Absent where
	 * CommandResult itself is the answer, or where nothing is documented.
	 */
	answer?: string;
	/** Changes nothing for certain, so it may be repeated after a lost connection. */
	reads?: true;
	/** The switch with which a command that otherwise only reads writes. */
	writesWith?: string;
}

/** By the class name, as in the address. */
export type CommandRows = Readonly<Record<string, CommandRow>>;

export interface Command extends CommandRow {
	name: string;
	required: readonly string[];
}
