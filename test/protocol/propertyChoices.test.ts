import {
	hasWords,
	propertyChoices,
	type PropertyUse,
} from '../../nodes/Corrigo/protocol/propertyChoices';

const pathsOf = (use: PropertyUse, filter?: string, entity = 'WorkOrder') =>
	propertyChoices(entity, use, filter).map(({ path }) => path);
const labelsOf = (use: PropertyUse, filter?: string, entity = 'WorkOrder') =>
	Object.fromEntries(propertyChoices(entity, use, filter).map(({ path, label }) => [path, label]));

const COMPARED: PropertyUse[] = ['condition', 'sort', 'group', 'date'];

describe('what is offered', () => {
	it('has own properties first, each part in the order of the labels', () => {
		const choices = propertyChoices('WorkOrder', 'condition');
		const stepsOf = (path: string) => path.split('.').length;
		const sorted = [...choices].sort(
			(a, b) => stepsOf(a.path) - stepsOf(b.path) || a.label.localeCompare(b.label, 'en'),
		);
		expect(choices).toEqual(sorted);
		expect(new Set(choices.map(({ path }) => stepsOf(path)))).toEqual(new Set([1, 2]));
	});

	it('goes two steps away only for somebody who looks for something', () => {
		const deep = 'Customer.WorkZone.DisplayAs';
		expect(pathsOf('condition')).not.toContain(deep);
		expect(Math.max(...pathsOf('output').map((path) => path.split('.').length))).toBe(3);
		expect(pathsOf('output').filter((path) => /^\w+\.\w+\.\w+$/.test(path))).toEqual([]);
		expect(pathsOf('output', '  ')).toEqual(pathsOf('output'));
		expect(pathsOf('condition', 'customer zone name')).toContain(deep);
		for (const path of pathsOf('condition', 'customer')) {
			expect(path.split('.').length).toBeLessThanOrEqual(3);
		}
	});

	it('is no more than a person scrolls through, but all that there is to choose several from', () => {
		expect(pathsOf('condition', 'e')).toHaveLength(300);
		expect(pathsOf('output', 'e').length).toBeGreaterThan(300);
	});

	it('says what is the name of a record to people', () => {
		expect(labelsOf('condition', 'displayas')).toMatchObject({
			'Customer.DisplayAs': 'Customer > Display Name',
			'WorkZone.DisplayAs': 'Work Zone > Name',
			'Customer.WorkZone.DisplayAs': 'Customer > Work Zone > Name',
		});
		expect(labelsOf('condition')).toMatchObject({ 'Customer.Name': 'Customer > Name' });
	});

	it('never has what can be written only', () => {
		for (const use of [...COMPARED, 'output'] as PropertyUse[]) {
			for (const entity of ['WorkOrder', 'Employee', 'Location']) {
				const written = pathsOf(use, undefined, entity).filter((path) =>
					/(^|\.)(PerformDeletion|IsNew|Password)$/.test(path),
				);
				expect(written).toEqual([]);
			}
		}
	});

	it('is nothing of what is not published', () => {
		expect(pathsOf('condition', '', 'NoSuchThing')).toEqual([]);
	});
});

describe('what is chosen for', () => {
	it('a condition may stand in a collection, and is one value', () => {
		expect(pathsOf('condition', 'status')).toContain('StatusId');
		expect(pathsOf('condition', 'items comment')).toContain('Items.Comment');
		const paths = pathsOf('condition', 'nte');
		expect(paths).toEqual(expect.arrayContaining(['VendorNte.Value', 'VendorNte.CurrencyTypeId']));
		for (const whole of ['VendorNte', 'VendorNte.*']) expect(paths).not.toContain(whole);
		for (const whole of ['Items', 'Items.*', 'Customer', 'Customer.*']) {
			expect(pathsOf('condition')).not.toContain(whole);
		}
	});

	it('a sort is one value of the record, as what the service refuses to compare is not', () => {
		const paths = pathsOf('sort');
		expect(paths).toEqual(expect.arrayContaining(['StatusId', 'VendorNte.Value', 'Customer.Id']));
		expect(paths.filter((path) => path.startsWith('Items.'))).toEqual([]);
		for (const use of COMPARED)
			expect(pathsOf(use, 'reason')).not.toContain('LastAction.Reason.Id');
		expect(pathsOf('output', 'reason')).toContain('LastAction.Reason.Id');
	});

	it('groups may be records that are referred to, but no amount and no collection', () => {
		const paths = pathsOf('group');
		expect(paths).toEqual(expect.arrayContaining(['Customer', 'Customer.DisplayAs', 'StatusId']));
		for (const other of ['VendorNte', 'Items', 'Items.Comment']) expect(paths).not.toContain(other);
		expect(pathsOf('sort')).not.toContain('Customer');
	});

	it('a date is a time of the record itself that can be put in an order', () => {
		expect(pathsOf('date', '', 'Document')).toEqual(['EndDate', 'StartDate', 'UpdatedDate']);
		expect(pathsOf('date', '', 'WoActionLog')).not.toContain('ActionDate');
		const paths = pathsOf('date');
		expect(paths).toEqual(expect.arrayContaining(['DtDue', 'DueDateUtc']));
		expect(paths).not.toContain('StatusId');
		expect(paths.filter((path) => path.includes('.'))).toEqual([]);
	});

	it('an output may be all of a record or a collection, and an amount as a whole', () => {
		const labels = labelsOf('output');
		expect(labels).toMatchObject({
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

it.each([
	['Work Order > Due (DtDue)', 'due  ORDER', true],
	['Work Order > Due (DtDue)', 'DTDUE work', true],
	['Work Order > Due (DtDue)', ' due ', true],
	['Work Order > Due (DtDue)', '', true],
	['Work Order > Due (DtDue)', 'due date', false],
])('%s is found by all words, in any order and case: %j', (text, wanted, is) => {
	expect(hasWords(text, wanted)).toBe(is);
});
