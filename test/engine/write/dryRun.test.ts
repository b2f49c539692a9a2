/** The option Dry Run sends everything except writes; operations.test.ts shows this for every operation. */
import type { IDataObject } from 'n8n-workflow';

import { commands } from '../../../nodes/Corrigo/catalogue/commands';
import { findMemberTarget } from '../../../nodes/Corrigo/catalogue/targets';
import { getNoun } from '../../../nodes/Corrigo/catalogue/views';
import {
	PUMP,
	byId,
	byName,
	byNumber,
	eachId,
	errorsOf,
	filledIn,
	fromList,
	hintsOf,
	idsOf,
	itemsOf,
	jsonOf,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
} from '../../support/company';
import type { RunOptions } from '../../support/engine';

const company = shareCompany();
const { n8n, records, requests } = company;

const text = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const KEY = text(/^[\w-]{8}(\.[\w-]{12,})+$/);
const DRY = { options: { dryRun: 'always' } };
const fields = (given: unknown) => ({ fieldsJson: given });
const assetField = (name: string) => records.addField('Asset', name);

describe('of an update', () => {
	const update = async (id: number, values: object) =>
		await n8n.run('workOrder:update', { id: byId(id), ...fields(values), ...DRY });

	/** Each item is a work order, and other orders go on after a failure. */
	const updateEach = async (values: unknown, ...ids: number[]) =>
		await n8n.run(
			'workOrder:update',
			{ id: eachId, ...fields(values), ...DRY },
			{ items: itemsOf(...ids), onError: 'continueErrorOutput' },
		);

	it('reports an update that would change nothing', async () => {
		const [{ Id, PoNumber }] = records.rows('WorkOrder');
		const run = await update(Id, { PoNumber: PoNumber ?? '' });
		expect(run.items[0].json).toMatchObject({ Outcome: 'wouldUpdate', WouldChange: {} });
		expect(run.items[0].json.Summary).toMatch(/^Would leave work order \w+ as it is$/);
	});

	it('shows a row that would be added, although the record has an equal one', async () => {
		const [{ Product, QtyOrdered, Price, ReplenishmentOrderId: id }] =
			records.rows('ReplenishmentOrderItem');
		const stored = records.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', id);
		const line = { Product, QtyOrdered, Price };
		const { PoNumber } = records.get('ReplenishmentOrder', Number(id));
		const upsert = { matchOn: 'PoNumber', ...fields({ PoNumber, Items: [line, line] }) };
		const update = { id: byId(id), ...fields({ Items: [line] }) };
		for (const [operation, form] of Object.entries({ upsert, update })) {
			const { items } = await n8n.succeed(`purchaseOrder:${operation}`, { ...form, ...DRY });
			const [{ Summary, WouldChange }] = jsonOf(items);
			expect(Summary).toMatch(/^Would set Items of purchase order /);
			expect((WouldChange as { Items: { To: object[] } }).Items.To).toHaveLength(stored.length + 1);
		}
	});

	it('reads the records of many items together', async () => {
		const ids = records.ids('WorkOrder', 4);
		// Every other item sets other properties; all records are still read together.
		const values = '={{ $itemIndex % 2 ? { PoNumber: "P" } : { Duration: 5 } }}';
		const run = await updateEach(values, ...ids);
		expect(run.items).toHaveLength(ids.length);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
		const [first, second] = jsonOf(run.items);
		expect(first.WouldChange).toEqual({ Duration: some({ To: 5 }) });
		expect(second.WouldChange).toEqual({ 'PO Number': some({ To: 'P' }) });
		expect(requests.paths()).toEqual(['POST query/WorkOrder']);
	});

	it('fails only for the item that names no property, as a real update does', async () => {
		const ids = records.ids('WorkOrder', 3);
		const values = '={{ $itemIndex === 1 ? { NoSuch: 1 } : { PoNumber: "P" } }}';
		const run = await updateEach(values, ...ids);
		expect(run.errorItems.map(({ json }) => json.x)).toEqual([ids[1]]);
		expect(run.items).toHaveLength(2);
		expect(requests.paths()).toHaveLength(2);
	});

	it('shows only the new values where the records may not be read', async () => {
		const [{ Id }] = records.rows('WorkOrder');
		requests.fault(
			rejection('/query/', { ErrorCode: '', ErrorMessage: 'You may not' }, { times: 10 }),
		);
		const run = await update(Id, { PoNumber: 'P' });
		expect(run.items[0].json).toMatchObject({
			Summary: `Would set PO Number of work order ID ${Id} to P`,
			WouldChange: { 'PO Number': { To: 'P' } },
		});
		expect(hintsOf(run).join()).toContain('they may not be read');
	});

	it('shows the separate writes of custom fields in order', async () => {
		const [{ Id, Name }] = records.rows('Location');
		const [old, fresh] = ['Old', 'Fresh'].map(assetField);
		const row = records.insert('CustomField2', {
			Descriptor: { Id: old },
			ObjectId: Id,
			ObjectTypeId: 'Asset',
			Value: 'x',
		});
		const run = await n8n.succeed('asset:update', {
			id: byId(Id),
			fields: filledIn(
				{ Name: 'new', [`CustomFields.${old}`]: 'y', [`CustomFields.${fresh}`]: 'z' },
				[
					{ id: `CustomFields.${old}`, displayName: 'Old', type: 'string' },
					{ id: `CustomFields.${fresh}`, displayName: 'Fresh', type: 'string' },
				],
			),
			...DRY,
		});
		expect(jsonOf(run.items)).toEqual([
			some({
				Summary: `Would set Name of asset "${String(Name)}" from "${String(Name)}" to new`,
				WouldChange: { Name: { From: Name, To: 'new' } },
				Then: [
					some({
						Summary: `Would set Old of asset "${String(Name)}" from x to y`,
						WouldChange: { Old: { From: 'x', To: 'y' } },
					}),
					some({
						Summary: `Would set Fresh of asset "${String(Name)}" from empty to z`,
						WouldChange: { Fresh: { From: null, To: 'z' } },
					}),
				],
			}),
		]);
		expect(requests.paths()).toEqual([
			'POST query/CustomFieldDescriptor',
			'POST query/Location',
			'POST query/CustomField2',
		]);
		expect(company.sandbox.store.get('CustomField2', row.Id)).toMatchObject({ Value: 'x' });
	});
});

it('a dry run of a create has no ID for the next nodes', async () => {
	const run = await n8n.run('asset:create', {
		fields: filledIn({
			...PUMP,
			[`CustomFields.${assetField('Tag')}`]: 'x',
		}),
		options: { dryRun: 'always', returnRecord: true },
	});
	expect(jsonOf(run.items)).toEqual([
		{
			Outcome: 'wouldCreate',
			Summary:
				'Would create asset Pump, with Model "Rooftop Unit", Type Equipment and Parent "Unit Templates"',
			WouldChange: some({
				Name: { To: 'Pump' },
				Model: { To: { Id: 401, Name: 'Rooftop Unit' } },
			}),
			Then: [
				some({
					Summary: 'Would set Tag of the new asset from empty to x',
					WouldSend: some({ body: some({ Entity: some({ ObjectId: 0, Value: 'x' }) }) }),
				}),
			],
			ConfirmationKey: KEY,
			WouldSend: some({ method: 'POST', path: '/api/v1/base/Location' }),
		},
	]);
	expect(requests.writes()).toEqual([]);
	expect(hintsOf(run)).toEqual([
		text(
			/^'Dry Run' is 'Always': nothing was written\. Corrigo may still refuse it: only Corrigo knows your Company's rules\. .+<a href="[^"]+dry-run\.md#approve-[^"]+" target="_blank">how to approve<\/a>\.$/,
		),
	]);
});

describe('a dry run returns this and nothing else', () => {
	const order = () => records.rows('WorkOrder')[0].Id;
	const contact = () => records.rows('Contact')[0].Id;
	const sends = (method: string, path: string, body?: object) => ({
		ConfirmationKey: KEY,
		WouldSend: {
			...{ method, path: `/api/v1/${path}` },
			...(body && { body: { RequestId: text(/^[\w-]{36}$/), ...body } }),
		},
	});

	it.each<[string, () => object, () => object]>([
		[
			'contact:delete',
			() => ({ id: byId(contact()) }),
			() => ({
				Outcome: 'wouldDelete',
				Summary: 'Would delete contact "Hiro Adams"',
				...sends('DELETE', `base/Contact?ID=${contact()}`),
			}),
		],
		[
			'contact:restore',
			() => ({ id: byId(contact()) }),
			() => ({
				Outcome: 'wouldRun',
				Summary: 'Would restore contact "Hiro Adams"',
				...sends('POST', 'cmd/RestoreCommand', {
					Command: { EntitySpecifier: { EntityType: 'Contact', Id: contact() } },
				}),
			}),
		],
		[
			'workOrder:update',
			() => ({ id: byId(order()), ...fields({ PoNumber: 'P' }) }),
			() => ({
				Outcome: 'wouldUpdate',
				Summary: 'Would set PO Number of work order DTC0000001 from PO-0 to P',
				WouldChange: { 'PO Number': { From: 'PO-0', To: 'P' } },
				...sends('PUT', 'base/WorkOrder', {
					Properties: ['PoNumber'],
					Entity: { Id: order(), PoNumber: 'P' },
				}),
			}),
		],
		[
			'workOrder:start',
			() => ({ id: byId(order()) }),
			() => ({
				Outcome: 'wouldRun',
				Summary:
					'Would start work order DTC0000001. Corrigo may refuse this, as the status is In Progress',
				...sends('POST', 'cmd/WoStartCommand', { Command: { WorkOrderId: order() } }),
			}),
		],
		[
			'note:create',
			() => ({ workOrder: byId(order()), body: 'x', type: 'Private' }),
			() => ({
				Outcome: 'wouldCreate',
				Summary: text(/^Would create a work order note for .+, with Text x and Note Type Private$/),
				WouldChange: {
					'Work Order': { To: some({ Id: order() }) },
					Text: { To: 'x' },
					'Note Type': { To: 'Private' },
				},
				...sends('POST', 'base/WoNote', {
					Entity: { WorkOrderId: order(), Body: 'x', NoteTypeId: 'Private' },
				}),
			}),
		],
	])('by %s, whatever the output is', async (operation, form, item) => {
		for (const output of ['simplified', 'raw']) {
			const options = { dryRun: 'always', returnBefore: true, returnRecord: true };
			const { items } = await n8n.succeed(operation, { ...form(), output, options });
			expect(jsonOf(items)).toEqual([item()]);
		}
	});
});

describe('a dry run of a bulk change', () => {
	const hold = async (form: object, ...ids: number[]) =>
		await n8n.succeed(
			'workOrder:hold',
			{ id: eachId, ...form, ...DRY },
			{ items: itemsOf(...ids) },
		);

	it('has the names of all records that it refers to by their IDs, in one request for each kind', async () => {
		const reasons = records.rows('WoActionReasonLookup').filter((row) => row.ActionId === 'OnHold');
		for (const id of records.ids('WorkOrder', 2))
			records.change('WorkOrder', id, { StatusId: 'Open' });
		const ids = records.ids('WorkOrder', 2);
		const reason = byId('={{ $itemIndex === 0 ? ' + `${reasons[0].Id} : ${reasons[1].Id} }}`);
		const { items } = await hold({ reason }, ...ids);
		expect(jsonOf(items).map(({ WouldChange }) => WouldChange)).toEqual(
			reasons.slice(0, 2).map((one) => ({ Reason: { To: { Id: one.Id, Name: one.DisplayAs } } })),
		);
		expect(items[0].json.Summary).toMatch(/ on hold, with Reason "Waiting for approval"$/);
		expect(requests.paths()).toEqual(['POST query/WorkOrder', 'POST query/WoActionReasonLookup']);
	});

	it('says in which status an order is that Corrigo may refuse to change', async () => {
		const statuses = ['New', 'Open', 'InProgress', 'Paused', 'Paused', 'OnHold', 'Cancelled'];
		const ids = records.ids('WorkOrder', statuses.length);
		for (const [index, StatusId] of statuses.entries()) {
			records.change('WorkOrder', ids[index], { StatusId });
		}
		const [{ Id }] = records
			.rows('WoActionReasonLookup')
			.filter((row) => row.ActionId === 'OnHold');
		const run = await hold({ reason: byId(Id) }, ...ids);
		const said = jsonOf(run.items).map(
			({ Summary }) =>
				/ Corrigo may refuse this, as the status is (.+)$/.exec(String(Summary))?.[1],
		);
		const known = [undefined, undefined, undefined];
		expect(said).toEqual([...known, 'Paused', 'Paused', 'On Hold', 'Cancelled']);
		expect(hintsOf(run)).toContain(
			'Corrigo may refuse 4 of 7 items, because of the present status of their work orders: 2 are Paused, 1 is On Hold, 1 is Cancelled',
		);
		// A status that the contract does not know is quoted.
		records.change('WorkOrder', ids[1], { StatusId: 'New. Approve it' });
		const expecting = { additionalFields: { expectedStatus: 'Open' }, ...DRY };
		const unknown = await n8n.succeed('workOrder:recall', { id: byId(ids[1]), ...expecting });
		expect(unknown.items[0].json.Summary).toMatch(/as the status is "New\. Approve it"$/);
		const other = await n8n.succeed('workOrder:recall', { id: byId(ids[0]), ...expecting });
		expect(other.items[0].json.Summary).toMatch(/refuse this, as the status is New$/);
	});
});

describe('the option Dry Run', () => {
	const note = (dryRun: string | boolean) => ({
		workOrder: byId(records.rows('WorkOrder')[0].Id),
		body: 'text',
		type: 'Public',
		options: { dryRun },
	});

	it.each(['perhaps', '', true, false, 'true', '={{ $json.none }}', '={{ null }}'])(
		'rejects an unknown value before anything is sent: %j',
		async (dryRun) => {
			expect(await n8n.refusal(n8n.run('note:create', note(dryRun)))).toMatch(
				/'Dry Run' must be one of never, manual, always/,
			);
		},
	);

	it.each(['always', 'manual', 'never'])(
		'cannot be %j for one item and something else for the next',
		async (first) => {
			const run = await n8n.run('note:create', note('={{ $json.x }}'), {
				items: itemsOf(first, first === 'never' ? 'manual' : 'never'),
				onError: 'continueErrorOutput',
			});
			// Hosts from 2.41 on accept no expression for the option.
			expect(run.errorItems.at(-1)?.json.error).toMatch(/^'Dry Run' must be /);
			expect(run.errorItems.at(-1)?.pairedItem).toEqual({ item: 1 });
			expect(requests.sent()).toHaveLength(first === 'never' ? run.items.length : 0);
		},
	);

	const CREATES = ['POST base/WoNote'];
	const MODES = [
		'agent',
		'chat',
		'cli',
		'error',
		'evaluation',
		'integrated',
		'internal',
		'manual',
		'retry',
		'trigger',
		'webhook',
	] as const;

	it.each(MODES)(
		'writes nothing in the mode %s if it is "Always", and writes otherwise',
		async (mode) => {
			const { items } = await n8n.run('note:create', note('always'), { mode });
			expect(jsonOf(items)).toEqual([some({ Outcome: 'wouldCreate' })]);
			expect(requests.writes()).toEqual([]);
			const mayBeTest = mode === 'manual' || mode === 'internal';
			for (const dryRun of mayBeTest ? ['never'] : ['never', 'manual']) {
				company.sandbox.forgetRequests();
				const run = await n8n.run('note:create', note(dryRun), { mode });
				expect(run.items[0].json).toMatchObject({ NoteTypeId: 'Public' });
				expect(run.hints).toEqual([]);
				expect(requests.paths()).toEqual(CREATES);
			}
		},
	);

	// Promise: *Dry Run: When Testing* writes nothing in tests
	it('"When Testing" writes nothing in a test, and says so', async () => {
		const run = await n8n.run('note:create', note('manual'), { mode: 'manual' });
		expect(run.items[0].json).toMatchObject({ Outcome: 'wouldCreate' });
		expect(hintsOf(run)).toEqual([
			text(/^'Dry Run' is 'When Testing', and this is a test: nothing was written\. /),
		]);
		expect(requests.writes()).toEqual([]);
	});

	it('"When Testing" writes nothing in n8n\'s Agents, which do not say whether they are tested', async () => {
		const { error, hints, items } = await n8n.run('note:create', note('manual'), {
			mode: 'internal',
		});
		const reason = /'When Testing', and n8n's Agents do not say whether this is a test\. Choose /;
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ Outcome: 'wouldCreate', Summary: text(reason) });
		expect(hints.map(({ message }) => message)).toEqual([text(reason)]);
		expect(requests.writes()).toEqual([]);
	});

	it.each([
		['manual', 0],
		['internal', 0],
		['webhook', 1],
	] as const)(
		'"When Testing" of a tool follows the execution of its agent: %s',
		async (mode, written) => {
			const parameters = { resource: 'note', operation: 'create', ...note('manual') };
			await n8n.engine.runTool({ parameters, mode });
			expect(requests.writes()).toHaveLength(written);
		},
	);
});

it('a dry run finds the order that exists where such items are skipped', async () => {
	const run = await n8n.run(
		'workOrder:create',
		records.newOrder({
			additionalFields: { externalNumber: '={{ $json.x }}' },
			preventDuplicates: { skipIfExternalNumberExists: true },
			...DRY,
		}),
		{ items: itemsOf('EXT-10', 'NEW', 'new') },
	);
	const Summary = 'Would create nothing, as the record already exists';
	expect(jsonOf(run.items)).toEqual([
		some({ Id: records.rows('WorkOrder')[10].Id, AlreadyExisted: true, Summary }),
		some({ Outcome: 'wouldCreate' }),
		{
			AlreadyExisted: true,
			Summary: 'Would create nothing, as an earlier item of this run would create the record',
			ConfirmationKey: KEY,
		},
	]);
	const named = ['WorkOrderType', 'Customer', 'Location', 'Task'];
	expect(requests.paths()).toEqual(['WorkOrder', ...named].map((one) => `POST query/${one}`));
});

// Promise: *Dry Run* shows the exact request
describe('a dry run of an ID that nothing has', () => {
	const one = { id: eachId };
	const UPDATE = { ...one, ...fields({ Dba: 'x' }) };
	it.each<[string, string, object, () => unknown]>([
		['customer', 'customer:delete', one, () => records.ids('Customer')[0]],
		['customer', 'customer:update', UPDATE, () => records.ids('Customer')[0]],
		['customer', 'customer:restore', one, () => records.ids('Customer')[0]],
		['work order', 'workOrder:pickUp', one, () => records.orderIn('New').Id],
		['work order note', 'note:delete', one, () => records.ids('WoNote')[0]],
		['employee', 'employee:suspend', one, () => 301],
	])(
		'fails as the run would, and the others go on: %s of %s',
		async (noun, operation, form, id) => {
			const more: RunOptions = { items: itemsOf(999999, id()), onError: 'continueErrorOutput' };
			const dry = await n8n.run(operation, { ...form, ...DRY }, more);
			expect(errorsOf(dry)).toEqual([`There is no ${noun} with the ID 999999`]);
			expect(dry.items).toEqual([some({ pairedItem: { item: 1 } })]);
			expect(requests.writes()).toEqual([]);
			const { errorItems } = await n8n.run(operation, form, more);
			expect(errorItems).toEqual([some({ pairedItem: { item: 0 } })]);
		},
	);

	it.each<[string, object, object?]>([
		['get', {}],
		['get', { advanced: { combineItems: false } }],
		['update', DRY.options, fields({ Dba: 'x' })],
		['delete', {}],
		['delete', DRY.options],
		['restore', {}],
	])(
		'and so do, in the same words, operations that name no other record: %s %j',
		async (name, options, more = {}) => {
			const run = await n8n.run(`customer:${name}`, { id: byId(999999), options, ...more });
			expect(run.error?.message).toBe('There is no customer with the ID 999999');
		},
	);

	it('and so does each command that names no other record, with what Corrigo said in the details', async () => {
		const sent = commands.flatMap(({ name, subject, fields: { [subject ?? '']: type } }) => {
			const target = findMemberTarget(name, subject ?? '');
			const error = `There is no ${getNoun(target?.entity ?? '')} with the ID 999999`;
			const body: IDataObject = { [subject ?? '']: 999999, Comment: 'No. 5', Reactivate: true };
			// A payment needs its amount, a number like an ID.
			const isKnown = type === 'integer' && name !== 'ApSubmitPaymentCommand';
			return target && isKnown ? [{ name, body, error }] : [];
		});
		expect(sent.length).toBeGreaterThan(25);
		const [{ name, body }] = sent;
		const ErrorMessage = 'A record is not found';
		for (const other of [{ SomeId: 5 }, { SomeId: '5' }, { SomeIds: [5] }, { Some: { Id: 5 } }]) {
			sent.push({ name, body: { ...body, ...other }, error: quoteRefusal(ErrorMessage) });
		}
		const answer = { ErrorCode: 'ERROR_CODE_1019', ErrorMessage };
		// The first request of a Company asks for its host by a command.
		await n8n.succeed('company:discover', {});
		requests.fault(rejection('/cmd/', answer, { times: sent.length }));
		const { errorItems } = await n8n.run(
			'command:execute',
			{ commandName: byName('={{ $json.name }}'), commandBody: '={{ $json.body }}' },
			{ items: sent.map((json) => ({ json })), onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json: { error, message } }) => ({ error, message }))).toEqual(
			sent.map(({ error }) => ({
				error,
				message: text(
					error === quoteRefusal(ErrorMessage)
						? /^Check the ID, .* \(code ERROR_CODE_1019, status 400, .*\)$/
						: /^Corrigo refused the request: "A record is not found"\. Check the ID, .* \(code ERROR_CODE_1019, status 400, .*\)$/,
				),
			})),
		);
	});

	it('goes on where *Ignore Missing* is on, as the run does', async () => {
		const options = { ignoreMissing: true };
		const id = byId(999999);
		const dry = await n8n.succeed('customer:delete', {
			id,
			options: { ...options, ...DRY.options },
		});
		expect(dry.items[0].json.Outcome).toBe('wouldDelete');
		await n8n.succeed('customer:delete', { id, options });
	});
});

describe('a dry run that fails', () => {
	const contact = fields('={{ ({ Comment: "c", Id: $json.x[1] }) }}');
	const form = { id: byId('={{ $json.x[0] }}'), ...contact, ...DRY };

	it('reports no item as carried out', async () => {
		const ids = records.ids('Contact');
		const { error } = await n8n.run('contact:update', form, {
			items: itemsOf([ids[0], ids[0]], [ids[1], 7]),
		});
		expect(error?.message).toContain("'Fields (JSON)' has the Id");
		expect(error?.description ?? '').not.toContain('carried out');
	});

	it('is repeated as a dry run by Retry On Fail', async () => {
		const [{ Id }, { Id: other }] = records.rows('Contact');
		requests.fault(rejection('/query/', { ErrorMessage: 'Bad day' }, { status: 500 }));
		const run = await n8n.succeed('contact:update', form, {
			items: itemsOf([Id, Id], [other, other]),
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		const planned = some({ Outcome: 'wouldUpdate', WouldChange: { Comment: some({ To: 'c' }) } });
		expect(jsonOf(run.items)).toEqual([planned, planned]);
	});
});

it('a dry run executes a command that only reads', async () => {
	const [{ Id }] = records.rows('WorkOrder');
	const run = await n8n.run('command:execute', {
		commandName: byName('WoLastModificationCommand'),
		commandBody: { WorkOrderId: Id },
		...DRY,
	});
	expect(jsonOf(run.items)).toEqual([some({ CommandResult: some({ WorkOrderId: Id }) })]);
});

describe('a dry run says what would happen', () => {
	const summaries = async (
		operation: string,
		parameters: object,
		more: Parameters<typeof n8n.run>[2] = {},
	) => {
		const run = await n8n.succeed(operation, { ...parameters, ...DRY }, more);
		return run.items.map(({ json }) => json.Summary);
	};

	it('of a new work order, with the names that were chosen and those that were looked up', async () => {
		const task = records.rows('Task').find(({ DisplayAs }) => DisplayAs === 'No hot water');
		const asset = records.rows('Location').find(({ ModelId }) => ModelId === task?.ModelId)?.Id;
		const { items } = await n8n.succeed('workOrder:create', {
			typeCategory: 'Request',
			subType: fromList('24', 'Service Request (Request, SR)'),
			customer: fromList('123', 'Contoso (T1, Midtown)'),
			contact: fromList('9', 'Ann (Primary)'),
			items: {
				values: [
					{ asset: fromList(String(asset), 'Boiler (Equipment)'), task: byName('No hot water') },
				],
			},
			...DRY,
		});
		expect(items[0].json).toMatchObject({
			Outcome: 'wouldCreate',
			Summary:
				'Would create a work order for customer Contoso, with Type Category Request, ' +
				'Sub Type "Service Request", Items Boiler / "No hot water", Requestor Contact Ann and ' +
				'Compute Schedule yes',
			WouldChange: {
				Customer: { To: { Id: 123, Name: 'Contoso' } },
				'Sub Type': { To: { Id: 24, Name: 'Service Request' } },
				Items: {
					To: [{ Asset: { Id: asset, Name: 'Boiler' }, Task: some({ Name: 'No hot water' }) }],
				},
			},
		});
	});

	// Promise: *Dry Run* shows the exact request
	it('does not take the name of an earlier choice for what an expression gives', async () => {
		const [{ Id, DisplayAs }] = records.rows('Contact');
		const contact = {
			id: fromList('={{ $json.x }}', 'Ava'),
			...fields({ Comment: 'c' }),
			customer: fromList('={{ $json.x }}', 'Contoso'),
			lastName: 'Miller',
		};
		expect(await summaries('contact:update', contact, { items: itemsOf(Id) })).toEqual([
			`Would set Comment of contact "${String(DisplayAs)}" from empty to c`,
		]);
		const { Id: order, Number: number } = records.orderIn('Open');
		const chosen = { id: fromList('={{ $json.x }}', 'CHL1') };
		expect(await summaries('workOrder:start', chosen, { items: itemsOf(order) })).toEqual([
			`Would start work order ${String(number)}`,
		]);
		requests.fault(rejection('/query/', { ErrorCode: '', ErrorMessage: 'You may not' }));
		expect(await summaries('workOrder:start', { id: fromList(order, 'CHL1 (New)') })).toEqual([
			'Would start work order CHL1',
		]);
	});

	it('of an update, with the names of the records before and after by the same request', async () => {
		const [{ Id, Number: number }] = records.rows('WorkOrder');
		const [low, high] = records.rows('WoPriority');
		records.change('WorkOrder', Id, { Priority: { Id: low.Id } });
		const priority = {
			id: 'Priority.Id',
			displayName: 'Priority',
			type: 'options',
			options: [{ name: high.DisplayAs, value: high.Id }],
		};
		expect(
			await summaries('workOrder:update', {
				id: byId(Id),
				fields: filledIn({ 'Priority.Id': high.Id }, [priority]),
			}),
		).toEqual([
			`Would set Priority of work order ${String(number)} from ${String(low.DisplayAs)} to ${String(high.DisplayAs)}`,
		]);
		expect(requests.paths()).toEqual(['POST query/WorkOrder']);
	});

	it('of Create or Update, both ways', async () => {
		const [{ TenantCode, DisplayAs }] = records.rows('Customer');
		const fresh = records.newCustomer('Fresh');
		const items = itemsOf(
			{ TenantCode, Dba: 'new' },
			fresh,
			{ ...fresh, Dba: 'late' },
			{ TenantCode, DisplayAs },
		);
		const form = { ...fields('={{ $json.x }}'), matchOn: 'TenantCode' };
		expect(await summaries('customer:upsert', form, { items })).toEqual([
			text(
				new RegExp(
					`^Would set DBA \\(Doing Business As\\) of customer "${String(DisplayAs)}" from .* to new$`,
				),
			),
			'Would create customer Nine, with Tenant Code N-9, Name Nine, DBA (Doing Business As) Fresh, Tax Exempt no and Work Zone "Midtown Manhattan"',
			'Would set DBA (Doing Business As) of the new customer from Fresh to late',
			`Would leave customer "${String(DisplayAs)}" as it is`,
		]);
		expect(requests.paths()).toEqual(['POST query/Customer']);
	});

	it('of a command on many orders by their numbers, with one look-up and one read', async () => {
		const orders = records.rows('WorkOrder').slice(0, 3);
		for (const { Id } of orders) records.change('WorkOrder', Id, { StatusId: 'Open' });
		const numbers = idsOf(orders, 'Number');
		expect(
			await summaries(
				'workOrder:complete',
				{ id: byNumber('={{ $json.x }}'), additionalFields: { comment: 'fixed' } },
				{ items: itemsOf(...numbers) },
			),
		).toEqual(numbers.map((one) => `Would complete work order ${String(one)}, with Comment fixed`));
		// The second one reads the versions that the keys cover.
		expect(requests.paths()).toEqual(['POST query/WorkOrder', 'POST query/WorkOrder']);
	});

	it('with the words of the form, and a command on one record without that record among the changes', async () => {
		const [{ Id, Number: number }] = records.rows('WorkOrder');
		const { items } = await n8n.run('workOrder:assign', {
			id: byId(Id),
			assignees: { values: [{ employee: fromList('301', 'Ava Brown (Employee)') }] },
			mode: 'Snapshot',
			...DRY,
		});
		expect(items[0].json).toMatchObject({
			Outcome: 'wouldRun',
			Summary: `Would assign work order ${String(number)}, with Assignees "Ava Brown" and Mode "Replace All"`,
		});
		expect(items[0].json.WouldChange).toEqual({
			Assignees: { To: [{ Id: 301, Name: 'Ava Brown' }] },
			Mode: { To: 'Replace All' },
		});
	});
});
