import { toTitle } from '../enumerations/labels';

export type MemberTypes = Readonly<Record<string, string>>;

/** An entity as the tables describe it. */
interface EntityRow {
	/** Singular, in words that users of Corrigo know. The default is the words of the name. */
	label?: string;
	/**
	 * Type of each member: a primitive (string integer number boolean datetime), an enumeration, an
	 * entity or a value object, with [] for a list. Unset if no model is published.
	 */
	fields?: MemberTypes;
	/** Properties that identify a row, if Id alone does not. */
	key?: readonly string[];
	/** Records have a ConcurrencyId unless this is false. */
	lock?: boolean;
	/** Records have IsRemoved, because deleted ones stay readable. */
	softDelete?: boolean;
	/** Member with the name that people know. The default is DisplayAs. */
	display?: string;
	/** Members that a plain create requires. A command that creates the entity has its own list. */
	required?: readonly string[];
	/** Members that the service sets, or that only commands change. */
	readOnly?: readonly string[];
	/** Types of the records (ActorType) for custom fields and attachments, the default first. */
	actorTypes?: readonly string[];
	/** Operations that the service refuses, each with advice on what to use instead. */
	refuses?: Partial<Record<'create' | 'update' | 'delete', string>>;
}

/** Entities by the names that the service accepts. */
export type EntityRows = Readonly<Record<string, EntityRow>>;

export interface Entity extends EntityRow {
	name: string;
	label: string;
	fields: MemberTypes;
	lock: boolean;
	softDelete: boolean;
}

export const buildEntity = (name: string, row: EntityRow): Entity => {
	const { label = toTitle(name), fields = {}, lock = true, softDelete = false } = row;
	const display = 'DisplayAs' in fields ? { display: 'DisplayAs' } : {};
	return { ...display, ...row, name, label, fields, lock, softDelete };
};

/** The record that such a record belongs to may be of any type. */
export const owner = { ActorId: 'integer', ActorTypeId: 'ActorType' } as const;

/** Amounts of a record in one currency. */
export const perCurrency = { CurrencyTypeId: 'CurrencyType', ParentId: 'integer' } as const;

/** A link is a row that only connects two records. */
export const buildLink = <
	First extends string,
	Second extends string,
	const Own extends MemberTypes,
>(
	first: First,
	second: Second,
	own: Own,
) => ({
	label: `Link of ${toTitle(first)} and ${toTitle(second)}`,
	fields: { [`${first}Id`]: 'integer', [`${second}Id`]: 'integer', ...own } as Own &
		Readonly<Record<`${First}Id` | `${Second}Id`, 'integer'>>,
	lock: false as const,
});

export const refuseAllWrites = (advice: string): EntityRow['refuses'] => ({
	create: advice,
	update: advice,
	delete: advice,
});
