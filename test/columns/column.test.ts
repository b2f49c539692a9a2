import { buildColumn, toColumnLabel } from '../../nodes/Corrigo/columns/columns';

describe('the label of a column', () => {
	it.each([
		['WorkOrder', 'DtDue', 'Due'],
		['', 'Dtdue', 'Dtdue'],
		['', 'LastDtDue', 'Last Dt Due'],
		['Location', 'Info.TagId', 'Tag ID'],
		['', 'SystemInfo.TagId', 'System Info Tag ID'],
		['Employee', 'DisplayAs', 'Display Name'],
		['WorkOrder', 'WorkZone.DisplayAs', 'Work Zone Name'],
		['Customer', 'DisplayAs', 'Display Name'],
		['WorkOrder', 'Customer.DisplayAs', 'Customer Display Name'],
		['', 'DisplayAsText', 'Display as Text'],
		['WorkOrder', 'VendorNte.Value', 'Vendor NTE'],
		['WorkOrder', 'VendorNte.CurrencyTypeId', 'Vendor NTE Currency'],
		['', 'Field.ValueId', 'Field Value ID'],
		['ApStatusChangeCommand', 'WorkOrderid', 'Work Order ID'],
		['WorkOrder', 'StatusId', 'Status'],
		['', 'StatusId', 'Status ID'],
		['', 'IdType', 'ID Type'],
		['', 'DbaName', 'DBA Name'],
	])('of %j, %s is %s', (owner, path, label) => {
		expect(toColumnLabel(owner, path)).toBe(label);
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
