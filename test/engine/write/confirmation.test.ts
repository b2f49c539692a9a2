/** The option Confirmation Key: what was approved is written, and nothing else. */
import fc from 'fast-check';
import { ExecuteContext } from 'n8n-core';
import type { INodeParameters, IPairedItemData } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { cases } from '../../cases';
import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	connectEngine,
	eachId,
	errorsOf,
	filledIn,
	hintsOf,
	itemsOf,
	jsonOf,
	mappedByName,
	rejection,
	shareCompany,
	some,
	PUMP,
} from '../../support/company';

const company = shareCompany({ workOrders: 10 });
const { n8n, records, requests } = company;

type More = Parameters<typeof n8n.run>[2];

/** The keys of a dry run, and a run with them. */
async function readKeys(operation: string, parameters: object, more: More = {}) {
	const run = await n8n.succeed(operation, { ...parameters, options: { dryRun: 'always' } }, more);
	return run.items.map(({ json }) => json.ConfirmationKey as string);
}

const confirmed = async (
	keys: unknown[],
	operation: string,
	parameters: object,
	more: More = {},
) => {
	company.sandbox.forgetRequests();
	const options = { confirmationKey: `={{ (${JSON.stringify(keys)})[$itemIndex] }}` };
	const settings = { onError: 'continueErrorOutput' as const, ...more };
	return await n8n.run(operation, { ...parameters, options }, settings);
};

/** Runs with the keys of a dry run; `happen` comes in between. */
async function approve(
	operation: string,
	parameters: object,
	more: More = {},
	happen = (): unknown => undefined,
) {
	const keys = await readKeys(operation, parameters, more);
	happen();
	return await confirmed(keys, operation, parameters, more);
}

const order = () => records.rows('WorkOrder')[0];
const update = (fields: unknown) => ({ id: eachId, fieldsJson: fields });
const note = (body: string) => ({ workOrder: byId(order().Id), body, type: 'Public' });

describe('a key writes', () => {
	it('what was approved, with the reads of a dry run and the write', async () => {
		const { Id } = order();
		const parameters = update({ PoNumber: 'P-1' });
		const { items: done } = await approve('workOrder:update', parameters, { items: itemsOf(Id) });
		expect(jsonOf(done)).toEqual([some({ Id })]);
		expect(requests.paths()).toEqual(['POST query/WorkOrder', 'PUT base/WorkOrder']);
		expect(records.rows('WorkOrder')[0]).toMatchObject({ PoNumber: 'P-1' });
	});

	it('with each expression evaluated once per item, in the check and in the write together', async () => {
		const items = itemsOf(...records.ids('WorkOrder').slice(0, 5));
		const keys = await readKeys('workOrder:update', update({ PoNumber: 'P-9' }), { items });
		const evaluated = jest.spyOn(ExecuteContext.prototype, 'evaluateExpression');
		const { items: done } = await confirmed(keys, 'workOrder:update', update({ PoNumber: 'P-9' }), {
			items,
		});
		const [ids, given] = [/json/, /itemIndex/].map((text) =>
			evaluated.mock.calls.filter(([expression]) => text.test(expression)),
		);
		evaluated.mockRestore();
		expect(done).toHaveLength(5);
		expect([ids.length, given.length]).toEqual([5, 5]);
	});

	it.each(['SendWorkOrderCommand', 'SendWorkOrder'] as const)(
		'a Send where the host knows only %s, though it knew the other name at the dry run',
		async (sendWorkOrderPath) => {
			const parameters = { id: byId(records.orderIn('Open').Id) };
			const run = await approve('workOrder:send', parameters, {}, () =>
				company.sandbox.set({ sendWorkOrderPath }),
			);
			expect(run.errorItems).toEqual([]);
			expect(run.items).toHaveLength(1);
		},
	);

	it('a deletion of a record that may not be read, whose changes nobody can see', async () => {
		const [{ Id }] = records.rows('Contact');
		const forbidden = rejection('/query/Contact', { ErrorCode: '', ErrorMessage: 'You may not' });
		requests.fault({ ...forbidden, times: 2 });
		const parameters = { id: byId(Id) };
		const options = { dryRun: 'always' };
		const dry = await n8n.succeed('contact:delete', { ...parameters, options });
		expect(hintsOf(dry)).toContain(
			'What contact records hold now is not known: they may not be read.',
		);
		const key = dry.items[0].json.ConfirmationKey;
		const run = await confirmed([key], 'contact:delete', parameters);
		expect(run.errorItems).toEqual([]);
		expect(requests.writes()).toHaveLength(1);
	});

	// Promise: *Confirmation Key* writes what was approved
	it('one record, however often it is approved', async () => {
		const keys = await readKeys('note:create', note('once'));
		const first = await confirmed(keys, 'note:create', note('once'));
		const second = await confirmed(keys, 'note:create', note('once'));
		expect(first.items).toHaveLength(1);
		expect(jsonOf(second.errorItems)).toEqual([
			some({ error: 'This key was already used. Nothing was written' }),
		]);
		expect(records.rows('WoNote').filter(({ Body }) => Body === 'once')).toHaveLength(1);
	});

	it('again after a failure that proves that nothing was written', async () => {
		const keys = await readKeys('note:create', note('later'));
		requests.fault(rejection('/base/WoNote', { ErrorCode: 'X', ErrorMessage: 'Not now' }));
		expect((await confirmed(keys, 'note:create', note('later'))).items).toEqual([]);
		expect((await confirmed(keys, 'note:create', note('later'))).items).toHaveLength(1);
	});

	it('a new record with its custom fields, which have records of their own', async () => {
		const field = `CustomFields.${records.addField('Asset')}`;
		const run = await approve('asset:create', { fields: filledIn({ ...PUMP, [field]: 'x' }) });
		expect(run.errorItems).toEqual([]);
		expect(requests.writes().map(({ path }) => path)).toEqual([
			'/api/v1/base/Location',
			'/api/v1/base/CustomField2',
		]);
	});
});

it('a dry run says that it ignores a key', async () => {
	const options = { dryRun: 'always', confirmationKey: 'used' };
	const { hints, items } = await n8n.succeed('note:create', { ...note('dry'), options });
	expect(items).toHaveLength(1);
	expect(hints[0].message).toBe("'Confirmation Key' was ignored: 'Dry Run' is 'Always'.");
});

describe('a key refuses', () => {
	const message = (changed: string) => `Changed since the dry run: ${changed}. Nothing was written`;

	it('a record that somebody has changed, by its name, and lets the other items go on', async () => {
		const [one, other] = records.rows('WorkOrder');
		const items = itemsOf(one.Id, other.Id);
		const run = await approve('workOrder:update', update({ PoNumber: 'P-2' }), { items }, () =>
			records.change('WorkOrder', one.Id, { Duration: 77 }),
		);
		expect(jsonOf(run.errorItems)).toEqual([
			some({
				error: message(`work order ${String(one.Number)}`),
				message: 'Repeat the dry run, and let its output be approved.',
			}),
		]);
		expect(jsonOf(run.items)).toEqual([some({ Id: other.Id })]);
		expect(requests.writes()).toHaveLength(1);
	});

	it('all items before the first write where a failure ends the run', async () => {
		const items = itemsOf(...records.ids('WorkOrder', 2));
		const parameters = update({ PoNumber: 'P-3' });
		const keys = await readKeys('workOrder:update', parameters, { items });
		records.change('WorkOrder', records.rows('WorkOrder')[1].Id, { Duration: 78 });
		const more = { items, onError: 'stopWorkflow' as const };
		const run = await confirmed(keys, 'workOrder:update', parameters, more);
		expect(run.error?.message).toMatch(/^Changed since the dry run: work order /);
		expect(requests.writes()).toEqual([]);
		// The key of the item that was not begun is still good.
		records.change('WorkOrder', records.rows('WorkOrder')[1].Id, { Duration: 79 });
		const rest = await confirmed(keys, 'workOrder:update', parameters, { items });
		expect(rest.items).toHaveLength(1);
	});

	it('only the item that ends the run, not those that wait for it', async () => {
		const [one, other] = records.rows('WorkOrder');
		const items = itemsOf(one.Id, one.Id, other.Id);
		const form = (fields: string) =>
			update(`={{ $itemIndex < 2 ? { PoNumber: "P-4" } : ${fields} }}`);
		const keys = await readKeys('workOrder:update', form('{ PoNumber: "P-4" }'), { items });
		const confirmationKey = `={{ (${JSON.stringify(keys)})[$itemIndex] }}`;
		const options = { confirmationKey, advanced: { parallelRequests: 3 } };
		const { error } = await n8n.run(
			'workOrder:update',
			{ ...form('"no JSON"'), options },
			{ items },
		);
		expect(error?.message).toMatch(/JSON.* \[item 2\]$/);
		expect(error?.description).not.toMatch(/other item/);
		expect(requests.writes()).toEqual([]);
		// Nothing has changed since the dry run, so all keys are still good.
		const rest = await confirmed(keys, 'workOrder:update', form('{ PoNumber: "P-4" }'), { items });
		expect(rest.items).toHaveLength(3);
	});

	const dependent = () => records.rows('WorkOrder').slice(-1)[0];
	const getStatus = (ApStateId: string) => records.find('ApInvoiceStatus', { ApStateId }).Id;
	const invoice = (Id: number) => {
		const [{ Id: status }] = records.rows('ApInvoiceStatus').slice(-1);
		records.change('WorkOrderCost', Id, {
			ApStatusId: getStatus('Received'),
			ApStateId: 'Received',
		});
		return { id: byId(Id), apStatus: byId(status) };
	};

	it.each<[string, (order: Row) => [string, object], (order: Row) => unknown, RegExp]>([
		[
			'an invoice that somebody has disputed',
			({ Id }) => ['invoice:changeApStatus', invoice(Id)],
			({ Id }) =>
				records.change('WorkOrderCost', Id, {
					ApStatusId: getStatus('Disputed'),
					ApStateId: 'Disputed',
				}),
			/^Changed since the dry run: .*'AP State' is now "Disputed"/,
		],
		[
			'an order, whose version the write names',
			({ Id, PoNumber }) => [
				'record:restoreValues',
				{
					entity: byName('WorkOrder'),
					before: { ...{ EntityType: 'WorkOrder', Id, PoNumber: 'P-9' }, Written: { PoNumber } },
				},
			],
			({ Id }) => records.change('WorkOrder', Id, { Duration: 80 }),
			/^Changed since the dry run: work order \w+\. Nothing/,
		],
		[
			'the other order of a dependency',
			({ Id }) => [
				'command:execute',
				{
					commandName: byName('SetWorkOrderDependencyCommand'),
					commandBody: { MainWorkOrderId: Id, DependentWorkOrderId: dependent().Id },
				},
			],
			() => records.change('WorkOrder', dependent().Id, { StatusId: 'OnHold' }),
			/^Changed since the dry run: work order \w+ \('Status' is now "OnHold"\)\. Nothing/,
		],
		[
			'a record without a version to delete',
			() => ['asset:delete', { id: byId(records.rows('Location')[9].Id) }],
			() => records.change('Location', records.rows('Location')[9].Id, { Name: 'Pump' }),
			/^Changed since the dry run: asset Pump \('Name' is now "Pump"\)\. Nothing/,
		],
		[
			'a custom field that an UpdateCommand would set',
			() => {
				const Id = records.rows('Contact')[0].Id;
				const field = records.addField('LeaseUser');
				const stored = { ObjectTypeId: 'LeaseUser', ObjectId: Id, Descriptor: { Id: field } };
				records.insert('CustomField2', { ...stored, Value: 'before' });
				const Entity = { EntityType: 'Contact', Id, CustomFields: { [field]: 'n' } };
				const commandBody = { Entity, PropertySet: { Properties: ['CustomFields'] } };
				return ['command:execute', { commandName: byName('UpdateCommand'), commandBody }];
			},
			() => {
				const { Id } = records.find('CustomField2', { Value: 'before' });
				records.change('CustomField2', Id, { Value: 'colleague' });
			},
			/^Changed since the dry run: contact .* \('Custom Fields' is now /,
		],
	])('%s', async (_, plan, change, expected) => {
		const target = records.orderIn('Open');
		const [operation, parameters] = plan(target);
		const run = await approve(operation, parameters, {}, () => change(target));
		expect(errorsOf(run)).toEqual([expect.stringMatching(expected)]);
		expect(requests.writes()).toEqual([]);
	});

	const eur = (Value: number) => ({ Value, CurrencyTypeId: 'EUR' });
	const decided = {
		estimate: () => {
			const { Id, WorkOrderId } = records.rows('WoEstimate')[0];
			records.change('WoEstimate', Id, { Amount: eur(143), StatusId: 'WaitingForApproval' });
			return { Id, order: byId(WorkOrderId) };
		},
		quote: () => {
			const { Id, WoId } = records.rows('WoQuote')[0];
			records.change('WoQuote', Id, { Amount: eur(143), StatusId: 'WaitingForApproval' });
			return { Id, order: byId(WoId) };
		},
		week: () => {
			const [item] = records.rows('TimeCardItem');
			const { WeekStartDate, Employee } = item;
			const commandBody = {
				...{ employeeid: (Employee as Row).Id, weekstartdate: WeekStartDate, actionid: 'Approve' },
			};
			return { Id: item.Id, form: { commandName: byName('TimeCardActionCommand'), commandBody } };
		},
	};

	const customerInvoice = {
		commandName: byName('UpdateInvoiceStateCommand'),
		commandBody: { InvoiceId: 1, State: 'Posted' },
	};

	// Promise: *Confirmation Key* writes what was approved
	it.each<[string, () => [string, object], () => unknown, RegExp, RegExp]>([
		[
			'an estimate of another amount',
			() => ['workOrder:decideEstimate', { id: decided.estimate().order, decision: 'approve' }],
			() => records.change('WoEstimate', records.rows('WoEstimate')[0].Id, { Amount: eur(9000) }),
			/^Would .*Approved.* \(Amount 143 EUR\)$/,
			/^Changed since the dry run: estimate of work order \w+ \('Amount' is now .*9000/,
		],
		[
			'a quote of another amount',
			() => ['workOrder:decideQuote', { id: decided.quote().order, decision: 'reject' }],
			() => records.change('WoQuote', records.rows('WoQuote')[0].Id, { Amount: eur(9000) }),
			/^Would .*Rejected.* \(Amount 143 EUR\)$/,
			/^Changed since the dry run: quote of work order \w+ \('Amount' is now .*9000/,
		],
		[
			'a quote with another line',
			() => ['workOrder:decideQuote', { id: decided.quote().order, decision: 'approve' }],
			() =>
				records.insert('QuoteOrEstimateItem', {
					...{
						ParentId: records.rows('WoQuote')[0].Id,
						ParentTypeId: 'Quote',
						Description: 'Yacht',
					},
					...{ Quantity: 1, Amount: eur(1), Rate: eur(1) },
				}),
			/Amount 143 EUR/,
			/^Changed since the dry run: quote of work order \w+\. Nothing/,
		],
		[
			'an invoice with another line',
			() => ['invoice:changeApStatus', invoice(records.rows('FinancialItem')[0].WoId as number)],
			() =>
				records.change('FinancialItem', records.rows('FinancialItem')[0].Id, { Comment: 'Yacht' }),
			/^Would change AP status of .* \(Vendor Invoice Total \S+ \w+\)$/,
			/^Changed since the dry run: vendor invoice and costs .*\. Nothing/,
		],
		[
			'a customer invoice of another amount',
			() => ['command:execute', customerInvoice],
			() => records.change('Invoice', 1, { AmtTotal: eur(9000) }),
			/^Would .*\(Amount Total 143 EUR\)$/,
			/^Changed since the dry run: .*'Amount Total' is now .*9000/,
		],
		[
			'the time card of a week with other hours',
			() => ['command:execute', decided.week().form],
			() => records.change('TimeCardItem', records.rows('TimeCardItem')[0].Id, { Duration: 6000 }),
			/^Would .*\(Duration \d+\)$/,
			/^Changed since the dry run: time card entry of .*'Duration' is now/,
		],
	])('%s, and its Summary names the amount', async (_, plan, change, summary, expected) => {
		records.change('Invoice', 1, { AmtTotal: eur(143) });
		const [operation, parameters] = plan();
		const options = { dryRun: 'always' };
		const { items } = await n8n.succeed(operation, { ...parameters, options });
		expect(items[0].json.Summary).toMatch(summary);
		const key = items[0].json.ConfirmationKey;
		const good = await n8n.succeed(operation, { ...parameters, options });
		expect(good.items[0].json.Summary).toBe(items[0].json.Summary);
		change();
		const run = await confirmed([key], operation, parameters);
		expect(errorsOf(run)).toEqual([expect.stringMatching(expected)]);
		expect(requests.writes()).toEqual([]);
	});

	it.each(['workorderid', 'WORKORDERID'])(
		'a command in JSON about the record in %s',
		async (name) => {
			const { Id } = records.orderIn('Open');
			const command = { commandName: byName('WoCompleteCommand'), commandBody: { [name]: Id } };
			const run = await approve('command:execute', command, {}, () =>
				records.change('WorkOrder', Id, { StatusId: 'OnHold' }),
			);
			expect(errorsOf(run)).toEqual([expect.stringMatching(/'Status' is now "OnHold"/)]);
			expect(requests.writes()).toEqual([]);
		},
	);

	it('a record that is created by somebody else in the meantime', async () => {
		const given = records.newCustomer('Nine');
		const parameters = { fieldsJson: given, matchOn: 'TenantCode' };
		const run = await approve('customer:upsert', parameters, {}, () =>
			records.insert('Customer', { ...given, Dba: 'Theirs' }),
		);
		expect(run.errorItems[0].json.error).toMatch(/^Changed since the dry run: what would be sent/);
		expect(requests.writes()).toEqual([]);
	});

	it('a record that is changed between the check and the write, where the operation reads it again', async () => {
		const [{ Id, TenantCode }] = records.rows('Customer');
		const parameters = { fieldsJson: { TenantCode, Dba: 'mine' }, matchOn: 'TenantCode' };
		const keys = await readKeys('customer:upsert', parameters);
		const { journal } = company.sandbox.world;
		const record = journal.record.bind(journal);
		let lookUps = 0;
		const spy = jest.spyOn(journal, 'record').mockImplementation((request) => {
			record(request);
			const isLookUp = request.rawBody.includes(`"${TenantCode as string}"`);
			if (!isLookUp || ++lookUps !== 2) return;
			records.change('Customer', Id, { Dba: 'theirs' });
		});
		const run = await confirmed(keys, 'customer:upsert', parameters);
		spy.mockRestore();
		expect(lookUps).toBe(2);
		expect(run.errorItems[0]?.json.error).toBe(message('what would be sent'));
		expect(requests.writes()).toEqual([]);
	});
});

it.each([
	[
		'it',
		'{ WorkZoneId: 11, toJSON: () => ({ WorkZoneId: 11, ...(isOther() && { UpdateRoundRobin: true }) }) }',
	],
	['a member', '{ WorkZoneId: 11, UpdateRoundRobin: { toJSON: () => isOther() || undefined } }'],
])(
	'an object of an expression is read once, though %s gives other JSON each time',
	async (_, body) => {
		for (let honest = 1; honest < 6; honest++) {
			company.sandbox.forgetRequests();
			await n8n.succeed('command:execute', {
				commandName: byName('GetPreferredAssigneesRoutine'),
				commandBody: `={{ ((s, isOther = () => ++s.count > ${honest}) => (${body}))({ count: 0 }) }}`,
				options: { dryRun: 'always' },
			});
			const sent = requests.bodies().map(({ Command }) => Command);
			expect([honest, sent]).toEqual([honest, [{ WorkZoneId: 11 }]]);
		}
	},
);

it('a field that is mapped by name is read once, as JSON', async () => {
	let count = 0;
	const text = { toJSON: () => `P-${++count}` };
	const item = { PoNumber: text };
	const parameters = { id: byId(order().Id), ...mappedByName([]) };
	await n8n.succeed('workOrder:update', parameters, { items: [{ json: item as never }] });
	expect([count, order().PoNumber]).toEqual([1, 'P-1']);
});

describe('a command gets no key, and says so, where nobody knows which record it changes:', () => {
	it.each<[string, object]>([
		['a command that the package does not know', { commandName: byName('FrobnicateCommand') }],
		['several commands in one', { commandName: byName('CompositeCommand') }],
		['no record', { commandName: byName('WoCompleteCommand'), commandBody: { Comment: 'x' } }],
	])('%s', async (_, command) => {
		const parameters = { commandBody: { X: 1 }, ...command };
		const options = { dryRun: 'always' };
		const { items } = await n8n.succeed('command:execute', { ...parameters, options });
		expect(items[0].json).not.toHaveProperty('ConfirmationKey');
		expect(items[0].json.Summary).toMatch(/It gets no ConfirmationKey: which record it changes/);
		const [key] = await readKeys('note:create', note('x'));
		const run = await confirmed([key], 'command:execute', parameters);
		expect(errorsOf(run)).toEqual([expect.stringMatching(/^No key can confirm this command/)]);
		expect(requests.writes()).toEqual([]);
	});

	it('not even a dry run of one that names its record twice', async () => {
		const commandBody = { WorkOrderId: 1, workorderid: 2 };
		const parameters = { commandName: byName('WoCompleteCommand'), commandBody };
		const options = { dryRun: 'always' };
		const { error } = await n8n.run('command:execute', { ...parameters, options });
		expect(error?.message).toBe('\'Body (JSON)\' has "WorkOrderId" more than once');
	});
});

it.each<[string, object, RegExp | undefined]>([
	[
		'UpdateCommand',
		{ Entity: { EntityType: 'Employee', $type: 'Customer', Id: 301 } },
		/must be Employee, but it is "Customer"/,
	],
	[
		'DeleteCommand',
		{ EntitySpecifier: { $type: 'Customer', entityType: 'Employee', Id: 301 } },
		/must be EntitySpecifier, but it is "Customer"/,
	],
	['WoPickUpCommand', { __type: 'WoCancelCommand', WorkOrderId: 1 }, /could name another command/],
	['DeleteCommand', { EntitySpecifier: { Id: 301 } }, undefined],
])('no key confirms %s with %j, which may mean something else', async (command, body, message) => {
	const parameters = { commandName: byName(command), commandBody: body };
	const run = await n8n.run('command:execute', { ...parameters, options: { dryRun: 'always' } });
	if (message === undefined) {
		expect(run.items[0].json.ConfirmationKey).toBeUndefined();
		expect(run.items[0].json.Summary).not.toContain('undefined');
	} else expect(run.error?.message).toMatch(message);
	expect(requests.writes()).toEqual([]);
});

it('a key is good in another process with the same credential', async () => {
	const [key] = await readKeys('note:create', note('elsewhere'));
	const otherWorker = connectEngine(company.sandbox, { corrigo: Corrigo }, n8n.engine.store);
	const options = { confirmationKey: key };
	const { error, items } = await otherWorker.run({
		parameters: { resource: 'note', operation: 'create', ...note('elsewhere'), options },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});

describe('a used key in another process, which does not know it,', () => {
	/** Runs with the key in a node whose modules remember nothing. */
	async function runElsewhere(key: unknown, operation: string, parameters: object) {
		let Other = Corrigo;
		await jest.isolateModulesAsync(async () => {
			({ Corrigo: Other } = await import('../../../nodes/Corrigo/Corrigo.node'));
		});
		const [resource, name] = operation.split(':');
		const options = { confirmationKey: key };
		const elsewhere = connectEngine(company.sandbox, { corrigo: Other }, n8n.engine.store);
		company.sandbox.forgetRequests();
		return await elsewhere.run({
			parameters: { resource, operation: name, ...parameters, options } as INodeParameters,
		});
	}

	it('writes no change again, because its record is another now', async () => {
		const form = { id: byId(order().Id), fieldsMode: 'json', fieldsJson: { PoNumber: 'P-3' } };
		const [key] = await readKeys('workOrder:update', form);
		expect((await confirmed([key], 'workOrder:update', form)).items).toHaveLength(1);
		const { error } = await runElsewhere(key, 'workOrder:update', form);
		expect(error?.message).toMatch(/^Changed since the dry run/);
		expect(requests.writes()).toEqual([]);
	});

	it('creates another record, which only this process prevents', async () => {
		const [key] = await readKeys('note:create', note('two processes'));
		await confirmed([key], 'note:create', note('two processes'));
		expect((await runElsewhere(key, 'note:create', note('two processes'))).items).toHaveLength(1);
	});
});

// Promise: *Confirmation Key* writes what was approved
it('of many items, exactly those are written that are as they were', async () => {
	const change = fc.constantFrom('none', 'value', 'record');
	type Way = [operation: string, entity: string, form: object];
	const ways = fc.constantFrom<Way[]>(
		['workOrder:update', 'WorkOrder', { fieldsJson: '={{ ({ PoNumber: $json.x.text }) }}' }],
		['workOrder:complete', 'WorkOrder', { additionalFields: { comment: '={{ $json.x.text }}' } }],
		['contact:update', 'Contact', { fieldsJson: '={{ ({ FirstName: $json.x.text }) }}' }],
		['contact:delete', 'Contact', { id: byId('={{ $json.x.text === "A" ? $json.x.id : 1 }}') }],
	);
	const changes = fc.array(change, { minLength: 1, maxLength: 10 });
	await fc.assert(
		fc.asyncProperty(changes, ways, fc.boolean(), async (changed, way, isElsewhere) => {
			company.fresh();
			const [operation, entity, form] = way;
			const isOpen = ({ StatusId = 'Open' }: Row) => StatusId === 'Open';
			const ids = records.idsWhere(entity, isOpen).slice(0, changed.length);
			const parameters = { id: byId('={{ $json.x.id }}'), ...form };
			const items = (text: (index: number) => string) =>
				itemsOf(...ids.map((id, index) => ({ id, text: text(index) })));
			const before = { items: items(() => 'A') };
			const keys = await readKeys(operation, parameters, before);
			changed.slice(0, ids.length).forEach((one, index) => {
				if (one === 'record') records.change(entity, ids[index], { Number: `N-${index}` });
			});
			const now = { items: items((index) => (changed[index] === 'value' ? 'B' : 'A')) };
			const { companyName } = n8n.stored();
			const name = `${String(companyName)}${isElsewhere ? ' Copy' : ''}`;
			company.sandbox.set({ company: name });
			n8n.store({ companyName: name });
			const run = await confirmed(keys, operation, parameters, now);
			company.sandbox.set({ company: String(companyName) });
			n8n.store({ companyName });
			const good = ids.filter((_, index) => changed[index] === 'none' && !isElsewhere);
			expect(run.items.map(({ pairedItem }) => ids[(pairedItem as IPairedItemData).item])).toEqual(
				good,
			);
			expect(requests.writes()).toHaveLength(good.length);
		}),
		{ numRuns: cases(10, 100) },
	);
});
