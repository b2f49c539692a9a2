export interface Entity {
	/** As the service writes it. */
	name: string;
	/** Title Case, singular, as a user of Corrigo would look for it. */
	label: string;
	/**
	 * Field -> type: a primitive (string integer number boolean datetime), an enumeration, an entity
	 * or a value object, with [] for a list. Empty where no model is published.
	 */
	fields: Readonly<Record<string, string>>;
	/** The properties that identify a row where Id alone does not. */
	key?: readonly string[];
	/** Has ConcurrencyId. */
	lock: boolean;
	/** Has IsRemoved: deleted rows stay readable. */
	softDelete: boolean;
	/** The field that names a record to a person. */
	display?: string;
	/** Required by a plain create. Entities that are created by a command have the list there. */
	required?: readonly string[];
	/** Set by the service, or changed by commands only. */
	readOnly?: readonly string[];
	/** The type of its records (ActorType) for custom fields and attachments, the default first. */
	actorTypes?: readonly string[];
	/** Operations that the service refuses, each with advice to the user on what to use instead. */
	refuses?: Partial<Record<'create' | 'update' | 'delete', string>>;
}

export const readOnlyRecords = (instead: string): Entity['refuses'] => ({
	create: instead,
	update: instead,
	delete: instead,
});
