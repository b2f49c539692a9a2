import { buildColumn, toColumnLabel } from '../../nodes/Corrigo/columns/columns';

describe('the label of a column', () => {
	it.each([
		['DtDue', 'datetime', 'Due'],
		['Dtdue', 'datetime', 'Dtdue'],
		['LastDtDue', 'datetime', 'Last Dt Due'],
		['Info.TagId', 'string', 'Tag ID'],
		['SystemInfo.TagId', 'string', 'System Info Tag ID'],
		['DisplayAs', 'string', 'Display Name'],
		['DisplayAsText', 'string', 'Display as Text'],
		['VendorNte.Value', 'number', 'Vendor NTE'],
		['VendorNte.CurrencyTypeId', 'CurrencyType', 'Vendor NTE Currency'],
		['Field.ValueId', 'string', 'Field Value ID'],
		['WorkOrderid', 'integer', 'Work Order ID'],
		['StatusId', 'WorkOrderStatus', 'Status'],
		['StatusId', 'string', 'Status ID'],
		['IdType', 'WorkOrderStatus', 'ID Type'],
		['DbaName', 'string', 'DBA Name'],
	])('%s (%s) is %s', (path, type, label) => {
		expect(toColumnLabel(path, type)).toBe(label);
	});
});

describe('a column', () => {
	it('is chosen by name if the service has a number or its own name for the value', () => {
		const { type, options = [] } = buildColumn('WorkZone', 'TimeZone');
		expect(type).toBe('options');
		expect(options).toContainEqual({ name: 'America/New_York', value: 35 });
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(buildColumn('StockLocation', 'TimeZoneId').options).toEqual(options);
		expect(buildColumn('WorkOrder', 'Customer.WorkZone.TimeZone').options).toEqual(options);

		const entities = buildColumn('Document', 'EntityType');
		expect(entities.type).toBe('options');
		expect(entities.options).toContainEqual({ name: 'Work Order', value: 'WorkOrder' });
	});

	it('has a table only if a user can look through it', () => {
		expect(buildColumn('WorkOrder', 'Priority.Id').table).toMatchObject({
			entity: 'WoPriority',
		});
		expect(buildColumn('WorkOrder', 'Customer.Id')).not.toHaveProperty('table');
		expect(buildColumn('WorkOrder', 'PoNumber')).not.toHaveProperty('table');
	});
});
