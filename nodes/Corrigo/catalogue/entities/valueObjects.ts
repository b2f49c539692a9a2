/**
 * Shapes that stand inside entities and commands and have no address of their own. The service
 * publishes no model for the empty ones.
 */
export const valueObjects = {
	CommandRequest: {},
	CorrigoEntity: {},
	EntitySpecifier: { EntityType: 'string', Id: 'integer', ConcurrencyId: 'integer' },
	MoneyValue: { CurrencyTypeId: 'CurrencyType', Value: 'number' },
	NewUnitSpecifier: {
		BuildingName: 'string',
		BuildingFloorPlan: 'string',
		FloorName: 'string',
		FloorFloorPlan: 'string',
		UnitName: 'string',
		UnitFloorPlan: 'string',
		StreetAddress: 'Address2',
		UnitInfo: 'AssetInfo',
		SpaceName: 'string',
		SpaceFloorPlan: 'string',
	},
	PropertySet: { Properties: 'string[]' },
	TaxDetail: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a form can set of things that stand inside one record and belong to it alone. */
export const parts: Readonly<Record<string, readonly string[]>> = {
	Address2: ['TypeId', 'Street', 'Street2', 'City', 'State', 'Zip', 'Country'],
	AssetInfo: ['SerialNumber', 'TagId', 'CheckPhone'],
	ContactInfo: ['AddrTypeId', 'Address'],
	MoneyValue: ['Value', 'CurrencyTypeId'],
};

/** Shown to a form by commands or JSON alone, but of one record all the same. */
const EMBEDDED_RECORDS = [
	'Blob',
	'WoEstimate',
	'WoLastAction',
	'WoNote',
	'WoQuote',
	'WorkOrderCost',
];

/** Whether things of the type stand inside one record, and are written through it. */
export const isEmbedded = (type: string): boolean =>
	type in parts || EMBEDDED_RECORDS.includes(type);
