import type { INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import type { Run } from '../../support/run';
import {
	byId,
	byName,
	byNumber,
	itemsOf,
	shareCompany,
	rejection,
	filledIn,
	eachId,
} from '../../support/company';

const { n8n, records, requests } = shareCompany();

const located = (mode: string, value: unknown) => ({ __rl: true, mode, value }) as INodeParameters;

describe('look-ups of names', () => {
	it.each([1, 16])('are shared by 24 items with three filters each, %d at a time', async (many) => {
		const items = Array.from({ length: 24 }, (_, index) => ({
			customer: records.rows('Customer')[index % 6].DisplayAs,
			zone: records.rows('WorkZone')[index % 3].DisplayAs,
			priority: records.rows('WoPriority')[index % 3].DisplayAs,
		}));
		const form = {
			limit: 1,
			filters: {
				customer: byName('={{ $json.x.customer }}'),
				workZone: byName('={{ $json.x.zone }}'),
				priority: byName('={{ $json.x.priority }}'),
			},
			options: { advanced: { parallelRequests: many } },
		};
		await n8n.succeed('workOrder:getMany', form, { items: itemsOf(...items) });
		const lookUps = requests.queries().filter((entity) => entity !== 'WorkOrder');
		expect(lookUps.sort()).toEqual(['Customer', 'WoPriority', 'WorkZone']);
	});

	it('take one query for all names of an item, and as few as possible for more than 500 names', async () => {
		const employees = Array.from({ length: 600 }, (_, index) => `Zyzzyva ${index}`);
		for (const DisplayAs of employees) {
			records.insert('Employee', { DisplayAs, ActorTypeId: 'Employee' });
		}
		const order = records.orderIn('New');
		await n8n.succeed('workOrder:assign', {
			id: byId(order.Id),
			assignees: { values: employees.map((name) => ({ employee: byName(name) })) },
			mode: 'Snapshot',
		});
		expect(requests.queries()).toEqual(['Employee', 'Employee']);
		expect((requests.bodies().at(-1)?.Command.Assignees as number[]).length).toBe(600);
	});

	it('ask once for contacts, where some customers are given by ID and others by name', async () => {
		const contacts = [101, 102].map(
			(CustomerId) => records.insert('Contact', { DisplayAs: 'Somebody', CustomerId }).Id,
		);
		const first = records.get('Customer', 101);
		const dryRun = { options: { dryRun: 'always' } };
		const run = await n8n.succeed(
			'workOrder:create',
			records.newOrder({ customer: eachId, contact: byName('Somebody'), ...dryRun }),
			{ items: itemsOf(first.DisplayAs, 102) },
		);
		for (const [index, Id] of contacts.entries()) {
			expect(JSON.stringify(run.items[index].json)).toContain(`"RequestorContact":{"Id":${Id}}`);
		}
		// After these, the dry run looks up the names that it shows.
		expect(requests.queries().slice(0, 3)).toEqual(['Customer', 'Contact', 'WorkOrderType']);
	});
});

it('an item that names a missing record starts no search', async () => {
	const run = await n8n.run(
		'customer:upsert',
		{
			fields: {
				...filledIn({ 'WorkZone.Id': '={{ $json.x }}', Dba: 'new' }),
				matchingColumns: ['WorkZone.Id'],
			},
			options: { updateOnly: 'skip' },
		},
		{ items: itemsOf('Nowhere', 'Denver Tech Center'), onError: 'continueErrorOutput' },
	);
	expect(run.errorItems[0].json.error).toMatch(/no work zone is named "Nowhere"/);
	const searched = requests.sent().filter(({ path }) => path.endsWith('/query/Customer'));
	expect(searched.length).toBeGreaterThan(0);
	expect(JSON.stringify(searched.map(({ body }) => body))).not.toMatch(/"Values":\[[^\]]*-\d/);
});

it.each([0, -1])('a name to which Corrigo gives the ID %d is refused', async (Id) => {
	const Data = { Id, Number: 'ODD', LastAction: { XNumber: 'ODD' } };
	const answer = { Entities: [{ Data }] };
	requests.fault(rejection('/query/WorkOrder', answer, { status: 200, times: 9 }));
	const forms = {
		'workOrder:decideEstimate': { decision: 'approve' },
		'note:create': { body: 'Dry', type: 'Public' },
	};
	for (const [operation, form] of Object.entries(forms)) {
		const number = { id: byNumber('ODD'), workOrder: byNumber('ODD') };
		const { error } = await n8n.run(operation, { ...number, ...form });
		expect(error?.message).toBe(
			`'Work Order > ODD' must be a positive whole number, but it is "${Id}"`,
		);
	}
	expect(requests.writes()).toEqual([]);
});

describe('the order of changes to one record', () => {
	it.each([2, 16])('is that of the items, by number or by ID, %d at a time', async (many) => {
		const { Id, Number: number } = records.rows('WorkOrder')[7];
		// While the first change waits to be repeated, the second one could be sent.
		const headers = { 'Retry-After': '0' };
		requests.fault({ match: { method: 'PUT' }, kind: 'status', status: 429, headers });
		await n8n.succeed(
			'workOrder:update',
			{
				id: byId('={{ $json.x.id }}'),
				fields: filledIn({ PoNumber: '={{ $json.x.po }}' }),
				options: { advanced: { parallelRequests: many } },
			},
			{ items: itemsOf({ id: number, po: 'first' }, { id: Id, po: 'second' }) },
		);
		const sent = requests.bodies().map(({ Entity }) => Entity.PoNumber);
		expect(sent).toEqual(['first', 'first', 'second']);
	});
});

describe('a work order', () => {
	const order = () => records.rows('WorkOrder')[3];
	const aNote = (WorkOrderId: string) => ({ WorkOrderId, Body: 'x', NoteTypeId: 'Public' });
	const note = async (form: object) =>
		await n8n.run('record:create', { entity: byName('WoNote'), ...form });

	it('is found by a short number in a column, as in a field', async () => {
		records.change('WorkOrder', order().Id, { Number: 'DTC0090003' });
		const field = await n8n.run('workOrder:get', { id: byId('DTC90003') });
		expect(field.items[0].json.Id).toBe(order().Id);
		expect((await note({ fields: filledIn(aNote('dtc90003')) })).error).toBeUndefined();
		expect(requests.bodies().at(-1)?.Entity).toMatchObject({ WorkOrderId: order().Id });
	});

	it('is found by its external number, and rejected with its candidates where several have it', async () => {
		const [first, second] = records.rows('WorkOrder').slice(11, 13);
		const mark = ({ Id }: Row) => records.change('WoLastAction', Id, { XNumber: 'TICKET-4711' });
		mark(first);
		const get = async (number: string) =>
			await n8n.run('workOrder:get', { id: located('externalNumber', number) });
		const found = await get('ticket-4711');
		expect(found.items[0]?.json.Id).toBe(first.Id);
		mark(second);
		const { error } = await get('TICKET-4711');
		expect(error?.message).toContain(
			'more than one work order has the external number "TICKET-4711"',
		);
		expect(error?.message).toContain(`(ID ${second.Id})`);
		const none = await get('4711');
		expect(none.error?.message).toBe(`'Work Order': no work order has the external number "4711"`);
	});

	it.each<[string, (number: string) => Promise<Run>]>([
		['a field', async (number) => await n8n.run('workOrder:get', { id: byId(number) })],
		['a column', async (number) => await note({ fields: filledIn(aNote(number)) })],
		['JSON', async (number) => await note({ fieldsJson: aNote(number) })],
		[
			'a search of what belongs to an order',
			async (number) => await n8n.run('cost:getMany', { workOrder: byId(number) }),
		],
	])('is found in %s by an external number that is no order number', async (_, use) => {
		const [first, second] = records.rows('WorkOrder').slice(11, 13);
		const mark = ({ Id }: Row) => records.change('WoLastAction', Id, { XNumber: 'TICKET-12' });
		mark(first);
		expect((await use('ticket-12')).error).toBeUndefined();
		const last = JSON.stringify(requests.sent().at(-1));
		expect([last.includes(`${first.Id}`), last.includes(`${second.Id}`)]).toEqual([true, false]);
		mark(second);
		expect((await use('TICKET-12')).error?.message).toContain(
			`more than one work order has the number "TICKET-12": "${String(first.Number)}", "TICKET-12" (ID ${first.Id}); "${String(second.Number)}", "TICKET-12" (ID ${second.Id})`,
		);
	});

	it('is found by an exact number of either kind before a short one, and rejected where two exact ones differ', async () => {
		const [first, second, third] = records.rows('WorkOrder').slice(11, 14);
		const [{ WoNumberPrefix: prefix, WoNumberDigits: digits }] = records.rows('WorkZone');
		// The seeded orders have lower numbers.
		const given = `${String(prefix)}4711`;
		const full = `${String(prefix)}${'4711'.padStart(Number(digits), '0')}`;
		for (let bits = 0; bits < 16; bits++) {
			const [hasExternal, hasNumber, hasShort, isNumber] = [1, 2, 4, 8].map((bit) => bits & bit);
			records.change('WoLastAction', first.Id, { XNumber: hasExternal ? given : 'other' });
			records.change('WorkOrder', second.Id, { Number: hasNumber ? given : 'QQQ-2' });
			records.change('WorkOrder', third.Id, { Number: hasShort ? full : 'QQQ-3' });
			const id = located(isNumber ? 'number' : 'id', given);
			const { error, items } = await n8n.run('workOrder:get', { id });
			const several = hasExternal && hasNumber ? [first, second] : [];
			const expected = hasExternal ? first : hasNumber ? second : hasShort ? third : undefined;
			const found = several.length > 0 ? undefined : expected?.Id;
			expect([bits, items[0]?.json.Id]).toEqual([bits, found]);
			if (found === undefined) expect(error?.message).toContain(`has the number "${given}"`);
			for (const { Id } of several) expect(error?.message).toContain(`(ID ${Id})`);
		}
	});

	it.each([
		['workOrder:update', { fields: filledIn({ PoNumber: 'PO-1' }) }],
		['workOrder:setNte', { vendorNte: { money: { value: 5, currency: 'USD' } } }],
		['note:create', { body: 'x', type: 'Public' }],
	])(
		'chosen by its external number comes out of %s with its own number',
		async (operation, more) => {
			const [order] = records.rows('WorkOrder').slice(11);
			records.change('WoLastAction', order.Id, { XNumber: 'EXT-OWN' });
			const chosen = located('externalNumber', 'EXT-OWN');
			for (const options of [{}, { dryRun: 'always' }]) {
				const form = { id: chosen, workOrder: chosen, ...more, options };
				const { items } = await n8n.succeed(operation, form);
				const text = JSON.stringify(items[0].json);
				expect(text).not.toContain('EXT-OWN');
				if (!('dryRun' in options)) expect(text).toContain(`"${String(order.Number)}"`);
			}
		},
	);

	it('that nothing has is reported as such where the Company does not compare external numbers', async () => {
		const refusal = { ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'Not exposed' };
		requests.fault(rejection('/query/WorkOrder', refusal, { after: 1 }));
		const { error } = await n8n.run('workOrder:get', { id: byId('TICKET-12') });
		expect(error?.message).toBe(`'Work Order': no work order has the number "TICKET-12"`);
	});
});

describe('JSON', () => {
	it.each([12, '12', ' 12 '])('takes %j as the ID of a referenced record', async (WorkZone) => {
		await n8n.succeed('customer:update', { id: byId(101), fieldsJson: { WorkZone } });
		expect(requests.bodies().at(-1)?.Entity).toEqual({ Id: 101, WorkZone: { Id: 12 } });
	});
});
