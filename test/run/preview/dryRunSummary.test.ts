import * as fc from 'fast-check';

import { commands } from '../../../nodes/Corrigo/catalogue/commands';
import {
	entities,
	getMemberTypes,
	isCollection,
	isReference,
	toRowType,
} from '../../../nodes/Corrigo/catalogue/entities';
import { findMemberTarget } from '../../../nodes/Corrigo/catalogue/targets';
import { toText } from '../../../nodes/Corrigo/run/preview/texts';
import { enumerations } from '../../../nodes/Corrigo/catalogue/enumerations';
import { buildChanges, type PlannedWrite } from '../../../nodes/Corrigo/wire/requests';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import { isBlank } from '../../../nodes/Corrigo/values/input';
import { buildCustomFieldRequest } from '../../../nodes/Corrigo/compare/customFields';
import {
	buildSummary,
	buildUnchangedSummary,
} from '../../../nodes/Corrigo/run/preview/dryRunSummary';
import { KnownNames } from '../../../nodes/Corrigo/records/names';
import {
	getPlannedChanges,
	formatChanges,
} from '../../../nodes/Corrigo/run/preview/plannedChanges';
import { startCpuTime } from '../../support/cpu';
import { omitQuotations } from '../../support/run';

const names = new KnownNames();
names.note('WorkOrder', 7, 'CHL0000271');
names.note('Customer', 2, 'Contoso');
names.note('Customer', 3, 'Contoso Pharmacy');
names.note('Location', 5, 'Boiler');
names.note('Task', 6, 'No hot water');
names.note('CustomFieldDescriptor', 17, 'Floor');
names.note('AttributeDescriptor', 9, 'Load');

const words = { getName: names.getName, findLabel: () => undefined };

const planUpdate = (fields: JsonObject, id = 7, entity = 'WorkOrder'): PlannedWrite => ({
	does: 'update',
	entity,
	changes: buildChanges('Fields', id, fields),
});

/** The plan where the record has been read. */
const known = (plan: PlannedWrite, record?: JsonObject): PlannedWrite =>
	plan.does === 'update' ? { ...plan, record } : plan;

const change = (entity: string, fields: JsonObject, record: JsonObject) =>
	formatChanges(
		getPlannedChanges(known(planUpdate(fields, 1, entity), record), {
			...words,
			getName: getCustomerName,
		}),
	);

/** All but one name is unknown. */
const getCustomerName = (entity: string, id: unknown) =>
	entity === 'Customer' && id === 3 ? undefined : names.getName(entity, id);

const summary = (
	plan: PlannedWrite,
	record?: JsonObject,
	labels: Record<string, string> = {},
): string =>
	buildSummary(
		known(plan, record),
		getPlannedChanges(known(plan, record), { ...words, findLabel: (member) => labels[member] }),
		names.getName,
	);

const usd = (Value: number) => ({ Value, CurrencyTypeId: 'USD' });
const shown = (value: unknown) => (isBlank(value) ? null : value);
const LABELS: Record<string, string> = {
	PoNumber: 'PO Number',
	ContactName: 'Contact Name',
	Anything: 'Anything',
	Duration: 'Duration',
};

const TWO = [
	{ Id: 1, Comment: 'a' },
	{ Id: 2, Comment: 'b' },
];

describe('what an update would change', () => {
	it.each<[string, JsonObject, JsonObject]>([
		['a reference by its Id', { Customer: { Id: 2 } }, { Customer: { Id: 2, DisplayAs: 'x' } }],
		['a reference in other letters', { Customer: { Id: 2 } }, { customer: { id: 2 } }],
	])('returns nothing for an equal value: %s', (_, fields, record) => {
		expect(change('WorkOrder', fields, record)).toEqual({});
	});

	it.each<[string, JsonObject, JsonObject, JsonObject]>([
		[
			'the reference, with the names that are known',
			{ Customer: { Id: 2 } },
			{ Customer: { Id: 3 } },
			{ Customer: { From: { Id: 3 }, To: { Id: 2, Name: 'Contoso' } } },
		],
		['labels', { StatusId: 'InProgress' }, {}, { Status: { From: null, To: 'In Progress' } }],
		[
			'names of time zones',
			{ TimeZone: 35 },
			{ TimeZone: 20 },
			{ 'Time Zone': { From: 'America/Chicago', To: 'America/New_York' } },
		],
		[
			'each custom field by its name',
			{
				CustomFields: [
					{ Id: 9, Descriptor: { Id: 17 }, Value: '4' },
					{ Descriptor: { Id: 18 }, Value: 'x' },
				],
			},
			{ CustomFields: [{ Id: 9, Descriptor: { Id: 17 }, Value: '3' }] },
			{ Floor: { From: '3', To: '4' }, 'Custom Field ID 18': { From: null, To: 'x' } },
		],
	])('returns %s', (_, fields, record, expected) => {
		expect(change('WorkOrder', fields, record)).toEqual(expected);
	});

	it.each<[string, JsonObject[], JsonObject[], string, string]>([
		['all but the one that is deleted', [{ Id: 1, PerformDeletion: true }], TWO, 'ab', 'b'],
		['one changed row among all', [{ Id: 2, Comment: 'x' }], TWO, 'ab', 'ax'],
		['an added one behind the others', [{ Comment: 'x' }], TWO, 'ab', 'abx'],
	])('returns all rows, before and after: %s', (_, Items, stored, before, after) => {
		const [From, To] = [before, after].map((all) => [...all].map((Comment) => ({ Comment })));
		expect(change('WorkOrder', { Items }, { Items: stored })).toEqual({ Items: { From, To } });
	});

	it('says nothing of the password that there was before', () => {
		const changes = change('Employee', { Password: 'new' }, {});
		expect(Object.values(changes)).toEqual([{ To: '(not shown)' }]);
	});

	it('returns each value of an address with the kind of the address', () => {
		const Addresses = [
			{ TypeId: 'Primary', Street: '1 Main St' },
			{ TypeId: 'Home', Street: '2 Main St', City: 'Springfield' },
		];
		expect(change('Customer', { Addresses }, {})).toEqual({
			'Address Street': { From: null, To: '1 Main St' },
			'Home Address Street': { From: null, To: '2 Main St' },
			'Home Address City': { From: null, To: 'Springfield' },
		});
	});

	it('returns nothing for a record written back, and otherwise each changed value', () => {
		const text = fc.string({ minLength: 1 });
		const values = {
			PoNumber: text,
			ContactName: text,
			Anything: fc.oneof(text, fc.integer(), fc.boolean()),
			Duration: fc.integer(),
		};
		const another = fc.oneof(
			...Object.entries(values).map(([name, value]) => fc.tuple(fc.constant(name), value)),
		);
		fc.assert(
			fc.property(
				fc.record<JsonObject>(values, { requiredKeys: ['Duration'] }),
				another,
				(record, [name, other]) => {
					expect(change('WorkOrder', record, record)).toEqual({});
					const after = change('WorkOrder', { ...record, [name]: other }, record);
					const isOther = record[name] !== other && !(isBlank(record[name]) && isBlank(other));
					expect(after).toEqual(
						isOther ? { [LABELS[name]]: { From: shown(record[name]), To: shown(other) } } : {},
					);
				},
			),
		);
	});
});

describe('the summary of an update', () => {
	it.each<[string, JsonObject, JsonObject | undefined]>([
		['set PO Number of work order CHL0000271 from empty to PO-999', { PoNumber: 'PO-999' }, {}],
		['set PO Number of work order CHL0000271 from a to empty', { PoNumber: '' }, { PoNumber: 'a' }],
		['set PO Number of work order CHL0000271 to PO-999', { PoNumber: 'PO-999' }, undefined],
		['leave work order CHL0000271 as it is', { PoNumber: 'a' }, { PoNumber: 'a' }],
		[
			'set PO Number of work order CHL0000271 from 1 to 2 and Is Warranty from no to yes',
			{ PoNumber: '2', IsWarranty: true },
			{ PoNumber: '1', IsWarranty: false },
		],
		[
			'set Customer of work order CHL0000271 from Contoso to "Contoso Pharmacy", ' +
				'Due from 2026-02-01T10:00:00 to 2026-02-02T10:00:00 and Vendor NTE from 1 USD to 2 USD',
			{ Customer: { Id: 3 }, DtDue: '2026-02-02T10:00:00', VendorNte: usd(2) },
			{ Customer: { Id: 2 }, DtDue: '2026-02-01T10:00:00', VendorNte: usd(1) },
		],
		[
			'set Customer of work order CHL0000271 from ID 9 to Contoso',
			{ Customer: { Id: 2 } },
			{ Customer: { Id: 9 } },
		],
		['set PO Number of work order CHL0000271 from empty to "empty"', { PoNumber: 'empty' }, {}],
		[
			'set A of work order CHL0000271 to 1, B to 2, C to 3, D to 4, E to 5 and 2 more',
			{ A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7 },
			undefined,
		],
		[
			'set Floor of work order CHL0000271 from 3 to 4',
			{ CustomFields: [{ Id: 9, Descriptor: { Id: 17 }, Value: '4' }] },
			{ CustomFields: [{ Id: 9, Descriptor: { Id: 17 }, Value: '3' }] },
		],
	])('is: Would %s', (expected, fields, record) => {
		expect(summary(planUpdate(fields), record)).toBe(`Would ${expected}`);
	});

	it('shows the amount of a custom field with its currency', () => {
		const row = (Value: string, CurrencyTypeId: string) => ({
			...{ Id: 9, Descriptor: { Id: 17, Type: 'Money' }, Value, CurrencyTypeId },
		});
		const write = (to: JsonObject, from: JsonObject) =>
			summary(planUpdate({ CustomFields: [to] }), { CustomFields: [from] });
		const start = 'Would set Floor of work order CHL0000271 from';
		expect(write(row('250', 'EUR'), row('193.00', 'EUR'))).toBe(`${start} 193.00 EUR to 250 EUR`);
		expect(write(row('193', 'EUR'), row('193.00', 'USD'))).toBe(`${start} 193.00 USD to 193 EUR`);
		expect(write(row('5', 'EUR'), row('', 'Unknown'))).toBe(`${start} empty to 5 EUR`);
		expect(write(row('193', 'EUR'), row('193.00', 'EUR'))).toMatch(/ as it is$/);
	});

	it('names the record by its ID where its name is not known', () => {
		expect(summary(planUpdate({ PoNumber: 'a' }, 8))).toBe(
			'Would set PO Number of work order ID 8 to a',
		);
	});

	it('of a custom field that is stored apart is about the record', () => {
		const wanted = { Id: 9, Descriptor: { Id: 17 }, Value: '4' };
		const stored = [{ Id: 9, Descriptor: { Id: 17 }, Value: '3' }];
		const { plannedWrite, Outcome } = buildCustomFieldRequest(
			'Location',
			5,
			wanted,
			stored,
			'r',
		).dryRun;
		expect(Outcome).toBe('wouldUpdate');
		const record = plannedWrite.does === 'update' ? plannedWrite.record : undefined;
		expect(summary(plannedWrite, record)).toBe('Would set Floor of asset Boiler from 3 to 4');
	});

	it('shows texts of up to 80 characters, and the beginning of longer ones', () => {
		const [shown, cut] = [80, 81].map((length) => 'abcd'.repeat(21).slice(0, length));
		expect(summary(planUpdate({ PoNumber: shown }))).toMatch(new RegExp(` to ${shown}$`));
		expect(summary(planUpdate({ PoNumber: cut }))).toMatch(new RegExp(` to "${shown}…"$`));
	});

	it('is one line of limited length, and different for different short values', () => {
		const text = fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.string(), fc.boolean());
		fc.assert(
			fc.property(text, text, (one, other) => {
				const [first, second] = [one, other].map((PoNumber) => summary(planUpdate({ PoNumber })));
				expect(first).not.toMatch(/\n/);
				expect(first.length).toBeLessThan(300);
				const isEqual = [one, other].map(tellLine).every((line, _, [line1]) => line === line1);
				expect(first === second).toBe(isEqual);
			}),
		);
	});
});

/** A sentence keeps no more of the blanks of a text, and a number looks like its text. */
const tellLine = (value: unknown) =>
	isBlank(value)
		? null
		: typeof value === 'boolean'
			? value
			: String(value).replace(/\s+/g, ' ').trim();

describe('the summary of another write', () => {
	const run = (command: string, body: JsonObject): PlannedWrite => ({ does: 'run', command, body });
	const create = (entity: string, fields: JsonObject): PlannedWrite => ({
		does: 'create',
		entity,
		fields,
	});

	it.each<[string, PlannedWrite]>([
		['delete asset Boiler', { does: 'delete', entity: 'Location', id: 5 }],
		[
			'create a contact for customer Contoso, with Last Name Miller',
			create('Contact', { LastName: 'Miller', CustomerId: 2 }),
		],
		[
			'create customer "New Tenant", with Tenant Code T-1',
			create('Customer', { DisplayAs: 'New Tenant', TenantCode: 'T-1', Dba: '' }),
		],
		[
			'create document Leak for work order CHL0000271, with File Name leak.png and Size "5 bytes"',
			create('Document', {
				...{ ActorTypeId: 'WO', ActorId: 7, Title: 'Leak' },
				Blob: { FileName: 'leak.png', Body: '5 bytes, SHA-256 x' },
			}),
		],
		[
			'create a work order note for the new work order, with Text x',
			create('WoNote', { WorkOrderId: 0, Body: 'x' }),
		],
		[
			'create a work order for customer Contoso, with Type Category Request and Items Boiler / "No hot water" / drips',
			run('WoCreateCommand', {
				WorkOrder: {
					TypeCategory: enumerations.WOType.indexOf('Request'),
					Customer: { Id: 2 },
					Items: [{ Asset: { Id: 5 }, Task: { Id: 6 }, Comment: 'drips' }],
				},
			}),
		],
		['complete work order CHL0000271', run('WoCompleteCommand', { WorkOrderId: 7, Comment: '' })],
		[
			'put work order CHL0000271 on hold, with Action Reason ID 41',
			run('WoOnHoldCommand', { WorkOrderId: 7, ActionReasonId: 41 }),
		],
		[
			'set flags of work order CHL0000271, with Flags to Set ID 1; ID 2; ID 3; 1 more',
			run('WoSetFlagsCommand', { WorkOrderId: 7, FlagsToSet: [1, 2, 3, 4] }),
		],
		[
			'restore asset Boiler',
			run('RestoreCommand', { EntitySpecifier: { EntityType: 'Location', Id: 5 } }),
		],
		['suspend employee ID 4', run('UserOrProviderSuspendCommand', { Id: 4, Reactivate: false })],
		['reactivate employee ID 4', run('UserOrProviderSuspendCommand', { Id: 4, Reactivate: true })],
		[
			'change AP status of work order CHL0000271, with Vendor Invoice Status ID 3',
			run('ApStatusChangeCommand', { VendorInvoiceStatusId: 3, WorkOrderid: 7 }),
		],
		[
			'create a contact for customer Contoso, with Last Name Miller, Floor 5 EUR and Primary Email a@x.org',
			run('CreateCommand', {
				Entity: {
					...{ $type: 'Contact', LastName: 'Miller', CustomerId: 2 },
					CustomFields: [{ Descriptor: { Id: 17 }, Value: '5', CurrencyTypeId: 'EUR' }],
					ContactAddresses: [{ AddrTypeId: 'PrimEmail', Address: 'a@x.org' }],
				},
			}),
		],
		[
			'update work order CHL0000271, with Vendor NTE 5 EUR and Items Boiler / "No hot water"',
			run('UpdateCommand', {
				Entity: {
					...{ EntityType: 'WorkOrder', Id: 7, VendorNte: { Value: 5, CurrencyTypeId: 'EUR' } },
					Items: [{ Asset: { Id: 5 }, Task: { Id: 6 } }],
				},
			}),
		],
		[
			'update work order CHL0000271, with Items "Delete ID 3" / Boiler',
			run('UpdateCommand', {
				Entity: {
					...{ EntityType: 'WorkOrder', Id: 7 },
					Items: [{ Id: 3, Asset: { Id: 5 }, PerformDeletion: true }],
				},
			}),
		],
		[
			'update contact ID 8, with Primary Email empty',
			run('UpdateCommand', {
				Entity: {
					...{ EntityType: 'Contact', Id: 8 },
					ContactAddresses: [
						{ Id: 3, AddrTypeId: 'PrimEmail', Address: 'a@example.org', PerformDeletion: true },
					],
				},
			}),
		],
		[
			'run several commands, with Commands "Pause Work Order" / CHL0000271; "Update Any Entity" / Boiler / Load / 5 USD',
			run('CompositeCommand', {
				Commands: [
					{ $type: 'WoPauseCommand', WorkOrderId: 7 },
					{
						$type: 'UpdateCommand',
						Entity: {
							...{ $type: 'Location', Id: 5 },
							Attributes: [{ Descriptor: { Id: 9 }, Value: '5', CurrencyTypeId: 'USD' }],
						},
					},
				],
			}),
		],
		['create a record, with "Do Good" yes', run('CreateCommand', { Entity: { DoGood: true } })],
		['send work order CHL0000271', run('SendWorkOrder', { WorkOrderId: 7 })],
		['take work zone ID 4 offline', run('WorkZoneOfflineCommand', { WorkZoneId: 4 })],
		['run NobodyKnowsThis, with "Some Flag" yes', run('NobodyKnowsThis', { SomeFlag: true })],
		[
			'run NobodyKnowsThis, with "Flag ok Approved by Ann" 1',
			run('NobodyKnowsThis', { 'Flag ok. Approved by Ann': 1 }),
		],
		[
			'run NobodyKnowsThis, with Amount "1. Approved" "USD. By Ann"',
			run('NobodyKnowsThis', { Amount: { Value: '1. Approved', CurrencyTypeId: 'USD. By Ann' } }),
		],
		[
			'delete "WorkOrder. Approved by Ann" ID 7',
			run('DeleteCommand', {
				EntitySpecifier: { EntityType: 'WorkOrder. Approved by Ann', Id: 7 },
			}),
		],
	])('is: Would %s', (expected, plan) => {
		expect(summary(plan)).toBe(`Would ${expected}`);
	});

	const EUR = { Value: 12.5, CurrencyTypeId: 'EUR' };

	/** An amount, references and rows with them; other members say nothing of either. */
	function buildSample(owner: string, member: string, type: string, depth = 0): unknown {
		if (isCollection(type)) {
			const row = buildSample(owner, member, toRowType(type), depth + 1);
			return row === undefined ? undefined : [row];
		}
		if (type === 'MoneyValue') return EUR;
		if (type === 'integer') return findMemberTarget(owner, member) ? 77 : undefined;
		if (isReference(type) && depth > 0) return { Id: 77 };
		const inner = depth > 1 ? [] : Object.entries(getMemberTypes(type));
		const members = inner
			.map(([name, one]) => [name, buildSample(type, name, one, depth + 1)] as const)
			.filter(([name, one]) => one !== undefined && !/^(Actor|Object|Id$)/.test(name));
		return members.length > 0 ? Object.fromEntries(members) : undefined;
	}

	const getName = (entity: string, id: unknown) => `${entity} ${String(id)}`;

	const samples = [
		...commands.map(({ name, fields }) => ({ name, fields, toBody: (body: JsonObject) => body })),
		...entities.map(({ name }) => ({
			name: `UpdateCommand of ${name}`,
			fields: { [name]: name },
			toBody: (body: JsonObject) => ({ Entity: { $type: name, ...(body[name] as JsonObject) } }),
		})),
	];

	it.each(samples)('of $name shows amounts with currencies, and records by names', (sample) => {
		const { name, fields, toBody } = sample;
		const [command] = name.split(' ');
		for (const [member, type] of Object.entries<string>(fields)) {
			const value = buildSample(command, member, type);
			if (value === undefined) continue;
			const plan = run(command, toBody({ [member]: value }));
			const changes = getPlannedChanges(plan, { getName, findLabel: () => undefined });
			const text = changes.map(({ to }) => toText(to)).join('; ');
			expect([member, text]).toEqual([member, expect.not.stringMatching(/object|undefined|ID 77/)]);
			const count = (one: string) => one.split('12.5').length - 1;
			expect([member, text.split('12.5 EUR').length - 1]).toEqual([
				member,
				count(JSON.stringify(value)),
			]);
		}
	});

	it('cuts a value with many fields or rows, and ends its quotation', () => {
		const members = Object.fromEntries(
			Array.from({ length: 3000 }, (_, index) => [`M${index}`, `"${index} a`]),
		);
		for (const Widget of [members, [members], [[members, members], [[members]]]]) {
			const text = summary(run('NobodyKnowsThis', { List: [Widget], Other: 'one two' }));
			expect(text.length).toBeLessThan(4_000);
			expect(omitQuotations(text)).toBe('Would run NobodyKnowsThis, with List "" and Other ""');
		}
	});

	it('has the words of the form', () => {
		const labels = { ActionReasonId: 'Reason', Mode: 'Mode', 'Mode.Snapshot': 'Replace All' };
		const plan = run('WoAssignCommand', { WorkOrderId: 7, ActionReasonId: 4, Mode: 'Snapshot' });
		expect(summary(plan, undefined, labels)).toBe(
			'Would assign work order CHL0000271, with Reason ID 4 and Mode "Replace All"',
		);
		expect(
			summary(run('NobodyKnowsThis', { Widget: { Id: 3 } }), undefined, { Widget: 'Part' }),
		).toBe('Would run NobodyKnowsThis, with Part 3');
	});

	it.each(commands.filter(({ reads, writesWith }) => !reads || writesWith).map(({ name }) => name))(
		'is a sentence, whatever the command %s is given',
		(command) => {
			const value = fc.oneof(fc.integer({ min: 1 }), fc.string(), fc.constant(null));
			const { fields } = commands.find(({ name }) => name === command) ?? { fields: {} };
			const bodies = fc.record(
				Object.fromEntries(Object.keys(fields).map((member) => [member, value])),
			);
			fc.assert(
				fc.property(bodies, (body) => {
					expect(summary(run(command, body))).toMatch(/^Would [a-z]+ \S[^\n]*\S$/);
				}),
				{ numRuns: 20 },
			);
		},
	);
});

it('what a write would change keeps values under one label apart', () => {
	const row = (Value: string) => ({ Descriptor: { Id: 17 }, Value });
	const plan = planUpdate({ CustomFields: [row('a'), row('b'), row('c')] });
	expect(formatChanges(getPlannedChanges(plan, words))).toEqual({
		Floor: { To: 'a' },
		'Floor (2)': { To: 'b' },
		'Floor (3)': { To: 'c' },
	});
});

it.each<[string, (indexes: number[]) => JsonObject]>([
	['members', (indexes) => Object.fromEntries(indexes.map((at) => [`Member${at}`, 'x']))],
	['rows with one label', (indexes) => ({ CustomFields: indexes.map((Value) => ({ Value })) })],
])('thousands of %s take little time', (_, build) => {
	const plan = planUpdate(build([...Array(9_000).keys()]));
	const readCpuTime = startCpuTime();
	expect(Object.keys(formatChanges(getPlannedChanges(plan, words)))).toHaveLength(9_000);
	expect(readCpuTime()).toBeLessThan(3);
});

it.each([true, false])('shows the state that a suspension leaves (%s)', (Reactivate) => {
	const command = 'UserOrProviderSuspendCommand';
	const changes = getPlannedChanges({ does: 'run', command, body: { Reactivate } }, words);
	expect(formatChanges(changes)).toEqual({ Suspended: { To: !Reactivate } });
});

const CONTOSO = { entity: 'Customer', id: 2 };

it.each<[string | undefined, JsonObject, typeof CONTOSO?]>([
	['Would leave customer Contoso as it is', { Outcome: 'unchanged' }, CONTOSO],
	['Would leave the record as it is', { Outcome: 'unchanged' }],
	['Would change nothing, as there is no such record', { Outcome: 'missing' }],
	['Would create nothing, as the record already exists', { Id: 7, AlreadyExisted: true }],
	[
		'Would create nothing, as an earlier item of this run would create the record',
		{ Id: 0, AlreadyExisted: true },
	],
	[undefined, { CommandResult: {} }],
])('the summary without a write is: %s', (expected, item, ...[record]) => {
	expect(buildUnchangedSummary(item, record, names.getName)).toBe(expected);
});
