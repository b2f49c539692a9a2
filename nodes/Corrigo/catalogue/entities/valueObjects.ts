/**
 * Objects inside entities and commands, which have no address of their own. Those without members
 * have no published model.
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

/** Members that a form can set in objects that are embedded in one record. */
export const parts: Readonly<Record<string, readonly string[]>> = {
	Address2: ['TypeId', 'Street', 'Street2', 'City', 'State', 'Zip', 'Country'],
	AssetInfo: ['SerialNumber', 'TagId', 'CheckPhone'],
	ContactInfo: ['AddrTypeId', 'Address'],
	MoneyValue: ['Value', 'CurrencyTypeId'],
};

/** Records that are embedded, too, but that only commands or JSON can set. */
const EMBEDDED_RECORDS = [
	'Blob',
	'WoEstimate',
	'WoLastAction',
	'WoNote',
	'WoQuote',
	'WorkOrderCost',
];

/** An embedded object belongs to one record and is written through it. */
export const belongsToOne = (type: string): boolean =>
	type in parts || EMBEDDED_RECORDS.includes(type);
