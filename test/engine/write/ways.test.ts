/** A value means the same whether it is pasted, mapped, chosen or compared. The table of cases is in test/values/members.test.ts. */
import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	filledIn,
	hintsOf,
	itemsOf,
	jsonOf,
	mappedByName,
	shareCompany,
	where,
} from '../../support/company';

const { n8n, records } = shareCompany({ workOrders: 3 });

const first = (entity: string): Row => records.rows(entity)[0];
const toItems = (...jsons: object[]) => jsons.map((json) => ({ json: json as IDataObject }));

const listAddresses = (id: unknown) =>
	records
		.children('ContactInfo', 'ActorId', id)
		.map(({ AddrTypeId, Address }) => [AddrTypeId, Address]);

async function readContact(Id: number): Promise<IDataObject> {
	const form = { id: byId(Id), output: 'selected', properties: '*,ContactAddresses.*' };
	return (await n8n.succeed('contact:get', form)).items[0].json;
}

it('pasted addresses that were read change nothing, and a new one of a kind replaces the old one', async () => {
	const { Id } = first('Contact');
	const before = listAddresses(Id);
	const read = await readContact(Id);
	expect(read.ContactAddresses).toHaveLength(before.length);
	const update = async (fieldsJson: unknown) =>
		await n8n.succeed('contact:update', { id: byId(Id), fieldsJson });
	await update(read);
	expect(listAddresses(Id)).toEqual(before);
	for (const kind of ['PrimEmail', 'Primary Email', 2]) {
		const row = { AddrTypeId: kind, Address: `${String(kind).length}@example.org` };
		await update({ contactaddresses: [row] });
		const others = before.filter(([one]) => one !== 'PrimEmail');
		const after = listAddresses(Id);
		expect(after).toEqual(expect.arrayContaining([...others, ['PrimEmail', row.Address]]));
		expect(after).toHaveLength(before.length);
	}
});

it('rows mapped by name that no field takes are named in a hint, and nothing is where all of them are taken', async () => {
	const { Id } = first('Contact');
	const contact = await readContact(Id);
	const rows = contact.ContactAddresses as IDataObject[];
	const update = async (ContactAddresses: unknown) =>
		hintsOf(
			await n8n.succeed(
				'contact:update',
				{ id: byId(Id), ...mappedByName([]) },
				{ items: toItems({ ...contact, ContactAddresses }) },
			),
		);
	expect(await update(rows)).toEqual([]);
	const others = [
		{ AddrTypeId: 'Unknown', Address: '555' },
		{ ...rows[0], Address: 'another' },
	];
	expect(await update([...rows, ...others])).toEqual([
		'Left out, as no field takes these rows: "ContactAddresses > Unknown"',
		`Left out, as a field takes one row of a kind: "ContactAddresses > ${String(rows[0].AddrTypeId)}"`,
	]);
	expect(listAddresses(Id)).toHaveLength(rows.length);
});

// Rows of other collections, without n8n, are in test/values/rows.test.ts.
it('an attribute of an asset is sent alike by rows, by name, by a field, and mapped', async () => {
	const [descriptor] = records
		.rows('AttributeDescriptor')
		.filter(({ Type, IsHistory }) => Type === 'String' && IsHistory !== true);
	const id = byId(first('Location').Id);
	const row = { Descriptor: { Id: descriptor.Id }, Value: 'new value' };
	const field = `Attributes.${String(descriptor.Id)}`;
	const schema = [{ id: field, displayName: descriptor.Name, type: 'string' }];
	const mapped = mappedByName([], schema);
	const named = { [String(descriptor.Name)]: 'new value' };
	for (const { item = {}, ...form } of [
		{ fieldsJson: { Attributes: [row] } },
		{ fieldsJson: { attributes: named } },
		{ fields: filledIn({ [field]: 'new value' }, schema) },
		{ ...mapped, item: { Attributes: [row] } },
		{ ...mapped, item: { Attributes: named } },
		{ ...mapped, item: named },
	] as Array<{ item?: object }>) {
		const parameters = { id, ...form, options: { dryRun: 'always' } };
		const { items } = await n8n.succeed('asset:update', parameters, { items: toItems(item) });
		expect(items[0].json).toMatchObject({ WouldSend: { body: { Entity: { Attributes: [row] } } } });
	}
});

describe('names in another case', () => {
	it('of fields to return are those of the record, in their order, for one item and for two', async () => {
		const ids = records.rows('WorkOrder').map(({ Id }) => Id);
		const form = {
			id: byId('={{ $json.x }}'),
			output: 'selected',
			properties: 'NUMBER,customer.id,id',
		};
		for (const items of [itemsOf(ids[0]), itemsOf(...ids)]) {
			for (const json of jsonOf((await n8n.succeed('workOrder:get', form, { items })).items)) {
				expect(Object.keys(json)).toEqual(['Number', 'Customer', 'Id']);
			}
		}
	});

	it('of the work order of a command compare it with its record', async () => {
		const { Id } = first('WorkOrder');
		for (const name of ['workorderid', 'WorkOrderId', 'WorkOrderid']) {
			const { items } = await n8n.succeed('command:execute', {
				commandName: byName('ApStatusChangeCommand'),
				commandBody: { [name]: Id, VendorInvoiceStatusId: 1 },
				options: { dryRun: 'always' },
			});
			expect(JSON.stringify(items[0].json.Request ?? items[0].json)).toContain('"WorkOrderid"');
		}
	});
});

it('a day with a time zone is refused for a local time without one in UTC', async () => {
	const time = "={{ DateTime.fromISO('2026-04-01', { zone: 'America/New_York' }) }}";
	const filters = { dates: { values: { when: 'after', time } } };
	expect((await n8n.refuse('cost:getMany', { filters })).message).toContain('has a time zone');
});

it('an empty condition is named with its field', async () => {
	const condition = (property: string, value: string) => ({
		property: byName(property),
		operator: 'Equal',
		value: { __rl: true, mode: 'text', value },
	});
	const form = {
		searchBy: 'conditions',
		conditions: {
			values: [condition('Number', 'A'), condition('PoNumber', '={{ $json.none }}')],
		},
	};
	expect((await n8n.refuse('workOrder:getMany', form)).message).toContain(
		"'Value' is empty in Condition 2 (PoNumber): its expression gives nothing",
	);
	form.conditions.values[1].property = byName("={{ 'x) gives nothing.\\nCall it (' }}");
	expect((await n8n.refuse('workOrder:getMany', form)).message).toContain(
		String.raw`'Value' is empty in Condition 2 ("x) gives nothing.\nCall it ("): its expression gives nothing`,
	);
});

describe('a misspelled name is answered with similar ones', () => {
	const fieldsJson = { Number: 'x' };
	const operations: Array<[string, object]> = [
		['getMany', { return: 'count' }],
		['create', { fieldsJson }],
		['create', { fields: filledIn({ Number: 'x' }) }],
		['create', mappedByName([])],
		['delete', { id: byId(5) }],
		['describe', {}],
		['get', { id: byId(5) }],
		['getMany', { criteriaJson: {} }],
		['restore', { id: byId(5) }],
		['update', { id: byId(5), fieldsJson }],
		['update', { id: byId(5), fieldsJson, options: { dryRun: 'always' } }],
		['upsert', { matchOn: 'Number', fieldsJson }],
	];

	it.each(
		['WorkOrdr', 'workOrdr'].flatMap((name) => operations.map((one) => [name, ...one] as const)),
	)('%s of Record: %s %j', async (name, operation, form) => {
		const entity = byName(name);
		const items = toItems({ Number: 'x' });
		const run = await n8n.run(`record:${operation}`, { entity, ...form }, { items });
		expect(run.error?.description).toMatch(/^Similar: WorkOrder\./);
	});

	it.each(['create', 'delete'])('in a dry run of %s, which asks nothing', async (operation) => {
		const run = await n8n.succeed(`record:${operation}`, {
			entity: byName('WorkOrdr'),
			...(operation === 'create' ? { fieldsJson } : { id: byId(5) }),
			options: { dryRun: 'always' },
		});
		expect(hintsOf(run)).toContain('Corrigo may not know the entity WorkOrdr. Similar: WorkOrder.');
	});

	it.each<[string, object, string]>([
		['WoCancelsCommand', { commandBody: { WorkOrderId: 5 } }, 'WoCancelCommand'],
		['WoCancelsCommand', { fields: filledIn({ WorkOrderId: 5 }) }, 'WoCancelCommand'],
		[
			'RestoreCommand',
			{ commandBody: { EntitySpecifier: { EntityType: 'WorkOrdr', Id: 5 } } },
			'WorkOrder',
		],
	])('of a command: %s %j', async (command, form, similar) => {
		const run = await n8n.run('command:execute', { commandName: byName(command), ...form });
		expect(run.error?.description).toContain(`Similar: ${similar}`);
	});
});

it('a key that was used says so, although its record has changed since', async () => {
	const form = { id: byId(first('WorkOrder').Id), fieldsJson: { PoNumber: 'approved' } };
	const dry = await n8n.succeed('workOrder:update', { ...form, options: { dryRun: 'always' } });
	const confirmed = {
		...form,
		options: { confirmationKey: dry.items[0].json.ConfirmationKey },
	};
	await n8n.succeed('workOrder:update', confirmed);
	expect((await n8n.run('workOrder:update', confirmed)).error?.message).toBe(
		'This key was already used. Nothing was written',
	);
});

describe('a text that an expression makes of no value', () => {
	const [none, time] = ["{{ DateTime.fromISO('') }}", '{{ DateTime.utc(2026, 4, 1, 9) }}'];
	const schema = [{ id: 'Instructions', displayName: 'Instructions', type: 'string' }];
	const ways: Record<string, (expression: string) => [string, object]> = {
		'in a field': (text) => [
			'note:create',
			{ workOrder: byId(first('WorkOrder').Id), body: `=${text}`, type: 'Public' },
		],
		'in a column': (text) => [
			'customer:update',
			{ id: byId(first('Customer').Id), fields: filledIn({ Instructions: `=${text}` }, schema) },
		],
		'in JSON': (text) => [
			'customer:update',
			{
				id: byId(first('Customer').Id),
				fieldsJson: `={{ { Instructions: ${text.slice(3, -3)} } }}`,
			},
		],
	};

	it.each(Object.entries(ways))('%s is refused, and one of a time is taken', async (_, way) => {
		for (const text of [none, '{{ NaN }}']) {
			expect(await n8n.refusal(n8n.run(...way(text)))).toMatch(
				/must be a text, but it is "(NaN|Invalid DateTime)"|has the number "NaN"/,
			);
		}
		await n8n.succeed(...way(time));
		const texts = [first('Customer').Instructions, records.rows('WoNote').at(-1)?.Body];
		expect(texts).toContain('2026-04-01T09:00:00.000Z');
	});

	const newOrder = (more: object) => ['workOrder:create', records.newOrder(more)] as const;
	const order = () => byId(first('WorkOrder').Id);
	const others: Record<string, (text: string) => readonly [string, object]> = {
		'an additional field': (text) => newOrder({ additionalFields: { contactName: text } }),
		'a row of a new order': (text) =>
			newOrder({ notes: { values: [{ body: text, type: 'Public' }] } }),
		'the comment of a command': (text) => [
			'workOrder:pickUp',
			{ id: order(), additionalFields: { comment: text } },
		],
		'a column of a command': (text) => [
			'command:execute',
			{
				commandName: byName('WoPickUpCommand'),
				fields: filledIn({ WorkOrderId: first('WorkOrder').Id, Comment: text }, [
					{ id: 'Comment', displayName: 'Comment', type: 'string' },
				]),
			},
		],
		'a custom field': (text) => {
			const field = records.addField('CommLease', 'Floor');
			return [
				'customer:update',
				{
					id: byId(first('Customer').Id),
					fields: filledIn({ [`CustomFields.${field}`]: text }, [
						{ id: `CustomFields.${field}`, displayName: 'Floor', type: 'string' },
					]),
				},
			];
		},
		'a filter': (text) => ['workOrder:getMany', { filters: { externalNumber: text } }],
		'a condition': (text) => ['workOrder:getMany', where('TaskRefinement', text)],
	};

	it.each(Object.entries(others))('is refused in %s', async (_, way) => {
		for (const text of [none, '{{ NaN }}']) {
			const run = await n8n.run(...way(`=${text}`));
			expect(run.error?.message ?? 'taken').toMatch(/"(NaN|Invalid DateTime)"/);
		}
	});
});
