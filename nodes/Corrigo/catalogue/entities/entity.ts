import { titleOf } from '../enumerations/labels';

export type Fields = Readonly<Record<string, string>>;

/** An entity as the tables state it. */
interface EntityRow {
	/** Title Case, singular, as a user of Corrigo would look for it; the words of the name by default. */
	label?: string;
	/**
	 * Field -> type: a primitive (string integer number boolean datetime), an enumeration, an entity
	 * or a value object, with [] for a list. Absent where no model is published.
	 */
	fields?: Fields;
	/** The properties that identify a row where Id alone does not. */
	key?: readonly string[];
	/** Has ConcurrencyId. */
	lock?: boolean;
	/** Has IsRemoved: deleted rows stay readable. */
	softDelete?: boolean;
	/** The field that names a record to a person; DisplayAs by default. */
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

/** By the name that the service has for each. */
export type EntityRows = Readonly<Record<string, EntityRow>>;

export interface Entity extends EntityRow {
	name: string;
	label: string;
	fields: Fields;
	lock: boolean;
	softDelete: boolean;
}

export const entityOf = (name: string, row: EntityRow): Entity => {
	const { label = titleOf(name), fields = {}, lock = false, softDelete = false } = row;
	const display = 'DisplayAs' in fields ? { display: 'DisplayAs' } : {};
	return { ...display, ...row, name, label, fields, lock, softDelete };
};

export const readOnlyRecords = (instead: string): EntityRow['refuses'] => ({
	create: instead,
	update: instead,
	delete: instead,
});
