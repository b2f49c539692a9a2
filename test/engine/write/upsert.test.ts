/** Create or Update: the look-ups, the writes, and that nothing is created twice. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { cases } from '../../cases';
import type { RunOptions } from '../../support/engine';
import {
	PUMP,
	byName,
	errorsOf,
	hintsOf,
	jsonOf,
	mappedByName,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
	withShortPauses,
} from '../../support/company';
import type { Run } from '../../support/run';

const company = shareCompany({ workOrders: 20 });
const { n8n, records, requests } = company;

const puts = () => requests.writes().filter(({ method }) => method === 'PUT');
const posts = () => requests.writes().filter(({ method }) => method === 'POST');

const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Adds a custom field of assets, which Corrigo stores apart from the asset. */
const addField = (name: string, Type = 'Integer') =>
	`CustomFields.${records.addField('Asset', name, { Type })}`;

/** Uses the input items themselves as fields. */
const json = (matchOn: string, options: object = {}) => ({
	matchOn,
	fieldsJson: '={{ $json }}',
	options,
});

const mapped = (...matchingColumns: string[]) =>
	mappedByName(
		matchingColumns,
		records.rows('CustomFieldDescriptor').map(({ Id, Name }) => ({
			id: `CustomFields.${Id}`,
			displayName: Name,
			type: 'string',
		})),
	);

const customer = (TenantCode: string, more: IDataObject = {}): IDataObject => ({
	TenantCode,
	DisplayAs: `Name of ${TenantCode}`,
	Name: `Name of ${TenantCode}`,
	Dba: `Name of ${TenantCode}`,
	TaxExempt: false,
	WorkZone: { Id: 11 },
	...more,
});

const upsert = async (
	resource: string,
	parameters: object,
	jsons: IDataObject[],
	more: RunOptions = {},
) =>
	await n8n.run(`${resource}:upsert`, parameters, {
		items: jsons.map((json) => ({ json })),
		onError: 'continueErrorOutput',
		...more,
	});

const customers = async (...jsons: IDataObject[]) =>
	await upsert('customer', json('TenantCode'), jsons);

const outcomes = ({ items }: Run) => items.map(({ json: { Outcome } }) => Outcome);

/** The custom field of contacts. */
const contactField = () => records.find('CustomFieldDescriptor', { ActorTypeId: 'LeaseUser' }).Id;

const withCode = (code: string) =>
	records.rows('Customer').filter(({ TenantCode }) => String(TenantCode).toLowerCase() === code);

/** Items with the stored values, which change nothing. */
const asStored = (count: number): IDataObject[] =>
	records
		.rows('Customer')
		.slice(0, count)
		.map(({ TenantCode, DisplayAs, WorkZone }) => ({
			TenantCode,
			DisplayAs,
			WorkZone: { Id: (WorkZone as IDataObject).Id },
		})) as IDataObject[];

describe('an item', () => {
	it('creates a record if there is none, and changes only what differs in an existing one', async () => {
		const first = await customers(customer('N-1', { Instructions: 'Ring twice' }));
		expect(first.errorItems).toEqual([]);
		const [{ Id }] = withCode('n-1');
		const written = { TenantCode: 'N-1', DisplayAs: 'Name of N-1', WorkZone: { Id: 11 } };
		const said = { Id, ...written };
		expect(jsonOf(first.items)).toMatchObject([
			{ ...said, Instructions: 'Ring twice', Outcome: 'created' },
		]);

		company.sandbox.forgetRequests();
		const second = await customers(customer('N-1', { Instructions: 'Ring once', TaxExempt: true }));
		const Changed = ['TaxExempt', 'Instructions'];
		expect(jsonOf(second.items)).toMatchObject([{ ...said, Outcome: 'updated', Changed }]);
		expect(requests.paths()).toEqual(['POST query/Customer', 'PUT base/Customer']);
		expect(requests.bodies()).toEqual([
			{
				RequestId: expect.any(String) as string,
				Properties: Changed,
				Entity: { TaxExempt: true, Instructions: 'Ring once', ConcurrencyId: 1, Id },
			},
		]);

		company.sandbox.forgetRequests();
		const third = await customers(customer('N-1', { Instructions: 'Ring once', TaxExempt: true }));
		expect(jsonOf(third.items)).toMatchObject([{ ...said, Outcome: 'unchanged' }]);
		expect(requests.paths()).toEqual(['POST query/Customer']);
	});

	it('is paired with its output, whatever its outcome', async () => {
		const [known] = asStored(1);
		const run = await customers(customer('P-1'), known, { TenantCode: '' }, customer('P-2'));
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 3].map((item) => ({ item })),
		);
		expect(outcomes(run)).toEqual(['created', 'unchanged', 'created']);
		expect(run.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }]);
	});

	it('does not show a parent that only a new asset gets', async () => {
		const asset = { Info: { TagId: 'TAG10181' }, ParentId: 10_002 };
		const names = ['Old', 'Old', 'New'].map((Name) => ({ ...asset, Name }));
		const run = await upsert('asset', json('Info.TagId'), names);
		expect(outcomes(run)).toEqual(['updated', 'unchanged', 'updated']);
		for (const { json: shown } of run.items) expect(shown).not.toHaveProperty('ParentId');
	});

	it('returns its record on request, without another request if it is unchanged', async () => {
		const [known] = asStored(1);
		const parameters = json('TenantCode', { returnRecord: true });
		const run = await upsert('customer', parameters, [known, customer('R-1')]);
		expect(jsonOf(run.items)).toEqual([
			some({
				...known,
				WorkZone: { Id: 11, DisplayAs: 'Midtown Manhattan' },
				Outcome: 'unchanged',
				Dba: expect.any(String),
			}),
			some({ TenantCode: 'R-1', Outcome: 'created', Dba: 'Name of R-1' }),
		]);
		expect(requests.sent().map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
	});
});

describe('the requests of Create or Update', () => {
	it('for 1,000 items, of which 980 change nothing, are 3 look-ups and 20 updates', async () => {
		for (let index = 0; index < 1000; index++) {
			records.insert('Contact', { LastName: 'Miller', Number: `N${index}`, Comment: 'same' });
		}
		const jsons = Array.from({ length: 1000 }, (_, index) => ({
			Number: `n${index}`,
			LastName: 'Miller',
			Comment: index % 50 === 0 ? 'other' : 'same',
		}));
		await n8n.run('company:discover');
		company.sandbox.forgetRequests();

		const run = await upsert('contact', mapped('Number'), jsons);

		expect(run.errorItems).toEqual([]);
		expect(requests.lookUps()).toHaveLength(3);
		expect(puts()).toHaveLength(20);
		// One more request probes the page limit.
		expect(company.sandbox.requests).toHaveLength(24);
		expect(outcomes(run).filter((one) => one === 'unchanged')).toHaveLength(980);
		for (const [index, { json: said }] of run.items.entries()) {
			if (index % 50 === 0) expect(said).toMatchObject({ Changed: ['Comment'] });
		}
	});

	it('are not sent for invalid items', async () => {
		const run = await customers({ TenantCode: ' ' }, { Name: 'No code' }, { TenantCode: {} });
		expect(requests.sent()).toEqual([]);
		expect(run.errorItems).toHaveLength(3);
		for (const error of errorsOf(run)) {
			expect(error).toMatch(/^'Fields \(JSON\)' has .*"TenantCode"|TenantCode' must be a text/);
		}
	});

	it('write the items with one key in their order, with Parallel Requests, too', async () => {
		const jsons = Array.from({ length: 12 }, (_, index) =>
			customer(`S-${index % 3}`, { Instructions: `${index}` }),
		);
		const parameters = json('TenantCode', { advanced: { parallelRequests: 8 } });
		const run = await upsert('customer', parameters, jsons);
		expect(outcomes(run).filter((one) => one === 'created')).toHaveLength(3);
		for (const index of [0, 1, 2]) {
			expect(withCode(`s-${index}`)).toMatchObject([{ Instructions: `${9 + index}` }]);
		}
	});

	it('find records that another user has created since an old look-up', async () => {
		const now = performance.now.bind(performance);
		// The look-ups are 31 seconds older after each write.
		const late = () => now() + 31_000 * requests.writes().length;
		const clock = jest.spyOn(performance, 'now').mockImplementation(late);
		const running = customers(customer('O-1'), customer('O-2'));
		await company.sandbox.waitFor(({ path }) => path === '/api/v1/base/Customer');
		records.insert('Customer', customer('O-2'));
		const run = await running.finally(() => clock.mockRestore());
		expect(outcomes(run)).toEqual(['created', 'unchanged']);
		expect(withCode('o-2')).toHaveLength(1);
	});
});

describe('a key of Create or Update', () => {
	it('ignores case and white space at its end, and is not written', async () => {
		const [{ Id }] = records.rows('Customer');
		records.change('Customer', Id, { TenantCode: 'Ab-1' });
		const ends = ['  ', '', '\r', '\t', '\u00a0', ' \r\n'];
		const jsons = ends.map((end) => ({ TenantCode: `AB-1${end}`, Dba: 'X' }));
		const run = await customers(...jsons, customer('new-1\r\n'));
		expect(outcomes(run)).toEqual(['updated', ...Array<string>(5).fill('unchanged'), 'created']);
		expect(records.get('Customer', Id)).toMatchObject({ TenantCode: 'Ab-1', Dba: 'X' });
		expect(withCode('new-1')).toHaveLength(1);
	});

	const addDefined = (list: string, resource: string, ObjectId: number, ObjectTypeId: string) => {
		const isAttribute = list === 'Attributes';
		const table = isAttribute ? 'AssetAttribute' : 'CustomField2';
		const owner = isAttribute ? { AssetId: ObjectId } : { ObjectId, ObjectTypeId };
		const id = isAttribute
			? records.find('AttributeDescriptor', { Name: 'Remarks' }).Id
			: records.addField(ObjectTypeId, 'Code');
		const row = records.insert(table, { ...owner, Descriptor: { Id: id }, Value: 'x' }).Id;
		const build = (text: string): IDataObject => ({ [list]: { [id]: text } });
		return { resource, table, row, member: 'Value', matchOn: `${list}.${id}`, build };
	};
	const asset = () => records.ids('Location')[0];
	const TEXT_KEYS = {
		'a record': () => ({
			...{ resource: 'customer', table: 'Customer', row: records.ids('Customer')[0] },
			...{ member: 'TenantCode', matchOn: 'TenantCode' },
			build: (TenantCode: string): IDataObject => ({ TenantCode }),
		}),
		'one of its rows': () => ({
			...{ resource: 'contact', table: 'ContactInfo', member: 'Address' },
			row: records.find('ContactInfo', { AddrTypeId: 'PrimEmail' }).Id,
			matchOn: 'ContactAddresses.PrimEmail',
			build: (text: string): IDataObject => ({ ContactAddresses: { PrimEmail: text } }),
		}),
		'a custom field': () =>
			addDefined('CustomFields', 'contact', records.ids('Contact')[0], 'LeaseUser'),
		'a separate custom field': () => addDefined('CustomFields', 'asset', asset(), 'Asset'),
		'an attribute': () => addDefined('Attributes', 'asset', asset(), ''),
	};

	it.each(Object.keys(TEXT_KEYS) as Array<keyof typeof TEXT_KEYS>)(
		'of %s finds a text that is stored with blanks at its end, and with other white space if the key has that, too',
		async (place) => {
			const { resource, table, row, member, matchOn, build } = TEXT_KEYS[place]();
			for (const end of ['  ', '\t', '\u00a0', '\r\n']) {
				records.change(table, row, { [member]: `Key-1${end}` });
				const found = end === '  ' ? 'unchanged' : 'missing';
				for (const [key, outcome] of [
					[`key-1${end}`, 'unchanged'],
					['KEY-1', found],
				]) {
					const form = json(matchOn, { updateOnly: 'skip' });
					expect([key, ...outcomes(await upsert(resource, form, [build(key)]))]).toEqual([
						key,
						outcome,
					]);
				}
			}
		},
	);

	it.each([2, 10, 11])('that %d records have is rejected with at most ten names', async (count) => {
		const ids = records.ids('Contact', count);
		for (const id of ids) records.change('Contact', id, { Number: 'same' });
		const run = await upsert('contact', json('Number'), [{ Number: 'SAME', Comment: 'x' }]);
		const names = ids.map((id) => `"${String(records.get('Contact', id)?.DisplayAs)}" (ID ${id})`);
		const shown = [...names.slice(0, 10), ...(count > 10 ? ['…'] : [])].join(', ');
		expect(run.errorItems[0].json.error).toBe(
			`There are ${count} contact records with Number "SAME": ${shown}`,
		);
		expect(requests.writes()).toEqual([]);
	});

	it('of a deleted record can be used again', async () => {
		const [{ Id, Number: number }] = records.rows('Contact');
		records.change('Contact', Id, { IsRemoved: true });
		const run = await upsert('contact', json('Number'), [
			{ Number: String(number), LastName: 'New' },
		]);
		expect(outcomes(run)).toEqual(['created']);
	});

	it('can be several properties, named in a text with blanks and empty parts, references and nested values', async () => {
		const [{ Id, FirstName, LastName, CustomerId }] = records.rows('Contact');
		const person = { FirstName, LastName, CustomerId } as IDataObject;
		const run = await upsert('contact', json(' FirstName, , LastName ,CustomerId,,'), [
			{ ...person, Comment: 'here' },
			{
				...person,
				CustomerId: records.rows('Customer')[1].Id,
				FirstName: 'Nobody',
				Comment: 'new',
			},
		]);
		expect(outcomes(run)).toEqual(['updated', 'created']);
		expect(requests.lookUps()).toHaveLength(1);
		expect(records.get('Contact', Id)).toMatchObject({ Comment: 'here' });

		const [{ AssetId, TagId }] = records.rows('AssetInfo');
		const found = await upsert('asset', mapped('Info.TagId'), [
			{ Info: { TagId }, IsOffline: true } as IDataObject,
		]);
		expect(jsonOf(found.items)).toEqual([
			{
				Id: AssetId,
				Name: expect.any(String) as string,
				Info: { TagId },
				IsOffline: true,
				Outcome: 'updated',
				Changed: ['IsOffline'],
				Before: some({ IsOffline: false }),
			},
		]);
	});

	it('can be an email address, which is one of several', async () => {
		const [{ Id }] = records.rows('Contact');
		const run = await upsert('contact', mapped('ContactAddresses.PrimEmail'), [
			{ 'ContactAddresses.PrimEmail': 'CONTACT0@example.org', Comment: 'found' },
			{
				'ContactAddresses.PrimEmail': 'new@example.org',
				'ContactAddresses.Fax': '',
				'ContactAddresses.PrimPhone': '7',
				LastName: 'New',
			},
		]);
		expect(jsonOf(run.items)).toMatchObject([
			{ Id, Outcome: 'updated', Changed: ['Comment'] },
			{ Outcome: 'created' },
		]);
		const made = records.children('ContactInfo', 'ActorId', Number(run.items[1].json.Id));
		expect(made).toMatchObject([
			{ AddrTypeId: 'PrimEmail', Address: 'new@example.org' },
			{ AddrTypeId: 'PrimPhone', Address: '7' },
		]);
	});

	it('can be a custom field that is stored apart from the record', async () => {
		const [tag, floor] = [addField('Tag', 'String'), addField('Floor')];
		const give = async (key: string, level: string) =>
			await upsert('asset', mapped(tag), [{ ...PUMP, [tag]: key, [floor]: level }]);
		const first = await give('A-1', '1');
		expect(first.errorItems).toEqual([]);
		expect(outcomes(first)).toEqual(['created']);
		company.sandbox.forgetRequests();
		const second = await give('a-1', '2');
		const { Id } = first.items[0].json;
		expect(jsonOf(second.items)).toMatchObject([{ Id, Outcome: 'updated', Changed: ['Floor'] }]);
		expect(puts().map(({ path }) => path)).toEqual(['/api/v1/base/CustomField2']);
		expect(outcomes(await give('A-1', '2'))).toEqual(['unchanged']);
		const fields = records.children('CustomField2', 'ObjectId', Number(Id));
		expect(fields).toMatchObject([{ Value: 'A-1' }, { Value: '2' }]);
	});

	it.each<[string, string, RegExp]>([
		[' ', 'Contact', /^'Match On' is empty$/],
		[' , ', 'Contact', /^'Match On' is empty$/],
		['Id', 'Contact', /^'Match On' has "Id", which Corrigo gives to a new record itself$/],
		['parentid', 'Location', /^'Match On' has "ParentId", which Corrigo never returns$/],
		['LastName, Password', 'Employee', /has "Password", which Corrigo never returns$/],
		['ContactAddresses.Address', 'Contact', /does not name a single value of a record$/],
		['Not a name', 'Contact', /^'Match On' must be a field name/],
		['LastName', 'WorkOrder', /^Corrigo does not create work order records this way$/],
		['LastName', 'NoSuchThing!', /^'Entity' must be a name/],
	])('is rejected before anything is sent: %j of %s', async (matchOn, entity, words) => {
		const parameters = { entity: byName(entity), ...json(matchOn) };
		const run = await upsert('record', parameters, [{ LastName: 'x', Id: 5 }]);
		expect(run.errorItems[0].json.error).toMatch(words);
		expect(requests.sent()).toEqual([]);
	});

	it('that the service does not know fails with its message, and other items do not', async () => {
		const run = await upsert('contact', json('Number'), [
			{ Number: 'C-0', Komment: 'x' },
			{ Number: 'C-1', Comment: 'x' },
		]);
		expect(run.errorItems[0].json.error).toContain(String.raw`does not expose \"Komment\"`);
		expect(outcomes(run)).toEqual(['updated']);
	});

	it('is rejected where the service answers with records that were not requested', async () => {
		const page = { Entities: [{ Data: { Id: 7, TenantCode: 'other' } }] };
		requests.fault(rejection('/query/', page, { status: 200 }));
		const run = await customers(customer('W-1'));
		expect(run.errorItems[0].json.error).toContain('with one that was not asked for');
		expect(requests.writes()).toEqual([]);
	});
});

it('a record of another spelling fails the item that means it, and no other one of the look-up', async () => {
	const page = { Entities: [{ Data: { Id: 7, TenantCode: 'Café' } }] };
	requests.fault(rejection('/query/', page, { status: 200 }));
	const run = await customers(customer('cafe'), customer('older'), customer('newer'));
	expect(errorsOf(run)).toEqual([
		'A record with TenantCode "cafe" exists in another spelling, with the ID 7',
	]);
	expect(outcomes(run)).toEqual(['created', 'created']);
	expect(requests.lookUps()).toHaveLength(1);
});

describe('a record of another spelling is not created again', () => {
	const upsertOne = async (resource: string, matchOn: string, fields: IDataObject) => {
		const run = await upsert(resource, json(matchOn), [fields]);
		expect(errorsOf(run)).toEqual([
			expect.stringMatching(/^A record with .* exists in another spelling, with the ID \d+$/),
		]);
		expect(requests.writes()).toEqual([]);
	};
	const find = (entity: string, record: object) =>
		requests.fault(
			rejection(`/query/${entity}`, { Entities: [{ Data: record }] }, { status: 200, times: 2 }),
		);

	it('where two fields identify it', async () => {
		find('Customer', { Id: 7, TenantCode: 'Café', Name: 'name of cafe' });
		await upsertOne('customer', 'TenantCode, Name', customer('cafe'));
	});

	it('where its email address identifies it', async () => {
		const ContactAddresses = [{ AddrTypeId: 'PrimEmail', Address: 'Café@example.org' }];
		find('Contact', { Id: 7, ContactAddresses });
		const fields = { LastName: 'Miller', ContactAddresses: { PrimEmail: 'cafe@example.org' } };
		await upsertOne('contact', 'ContactAddresses.PrimEmail', fields);
	});

	it('where a custom field that is stored separately identifies it', async () => {
		const key = addField('Café', 'String');
		const [{ Id: ObjectId }] = records.rows('Location');
		const row = { Descriptor: { Id: Number(key.split('.')[1]) }, ObjectId, ObjectTypeId: 'Asset' };
		find('CustomField2', records.insert('CustomField2', { ...row, Value: 'Café' }));
		await upsertOne('asset', key, { ...PUMP, CustomFields: { Café: 'cafe' } });
	});
});

it('Update Only skips or fails an item without a record, as chosen', async () => {
	const [known] = asStored(1);
	const jsons = [{ ...known, Dba: 'changed' }, customer('U-1')];
	const skipped = await upsert('customer', json('TenantCode', { updateOnly: 'skip' }), jsons);
	expect(jsonOf(skipped.items)).toMatchObject([
		{ Outcome: 'updated', Changed: ['Dba'] },
		{ TenantCode: 'U-1', Outcome: 'missing' },
	]);
	const failed = await upsert('customer', json('TenantCode', { updateOnly: 'error' }), jsons);
	expect(outcomes(failed)).toEqual(['unchanged']);
	expect(failed.errorItems[0].json).toMatchObject({
		error: 'There is no customer with TenantCode "U-1"',
	});
	expect(posts()).toEqual([]);
});

describe('a change by another user', () => {
	const race = async (change: IDataObject, mine: IDataObject) => {
		company.sandbox.set({ imposeConcurrencyId: true });
		const [first, second] = records.rows('Customer');
		const running = customers(
			{ TenantCode: first.TenantCode, Dba: 'first' } as IDataObject,
			{ TenantCode: second.TenantCode, ...mine } as IDataObject,
		);
		await company.sandbox.waitFor(({ method }) => method === 'PUT');
		records.change('Customer', second.Id, change);
		return { run: await running, id: second.Id };
	};

	it('is not overwritten unseen: the record is read and compared once more', async () => {
		const { run, id } = await race({ Instructions: 'theirs' }, { Dba: 'mine' });
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items)[1]).toMatchObject({ Id: id, Outcome: 'updated', Changed: ['Dba'] });
		expect(records.get('Customer', id)).toMatchObject({ Dba: 'mine', Instructions: 'theirs' });
		expect(puts()).toHaveLength(3);
		expect(requests.lookUps()).toHaveLength(2);
	});

	it('to equal values leaves nothing to update', async () => {
		const { run } = await race({ Dba: 'mine' }, { Dba: 'mine' });
		expect(outcomes(run)).toEqual(['updated', 'unchanged']);
		expect(puts()).toHaveLength(2);
	});

	it('is not assumed where the record is unchanged: the error code has other causes', async () => {
		const refusal = { ErrorCode: 'ERROR_CODE_6', ErrorMessage: 'Data was already modified' };
		requests.fault(rejection({ method: 'PUT' }, refusal));
		const [known] = asStored(1);
		const run = await customers({ ...known, Dba: 'x' });
		expect(run.errorItems[0].json.error).toBe(quoteRefusal('Data was already modified'));
		expect(puts()).toHaveLength(1);
	});
});

describe('a create whose answer was lost', () => {
	const lose = (kind: 'resetBefore' | 'resetAfter') =>
		requests.fault({ match: { method: 'POST', pathIncludes: '/base/' }, kind });

	// Promise: *Skip if External Number Exists* creates no order twice
	it('is found by its key: created once, never twice', async () => {
		lose('resetAfter');
		const run = await customers(customer('L-1'), customer('L-1', { Dba: 'later' }));
		expect(outcomes(run)).toEqual(['created', 'updated']);
		expect(withCode('l-1')).toHaveLength(1);
		expect(posts()).toHaveLength(1);
		expect(hintsOf(run).join()).toContain('Answers to creates were lost');
	});

	it('gets its custom fields where they are stored apart', async () => {
		const floor = addField('Floor');
		lose('resetAfter');
		const run = await upsert('asset', mapped('Name'), [{ ...PUMP, [floor]: '3' }]);
		expect(outcomes(run)).toEqual(['created']);
		const fields = records.children('CustomField2', 'ObjectId', Number(run.items[0].json.Id));
		expect(fields).toMatchObject([{ Value: '3' }]);
	});

	it('remains in doubt when it is missing a little later: no second one is sent, in no try', async () => {
		lose('resetBefore');
		const jsons = [customer('D-1'), customer('d-1'), customer('D-2')];
		const more = { settings: RETRY, onError: undefined };
		const run = await withShortPauses(() => upsert('customer', json('TenantCode'), jsons, more));
		expect(run.error?.description).toMatch(
			/A record with TenantCode "D-1" was not there 5 seconds later; it may still appear/,
		);
		const sent = requests.bodies().map(({ Entity }) => Entity.TenantCode);
		expect(sent.filter((code) => String(code).toLowerCase() === 'd-1')).toHaveLength(1);
	});

	it('remains in doubt for the other items with its key, in every try that continues after failures', async () => {
		lose('resetBefore');
		const jsons = [customer('E-1'), customer('e-1')];
		const more: RunOptions = { settings: RETRY, onError: 'continueRegularOutput' };
		const run = await withShortPauses(() => upsert('customer', json('TenantCode'), jsons, more));
		for (const { json: said } of run.items) expect(said.message).toMatch(/it may still appear/);
		expect(posts()).toHaveLength(1);
	});

	it('blocks no other item where it was rejected', async () => {
		const run = await customers(customer('F-1', { WorkZone: { Id: 999_999 } }), customer('F-1'));
		expect(run.errorItems[0].json.error).toContain('999999 cannot be found');
		expect(outcomes(run)).toEqual(['created']);
	});
});

it('Create or Update does nothing twice with Retry On Fail', async () => {
	requests.fault({ match: { method: 'PUT' }, kind: 'status', status: 400 });
	const [known] = asStored(1);
	const jsons = [customer('X-1'), { ...known, Dba: 'y' }, customer('X-1', { Dba: 'z' })];
	const run = await upsert('customer', json('TenantCode'), jsons, {
		settings: RETRY,
		onError: undefined,
	});
	expect(run.error).toBeUndefined();
	expect(outcomes(run)).toEqual(['created', 'updated', 'updated']);
	expect(withCode('x-1')).toMatchObject([{ Dba: 'z' }]);
	expect(posts()).toHaveLength(1);
});

it('Create or Update writes nothing more once the run is stopped', async () => {
	requests.fault({ match: { method: 'PUT' }, kind: 'hang' });
	const jsons = asStored(3).map((one) => ({ ...one, Dba: 'x' }));
	const items = jsons.map((one) => ({ json: one }));
	const started = n8n.start('customer:upsert', json('TenantCode'), { items });
	await company.sandbox.waitFor(({ method }) => method === 'PUT');
	started.cancel();
	const run = await started.finished;
	expect(run.status).toBe('canceled');
	expect(puts()).toHaveLength(1);
});

describe('items that mean one record, by one key or several,', () => {
	const item = fc.record(
		{
			email: fc.constantFrom(...['a', 'A', 'b', 'c'].map((name) => `${name}@example.org`), 'new'),
			Comment: fc.constantFrom('x', 'y', ''),
			fax: fc.constantFrom('1', '2'),
			CustomerId: fc.constantFrom(101, 102),
			custom: fc.constantFrom('v', 'w', ''),
		},
		{ requiredKeys: ['email'] },
	);
	const toJson = ({ email, fax, custom, ...members }: IDataObject): IDataObject => ({
		...members,
		LastName: 'Miller',
		...(custom === undefined
			? {}
			: { CustomFields: [{ Descriptor: { Id: contactField() }, Value: custom }] }),
		ContactAddresses: [
			{ AddrTypeId: 'PrimEmail', Address: email },
			...(fax === undefined ? [] : [{ AddrTypeId: 'Fax', Address: fax }]),
		],
	});
	const give = async (jsons: IDataObject[], options: IDataObject) => {
		company.fresh();
		const [first, second] = records.rows('Contact');
		const emails = [
			[first, 'a'],
			[first, 'b'],
			[second, 'c'],
		] as const;
		for (const [{ Id }, name] of emails) {
			const owner = { ActorTypeId: 'LeaseUser', ActorId: Id };
			const address = { AddrTypeId: 'PrimEmail', Address: `${name}@example.org` };
			records.insert('ContactInfo', { ...owner, ...address });
		}
		const run = await upsert('contact', json('ContactAddresses.PrimEmail', options), jsons);
		expect(run.errorItems).toEqual([]);
		const keys = run.items.map(({ json: { ConfirmationKey } }) => ConfirmationKey);
		const labels = run.items.flatMap(({ json: { WouldChange } }) => Object.keys(WouldChange ?? {}));
		const done = run.items.map(({ json: { Outcome, Changed } }) => [Outcome, Changed]);
		return { keys, done, labels };
	};

	const someItems = fc.array(item, { minLength: 2, maxLength: 6 });

	it('do what a dry run says: each begins with what the one before has left', async () => {
		await fc.assert(
			fc.asyncProperty(someItems, async (given) => {
				const jsons = (given as IDataObject[]).map(toJson);
				const { done: planned, labels } = await give(jsons, { dryRun: 'always' });
				expect(requests.writes()).toEqual([]);
				// No item adds a second row of a kind.
				expect(labels.join()).not.toContain('Additional');
				const { done } = await give(jsons, {});
				const words = { created: 'wouldCreate', updated: 'wouldUpdate', unchanged: 'unchanged' };
				expect(planned).toEqual(
					done.map(([outcome, changed]) => [words[outcome as keyof typeof words], changed]),
				);
			}),
			{ numRuns: cases(10, 40) },
		);
	});

	it('are written as approved, by the keys of a dry run', async () => {
		await fc.assert(
			fc.asyncProperty(someItems, async (given) => {
				const jsons = (given as IDataObject[]).map(toJson);
				const { keys } = await give(jsons, { dryRun: 'always' });
				const { done } = await give(jsons, {});
				const confirmationKey = `={{ (${JSON.stringify(keys)})[$itemIndex] }}`;
				expect((await give(jsons, { confirmationKey })).done).toEqual(done);
			}),
			{ numRuns: cases(6, 20) },
		);
	});

	it('send nothing that the record already has, with Parallel Requests', async () => {
		await fc.assert(
			fc.asyncProperty(someItems, async (given) => {
				const jsons = (given as IDataObject[]).map(toJson);
				const { done } = await give(jsons, { advanced: { parallelRequests: 6 } });
				expect(puts()).toHaveLength(done.filter(([outcome]) => outcome === 'updated').length);
				expect(posts()).toHaveLength(done.filter(([outcome]) => outcome === 'created').length);
				const last = new Map<string, unknown>();
				for (const { body } of puts()) {
					const { Entity } = body as { Entity: IDataObject };
					const { Id, Comment, CustomerId, LastName } = Entity;
					for (const [name, value] of Object.entries({ Comment, CustomerId, LastName })) {
						if (value === undefined) continue;
						const member = `${name} of ${String(Id)}`;
						expect([member, last.get(member)]).not.toEqual([member, value]);
						last.set(member, value);
					}
				}
			}),
			{ numRuns: cases(10, 40) },
		);
	});
});

it('a dry run shows changes of custom fields that are stored apart', async () => {
	const floor = addField('Floor');
	const { Name } = records.rows('Location')[0];
	const parameters = { ...mapped('Name'), options: { dryRun: 'always' } };
	const run = await upsert('asset', parameters, [{ Name, [floor]: '3' } as IDataObject]);
	expect(jsonOf(run.items)).toMatchObject([{ Outcome: 'wouldUpdate', Changed: ['Floor'] }]);
	expect(requests.writes()).toEqual([]);
});

it('Create or Update reads again what an item needs of a record that an earlier item has changed', async () => {
	const [{ TenantCode, DisplayAs }] = asStored(1);
	const run = await customers({ TenantCode, Dba: 'changed' }, { TenantCode, DisplayAs });
	expect(outcomes(run)).toEqual(['updated', 'unchanged']);
});

it.each([
	['the labels of the form', (label: string) => label],
	['labels in capitals, with blanks', (label: string) => ` ${label.toUpperCase()} `],
])('maps items automatically by %s', async (_, write) => {
	const [{ TenantCode, Id }] = records.rows('Customer');
	const run = await upsert('customer', mapped('TenantCode'), [
		{ [write('Tenant Code')]: TenantCode as string, [write('Display Name')]: 'By label' },
	]);
	expect(outcomes(run)).toEqual(['updated']);
	expect(records.rows('Customer').find((one) => one.Id === Id)).toMatchObject({
		DisplayAs: 'By label',
	});
});

it('tells below the fields to match on what a new record needs', () => {
	const field = new Corrigo().description.properties.find(
		({ name, type, displayOptions: { show } = {} }) =>
			name === 'fields' &&
			type === 'resourceMapper' &&
			show?.resource?.includes('customer') &&
			show.operation?.includes('upsert'),
	);
	expect(field?.typeOptions?.resourceMapper?.matchingFieldsLabels?.hint).toMatch(
		/ A new customer needs: .*Tenant Code.*Work Zone\.$/,
	);
});

it('rows next to the key are compared where Corrigo returns matching rows alone', async () => {
	const [{ Id }] = records.rows('Contact');
	for (const onlyFitting of [false, true]) {
		company.sandbox.set({ onlyFitting });
		const item = { ContactAddresses: { PrimEmail: 'k@x.org', Fax: `f${String(onlyFitting)}` } };
		records.change('Contact', Id, { Number: 'N' });
		const setKey = { matchOn: 'Number', fieldsJson: { Number: 'N', ...item } };
		await n8n.succeed('contact:upsert', { ...setKey });
		const run = await n8n.succeed('contact:upsert', json('ContactAddresses.PrimEmail'), {
			items: [{ json: item }],
		});
		expect(jsonOf(run.items)).toEqual([some({ Outcome: 'unchanged', Id })]);
	}
});

it.each<[string, () => object]>([
	[
		'two addresses',
		() => ({ ContactAddresses: { PrimEmail: 'k@example.org', PrimPhone: '555-0100' } }),
	],
	[
		'two custom fields',
		() => {
			const names = ['Own', 'Other'];
			const ids = names.map((name) => records.addField('LeaseUser', name));
			return { CustomFields: Object.fromEntries(ids.map((id) => [id, 'K-1'])) };
		},
	],
	[
		'a text and a number',
		() => {
			const ids = [
				records.addField('LeaseUser'),
				records.addField('LeaseUser', 'Size', { Type: 'Decimal' }),
			];
			return { CustomFields: { [ids[0]]: 'K-1', [ids[1]]: '12.50' } };
		},
	],
])('%s as keys find the record where Corrigo returns matching rows alone', async (_, build) => {
	company.sandbox.set({ onlyFitting: true });
	const keys = build();
	const matchOn = Object.entries(keys)
		.flatMap(([list, rows]) => Object.keys(rows as object).map((kind) => `${list}.${kind}`))
		.join();
	const newContact = {
		LastName: 'Miller',
		CustomerId: records.ids('Customer')[0],
		TypeId: 'Primary',
	};
	const upsert = async () =>
		jsonOf(
			(
				await n8n.succeed('contact:upsert', {
					matchOn,
					fieldsJson: { ...newContact, ...keys } as never,
				})
			).items,
		);
	const [{ Id }] = await upsert();
	expect(await upsert()).toEqual([some({ Outcome: 'unchanged', Id })]);
});

it('an address that is the key is written with what belongs to it', async () => {
	const [{ Id }] = records.rows('Contact');
	const [{ Id: row, AddrTypeId, Address }] = records.children('ContactInfo', 'ActorId', Id);
	const form = json(`ContactAddresses.${String(AddrTypeId)}`);
	const address = { AddrTypeId, Address, IsAlert: true };
	const items = [{ json: { ContactAddresses: [address] } as IDataObject }];
	const outcomes: unknown[] = [];
	for (let count = 0; count < 2; count++) {
		const run = await n8n.succeed('contact:upsert', form, { items });
		outcomes.push(run.items[0].json.Outcome);
		expect(records.get('ContactInfo', row)).toMatchObject(address);
	}
	expect(outcomes).toEqual(['updated', 'unchanged']);
});
