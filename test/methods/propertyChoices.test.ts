import { entities } from '../../nodes/Corrigo/catalogue/entities';
import { getSummary } from '../../nodes/Corrigo/catalogue/summaries';
import { getUtcMembers } from '../../nodes/Corrigo/catalogue/times';
import { listColumns } from '../../nodes/Corrigo/columns/columns';
import {
	hasWords,
	listPropertyChoices,
	type PropertyUse,
} from '../../nodes/Corrigo/methods/properties';

const listPaths = (use: PropertyUse, filter?: string, entity = 'WorkOrder') =>
	listPropertyChoices(entity, use, filter).map(({ path }) => path);
const listLabels = (use: PropertyUse, filter?: string) =>
	Object.fromEntries(
		listPropertyChoices('WorkOrder', use, filter).map(({ path, label }) => [path, label]),
	);
const countSteps = (path: string) => path.split('.').length;

const COMPARED: PropertyUse[] = ['condition', 'sort', 'group', 'date'];

describe('the list of properties', () => {
	it('lists what people read first, then own properties, sorted by label', () => {
		const summary = getSummary('WorkOrder');
		const paths = listPaths('condition');
		const first = summary.filter((path) => paths.includes(path));
		expect(first.length).toBeGreaterThan(5);
		expect(paths.slice(0, first.length)).toEqual(first);
		const choices = listPropertyChoices('WorkOrder', 'condition').slice(first.length);
		const sorted = [...choices].sort(
			(a, b) => countSteps(a.path) - countSteps(b.path) || a.label.localeCompare(b.label, 'en'),
		);
		expect(choices).toEqual(sorted);
		expect(new Set(choices.map(({ path }) => countSteps(path)))).toEqual(new Set([1, 2]));
	});

	it('goes two steps away only with a filter', () => {
		const deep = 'Customer.WorkZone.DisplayAs';
		expect(listPaths('condition')).not.toContain(deep);
		expect(Math.max(...listPaths('output').map(countSteps))).toBe(3);
		expect(listPaths('output').filter((path) => /^\w+\.\w+\.\w+$/.test(path))).toEqual([]);
		expect(listPaths('output', '  ')).toEqual(listPaths('output'));
		expect(listPaths('condition', 'customer zone name')).toContain(deep);
		expect(Math.max(...listPaths('condition', 'customer').map(countSteps))).toBeLessThanOrEqual(3);
	});

	it('limits the list, except for outputs', () => {
		expect(listPaths('condition', 'e')).toHaveLength(300);
		expect(listPaths('output', 'e').length).toBeGreaterThan(300);
	});

	it('labels DisplayAs as Name unless the entity has a Name', () => {
		expect(listLabels('condition', 'displayas')).toMatchObject({
			'Customer.DisplayAs': 'Customer > Display Name',
			'WorkZone.DisplayAs': 'Work Zone > Name',
			'Customer.WorkZone.DisplayAs': 'Customer > Work Zone > Name',
		});
		expect(listLabels('condition')).toMatchObject({ 'Customer.Name': 'Customer > Name' });
	});

	it('has no write-only properties', () => {
		for (const use of [...COMPARED, 'output'] as PropertyUse[]) {
			for (const entity of ['WorkOrder', 'Employee', 'Location']) {
				const paths = listPaths(use, undefined, entity).join('\n');
				expect(paths).not.toMatch(/(^|\.)(PerformDeletion|IsNew|Password)$/m);
			}
		}
	});

	it('is empty for an unpublished entity', () => {
		expect(listPaths('condition', '', 'NoSuchThing')).toEqual([]);
	});
});

describe('the property chosen for', () => {
	it('a condition may be in a collection, and is a single value', () => {
		expect(listPaths('condition', 'status')).toContain('StatusId');
		expect(listPaths('condition', 'items comment')).toContain('Items.Comment');
		const paths = listPaths('condition', 'nte');
		expect(paths).toEqual(expect.arrayContaining(['VendorNte.Value', 'VendorNte.CurrencyTypeId']));
		for (const whole of ['VendorNte', 'VendorNte.*']) expect(paths).not.toContain(whole);
		for (const whole of ['Items', 'Items.*', 'Customer', 'Customer.*']) {
			expect(listPaths('condition')).not.toContain(whole);
		}
	});

	it('a sort is a single value of the record that the service can compare', () => {
		const paths = listPaths('sort');
		expect(paths).toEqual(expect.arrayContaining(['StatusId', 'VendorNte.Value', 'Customer.Id']));
		expect(paths.filter((path) => path.startsWith('Items.'))).toEqual([]);
		for (const use of COMPARED)
			expect(listPaths(use, 'reason')).not.toContain('LastAction.Reason.Id');
		expect(listPaths('output', 'reason')).toContain('LastAction.Reason.Id');
	});

	it('groups may be a reference, but not an amount or a collection', () => {
		const paths = listPaths('group');
		expect(paths).toEqual(expect.arrayContaining(['Customer', 'Customer.DisplayAs', 'StatusId']));
		for (const other of ['VendorNte', 'Items', 'Items.Comment']) expect(paths).not.toContain(other);
		expect(listPaths('sort')).not.toContain('Customer');
	});

	it('a date is a sortable time of the record itself', () => {
		expect(listPaths('date', '', 'Document')).toEqual(['UpdatedDate', 'EndDate', 'StartDate']);
		expect(listPaths('date', '', 'WoActionLog')).not.toContain('ActionDate');
		const paths = listPaths('date');
		expect(paths).toEqual(expect.arrayContaining(['DtDue', 'DueDateUtc']));
		expect(paths).not.toContain('StatusId');
		expect(paths.filter((path) => path.includes('.'))).toEqual([]);
	});

	it('an output may be all of a reference or collection, or a whole amount', () => {
		const labels = listLabels('output');
		expect(labels).toMatchObject({
			'CheckInOuts.*': 'Check-Ins > All',
			'Customer.*': 'Customer > All',
			'Customer.DisplayAs': 'Customer > Display Name',
			'Items.*': 'Items > All',
			'Items.Comment': 'Items > Comment',
			VendorNte: expect.any(String) as string,
		});
		for (const other of ['VendorNte.*', 'VendorNte.Value', 'Customer', 'Items', '*']) {
			expect(labels).not.toHaveProperty([other]);
		}
	});
});

it('times that are there on two clocks say which to choose, also in referenced records', () => {
	const pairs = [...getUtcMembers('WorkOrder')];
	expect(pairs.length).toBeGreaterThan(0);
	for (const [entity, prefix] of [
		['WorkOrder', ''],
		['InvoiceLine', 'WorkOrder.'],
	]) {
		const choices = listPropertyChoices(entity, 'output');
		const clocks = new Map(choices.map(({ path, clock }) => [path, clock]));
		const labels = new Map(choices.map(({ path, label }) => [path, label]));
		for (const [utc, local] of pairs) {
			expect(clocks.get(prefix + utc)).toBe('across time zones');
			expect(labels.get(prefix + utc)).toMatch(/ UTC$/);
			expect(clocks.get(prefix + local)).toBe('local time');
		}
	}
	const others = listPropertyChoices('Document', 'output');
	expect(others.filter(({ clock }) => clock !== undefined)).toEqual([]);
});

it.each([
	['due  ORDER', true],
	['DTDUE work', true],
	[' due ', true],
	['', true],
	['due date', false],
])('a label matches all words, in any order and case: %j', (wanted, is) => {
	expect(hasWords('Work Order > Due (DtDue)', wanted)).toBe(is);
});

it('a search lists an exact match first, then labels that begin with the filter', () => {
	const labels = listPropertyChoices('WorkOrder', 'condition', 'status').map(({ label }) => label);
	expect(labels[0]).toBe('Status');
	const isPrefixed = labels.map((label) => label.startsWith('Status'));
	expect(isPrefixed).toEqual([...isPrefixed].sort((a, b) => Number(b) - Number(a)));
	expect(isPrefixed).toContain(false);
});

it.each(entities.map(({ name }) => name))(
	'a field of %s has one label in the list of fields and in columns',
	(entity) => {
		const listed = new Map(
			listPropertyChoices(entity, 'output')
				.filter(({ path }) => !path.replace(/\.\*$/, '').includes('.'))
				.map(({ path, label }) => [path.replace(/\.\*$/, ''), label.replace(/ > All$/, '')]),
		);
		const isListed = (id: string) => listed.has(id.replace(/\.(Id|Value)$/, ''));
		const getLabel = (id: string) => listed.get(id.replace(/\.(Id|Value)$/, ''));
		/** A record is named, too, so its field is not called an ID, unless nothing but an ID is taken. */
		const getRecordLabel = (id: string) => getLabel(id)?.replace(/ ID$/, '');
		for (const verb of ['create', 'update', 'upsert'] as const) {
			for (const { id, label, isReference } of listColumns(entity, verb)) {
				if (!isListed(id)) continue;
				const isOnlyId = id.endsWith('.Id') && !isReference;
				const expected = isReference ? getRecordLabel(id) : getLabel(id);
				// Rows that are there stay.
				expect(label.replace(/^Add /, '')).toBe(isOnlyId ? `${expected} ID` : expected);
			}
		}
	},
);

it.each([
	['WorkOrderCost', 'vendor', 'Items.Employee.DisplayAs'],
	['WorkOrder', 'vendor', 'Assignments.EmployeeId'],
	['WorkOrder', 'assigned', 'Employee.DisplayAs'],
	['WorkOrder', 'site', 'Customer.DisplayAs'],
	['WorkOrder', 'site', 'ShortLocation'],
	['WorkOrder', 'store name', 'Customer.DisplayAs'],
	['WorkOrder', 'customer name', 'Customer.DisplayAs'],
	['WorkOrder', 'inspection', 'Procedures.DisplayAs'],
	['Contact', 'store', 'CustomerId'],
])('a search of %s for %j finds what people mean', (entity, words, wanted) => {
	const paths = listPaths('condition', words, entity);
	expect(paths).toContain(wanted);
	expect(paths).not.toContain('StatusId');
});
