/**
 * Objects inside entities and commands, which have no address of their own. The service publishes no
 * model for the empty ones.
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

/** The members that a form can set in objects that are embedded in one record. */
export const parts: Readonly<Record<string, readonly string[]>> = {
	Address2: ['TypeId', 'Street', 'Street2', 'City', 'State', 'Zip', 'Country'],
	AssetInfo: ['SerialNumber', 'TagId', 'CheckPhone'],
	ContactInfo: ['AddrTypeId', 'Address'],
	MoneyValue: ['Value', 'CurrencyTypeId'],
};

/** Embedded as well, but forms set them by commands or JSON only. */
const EMBEDDED_RECORDS = [
	'Blob',
	'WoEstimate',
	'WoLastAction',
	'WoNote',
	'WoQuote',
	'WorkOrderCost',
];

/** Whether objects of the type belong to one record and are written through it. */
export const belongsToOne = (type: string): boolean =>
	type in parts || EMBEDDED_RECORDS.includes(type);
