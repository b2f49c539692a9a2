/** *Execute* by columns: every command sends the same body as with JSON. */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	ResourceMapperField,
} from 'n8n-workflow';

import contract from '../../../contract/contract.json';
import { isDay } from '../../../nodes/Corrigo/catalogue/times';
import { findMemberType } from '../../../nodes/Corrigo/catalogue/members';
import {
	byName,
	itemsOf,
	jsonOf,
	shareCompany,
	filledIn,
	mappedByName,
} from '../../support/company';

const company = shareCompany({ workOrders: 20 });
const { n8n, records, requests } = company;

const commands: Record<string, { members: Record<string, string>; required: string[] }> =
	contract.commands;

const readColumns = async (command: string) =>
	await n8n.engine.mappingColumns('getColumns', {
		parameters: { resource: 'command', operation: 'execute', commandName: byName(command) },
		path: 'parameters.fields',
	});

const known = new Map<string, ReturnType<typeof readColumns>>();

/** The columns of a command, read once for all tests. */
async function readKnown(command: string) {
	const reading = known.get(command) ?? readColumns(command);
	known.set(command, reading);
	return (await reading).fields;
}

/** Leaves the mode at the default of a new node. */
const runCommand = async (command: string, form: INodeParameters, items = itemsOf('')) =>
	await n8n.run('command:execute', { commandName: byName(command), ...form }, { items });
const byColumns = async (command: string, fields: INodeParameters, items = itemsOf('')) =>
	await runCommand(command, { fields }, items);

/** The output without the time and the ID of the request, which differ on each run. */
const outcome = (items: INodeExecutionData[]) =>
	JSON.stringify(jsonOf(items)).replace(/"RequestId":"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+/g, '');

/** IDs of existing records, so that Corrigo validates the rest of the command. */
const RECORDS: Record<string, string> = {
	AssetId: 'Location',
	CustomerId: 'Customer',
	EmployeeId: 'Employee',
	InvoiceId: 'Invoice',
	WorkOrderId: 'WorkOrder',
	WorkOrderid: 'WorkOrder',
	WorkZoneId: 'WorkZone',
};

/** A value as a user enters it in a column, and the value that the service expects. */
function sample(
	command: string,
	{ id, type, options = [] }: ResourceMapperField,
): [given: unknown, wanted: unknown] {
	const member = id.split('.').pop() ?? '';
	const [first] = options;
	if (first !== undefined) return [first.value, first.value];
	const isId = findMemberType(command, id) === 'integer';
	if (member in RECORDS) {
		const { Id } = records.rows(RECORDS[member])[0];
		// The contract defines this ID as a string.
		return [Id, isId ? Id : String(Id)];
	}
	switch (type) {
		case 'boolean':
			return [true, true];
		case 'dateTime':
			// A day is sent without its time.
			return isDay(command, id)
				? ['2026-03-01T10:00:00', '2026-03-01T00:00:00']
				: ['2026-03-01T10:00:00', '2026-03-01T10:00:00'];
		case 'number':
			return [3, 3];
		case 'array':
			// These are judged by their definitions, which test/engine/write/definedRows.test.ts tries.
			if (id.endsWith('CustomFields')) return ['[]', []];
			return ['[{ "Comment": "a" }]', [{ Comment: 'a' }]];
		case 'object':
			return ['{ "Comment": "a" }', { Comment: 'a' }];
		default:
			return ['7', isId ? 7 : '7'];
	}
}

const LISTS: Record<string, unknown> = { integer: 7, string: '7', AssetType: 'Unit' };

/** Sets the value of a column path in the body. */
function put(body: IDataObject, path: string, value: unknown): void {
	const [name, ...rest] = path.split('.');
	if (rest.length === 0) body[name] = value as IDataObject;
	else put((body[name] ??= {}) as IDataObject, rest.join('.'), value);
}

/** Columns for rows of a collection, which have tests of their own. */
const isRow = ({ id }: ResourceMapperField) =>
	/\.(ContactAddresses|Addresses)\./.test(id) || id === 'WorkZone.Teams';

describe.each(Object.entries(commands))('%s', (command, { members, required }) => {
	it('offers all its members, the required ones first', async () => {
		const fields = await readKnown(command);
		const offered = fields.map(({ id }) => id.split('.')[0]);
		expect(new Set(offered)).toEqual(new Set(Object.keys(members)));
		const labels = fields.map(({ displayName }) => displayName);
		expect(new Set(labels).size).toBe(labels.length);
		expect(labels.filter((label) => !/^[A-Z]/.test(label))).toEqual([]);
		const last = fields.map((one) => one.required).lastIndexOf(true);
		expect(fields.slice(0, last + 1).every((one) => one.required)).toBe(true);
		const must = new Set(fields.filter((one) => one.required).map(({ id }) => id.split('.')[0]));
		for (const member of must) expect(required).toContain(member);
		for (const member of required) {
			// The required members of a nested record depend on its other values.
			if (fields.some(({ id }) => id === member)) expect(must).toContain(member);
		}
	});

	// Promise: Commands do the same with fields as with JSON
	it('sends the same body by columns as by JSON, with the same result', async () => {
		const fields = await readKnown(command);
		const values: IDataObject = {};
		const body: IDataObject = {};
		for (const field of fields.filter((one) => !isRow(one))) {
			const list = LISTS[members[field.id]?.replace('[]', '') ?? ''];
			const isList = members[field.id]?.endsWith('[]') && list !== undefined;
			const isNames = field.id.endsWith('.Properties');
			const [given, wanted] = isList
				? [`${String(list)}, ${String(list)}`, [list, list]]
				: isNames
					? ['Id, Number', ['Id', 'Number']]
					: sample(command, field);
			values[field.id] = given as IDataObject;
			put(body, field.id, wanted);
		}
		company.fresh();
		const columns = await byColumns(command, filledIn(values, fields));
		expect(requests.commands()).toEqual([body]);
		company.fresh();
		const json = await runCommand(command, { commandBody: JSON.stringify(body) });
		expect(requests.commands()).toEqual([body]);
		expect(columns.error?.message).toBe(json.error?.message);
		expect(outcome(columns.items)).toBe(outcome(json.items));
	});

	if (required.length === 0) return;

	it('is rejected before anything is sent if a required member is missing', async () => {
		expect(await n8n.refusal(byColumns(command, filledIn({})))).toBe(
			`'Values to Send' has no value for ${required[0]}, which ${command} needs`,
		);
	});
});

describe('a command by columns', () => {
	it('offers the records of small tables, and the reasons of its own action, by one request each', async () => {
		const { fields } = await readColumns('WoCancelCommand');
		const reasons = fields.find(({ id }) => id === 'ActionReasonId');
		expect(reasons?.displayName).toBe('Action Reason');
		const names = reasons?.options?.map(({ name }) => name.split(' (')[0]);
		expect(names).toEqual(['Customer cancelled', 'Other', 'Recalled']);
		expect(requests.paths()).toEqual(['POST query/WoActionReasonLookup']);
		const counts = new Map<number, number>();
		for (const command of Object.keys(commands)) {
			company.sandbox.forgetRequests();
			await readColumns(command);
			const asked = requests.paths();
			expect(new Set(asked).size).toBe(asked.length);
			counts.set(asked.length, (counts.get(asked.length) ?? 0) + 1);
		}
		expect(Math.max(...counts.keys())).toBeLessThanOrEqual(6);
		expect((counts.get(0) ?? 0) + (counts.get(1) ?? 0)).toBeGreaterThanOrEqual(48);
	});

	it('takes names and labels, and looks them up together', async () => {
		const order = records.orderIn('New');
		const values = {
			WorkOrderId: '={{ $json.x }}',
			Assignees: 'E100, E101',
			Mode: '={{ "add secondary" }}',
			StatusId: '={{ "new" }}',
		};
		const run = await byColumns('WoAssignCommand', filledIn(values), itemsOf(order.Number));
		expect(run.error).toBeUndefined();
		expect(requests.commands()).toEqual([
			{ WorkOrderId: order.Id, Assignees: [301, 302], Mode: 'AddSecondary', StatusId: 'New' },
		]);
		const reason = { WorkOrderId: order.Id, ActionReasonId: '={{ "recalled" }}' };
		const cancel = await byColumns('WoCancelCommand', filledIn(reason));
		expect(cancel.items[0].json.CommandResult).toMatchObject({ Wo: { StatusId: 'Cancelled' } });
	});

	it('sends the contact data of a nested record as rows', async () => {
		await byColumns(
			'WorkZoneCreateCommand',
			filledIn({
				'WorkZone.DisplayAs': 'North',
				'WorkZone.ContactAddresses.PrimEmail': 'a@example.org',
				AssetTemplateId: 1,
			}),
		);
		expect(requests.commands()).toEqual([
			{
				WorkZone: {
					DisplayAs: 'North',
					ContactAddresses: [{ AddrTypeId: 'PrimEmail', Address: 'a@example.org' }],
				},
				AssetTemplateId: 1,
			},
		]);
	});

	it('maps its members from the input item', async () => {
		const order = records.orderIn('New');
		const { fields } = await readColumns('WoPickUpCommand');
		company.sandbox.forgetRequests();
		const run = await runCommand('WoPickUpCommand', mappedByName([], fields), [
			{ json: { WorkOrderId: order.Id, Comment: 'c', Unrelated: 1 } },
		]);
		expect(run.error).toBeUndefined();
		expect(requests.commands()).toEqual([{ WorkOrderId: order.Id, Comment: 'c' }]);
	});

	it('maps an amount that is its value alone, which needs its currency', async () => {
		const { fields } = await readColumns('WoCreateCommand');
		const money = fields.filter(({ id }) => /^WorkOrder\.VendorNte\./.test(id));
		const json = { ComputeSchedule: true, WorkOrder: { VendorNte: 5 } };
		const run = await runCommand('WoCreateCommand', mappedByName([], money), [{ json }]);
		expect(run.error?.message).toMatch(/VendorNte.*has no currency|NTE.*has no currency/);
		expect(requests.commands()).toEqual([]);
	});

	it.each<[string, IDataObject, RegExp]>([
		['WoPickUpCommand', { WorkOrderId: 'two' }, /'Work Order': no work order has the number "two"/],
		['WoPickUpCommand', { WorkOrderId: 1, ActionDate: 'soon' }, /must be a date and time/],
		['WoClearFlagsCommand', { WorkOrderId: 1, FlagsToClear: ' ' }, /no value for FlagsToClear/],
		['ConvertMoneyValuesCommand', { Values: '[', TargetCurrencyTypeId: 'USD' }, /not valid JSON/],
		['MysteryCommand', { A: 1 }, /The fields of MysteryCommand are not known/],
		[
			'CompositeCommand',
			{
				Commands: JSON.stringify([
					{ $type: 'WoPickUpCommand', WorkOrderId: 1 },
					{ $type: 'WoPickUpCommand', WorkOrderId: 1, ActionDate: 'soon' },
				]),
			},
			/^'Commands \(JSON\) > 2 > ActionDate' must be a date and time/,
		],
	])('%s refuses %j', async (command, values, message) => {
		const run = await byColumns(command, filledIn(values));
		expect(run.error?.message).toMatch(message);
		expect(requests.commands()).toEqual([]);
	});

	it.each(['', '={{ $json.x }}', 'MysteryCommand'])(
		'has no columns while the command is %j',
		async (name) => {
			const { fields, emptyFieldsNotice } = await readColumns(name);
			expect(fields).toEqual([]);
			expect(emptyFieldsNotice).toBe("Choose a command from the list in 'Command Name'");
			expect(company.sandbox.requests).toEqual([]);
		},
	);

	it('needs no columns where the command has no members', async () => {
		const { fields, emptyFieldsNotice } = await readColumns('WorkZoneDefaultCommand');
		expect([fields, emptyFieldsNotice]).toEqual([[], 'Default Work Zone takes no values']);
		await byColumns('WorkZoneDefaultCommand', filledIn({}));
		expect(requests.commands()).toEqual([{}]);
	});
});
