export interface Command {
	/** The class name, as in the address. */
	name: string;
	label: string;
	/** Types as in the fields of an Entity. */
	fields: Readonly<Record<string, string>>;
	/**
	 * The documented required members, and the Id of the record that the command acts on: without the Id
	 * the service answers with a misleading code.
	 */
	required: readonly string[];
	/**
	 * The member of CommandResult that carries the object or list made, changed or found. Absent where
	 * CommandResult itself is the answer, or where nothing is documented.
	 */
	answer?: string;
	/** Changes nothing for certain, so it may be repeated after a lost connection. */
	reads?: true;
}
