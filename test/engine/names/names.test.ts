import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	errorsOf,
	filledIn,
	getId,
	idsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	where,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

it('labels of members are accepted in a condition, in any case, and so are several', async () => {
	const statuses = ['InProgress', 'OnHold'];
	const expected = records.idsWhere('WorkOrder', (row) => statuses.includes(String(row.StatusId)));
	expect(expected.length).toBeGreaterThan(1);
	const either = where('StatusId', 'in progress, On Hold', 'In');
	const run = await n8n.run('workOrder:getMany', { returnAll: true, ...either });
	expect(idsOf(jsonOf(run.items))).toEqual(expected);
});

const insert = (entity: string, members: IDataObject) =>
	records.insert(entity, members as never).Id;
/** A name that breaks careless quoting, escaping and encoding. */
const AWKWARD = `100% O'Brien_[West] "Köln", <東京> & \\ 🌞`;

type Kind = [kind: string, operation: string, entity: string, member: string];

/** Each kind of name, and an operation that takes a record by it. */
const kinds: Kind[] = [
	['name of a customer', 'customer:get', 'Customer', 'DisplayAs'],
	['legal name of a customer', 'customer:get', 'Customer', 'Name'],
	['tenant code', 'customer:get', 'Customer', 'TenantCode'],
	['name of an employee', 'employee:get', 'Employee', 'DisplayAs'],
	['user name', 'employee:get', 'Employee', 'Username'],
	['number of an employee', 'employee:get', 'Employee', 'Number'],
	['email of an employee', 'employee:get', 'Employee', 'ContactAddresses.Address'],
	['name of a contact', 'contact:get', 'Contact', 'DisplayAs'],
	['number of a contact', 'contact:get', 'Contact', 'Number'],
	['email of a contact', 'contact:get', 'Contact', 'ContactAddresses.Address'],
	['name of an asset', 'asset:get', 'Location', 'Name'],
	['tag of an asset', 'asset:get', 'Location', 'Info.TagId'],
	['serial number of an asset', 'asset:get', 'Location', 'Info.SerialNumber'],
	['name of a space', 'space:get', 'Space', 'Asset.Name'],
	['name of a work zone', 'workZone:get', 'WorkZone', 'DisplayAs'],
	['number of a work zone', 'workZone:get', 'WorkZone', 'Number'],
	['title of a document', 'document:get', 'Document', 'Title'],
	['name of a sub type', 'record:get', 'WorkOrderType', 'DisplayAs'],
	['short form of a sub type', 'record:get', 'WorkOrderType', 'Abbr'],
	['name of a task', 'record:get', 'Task', 'DisplayAs'],
	['number of a task', 'record:get', 'Task', 'Number'],
	['name of a reason', 'record:get', 'WoActionReasonLookup', 'DisplayAs'],
	['name of an AP status', 'record:get', 'ApInvoiceStatus', 'DisplayAs'],
	['name of a cost status', 'record:get', 'InternalCostStatus', 'Name'],
	['name of a document type', 'record:get', 'DocumentType', 'DisplayAs'],
	['name of a team', 'record:get', 'Team', 'DisplayAs'],
	['name of a role', 'record:get', 'Role', 'DisplayAs'],
	['name of a priority', 'record:get', 'WoPriority', 'DisplayAs'],
	['name of a specialty', 'record:get', 'Specialty', 'DisplayAs'],
	['name of a portfolio', 'record:get', 'Portfolio', 'DisplayAs'],
	['name of a model', 'record:get', 'Model', 'DisplayAs'],
	['name of a repair code', 'record:get', 'RepairCode', 'DisplayAs'],
];

/** Gives a record this name, in its own member or in one of a related record. */
function called(entity: string, member: string, name: string): number {
	switch (member) {
		case 'ContactAddresses.Address': {
			const id = insert(entity, { DisplayAs: 'Somebody', ActorTypeId: 'Employee' });
			const ActorTypeId = entity === 'Contact' ? 'LeaseUser' : 'Employee';
			insert('ContactInfo', { ActorTypeId, ActorId: id, Address: name, AddrTypeId: 'PrimEmail' });
			return id;
		}
		case 'Asset.Name':
			return insert(entity, { Asset: { Id: insert('Location', { Name: name }) } });
		case 'Info.TagId':
		case 'Info.SerialNumber': {
			const Id = insert(entity, { Name: 'Something' });
			insert('AssetInfo', { Id, AssetId: Id, [member.split('.')[1]]: name });
			return Id;
		}
		default:
			return insert(entity, { [member]: name });
	}
}

function openLookUps([kind, operation, entity, member]: Kind) {
	const run = async (value: unknown, mode = 'id', ...inputs: unknown[]) =>
		await n8n.run(
			operation,
			{
				...(operation === 'record:get' ? { entity: byName(entity) } : {}),
				id: { __rl: true, mode, value },
			},
			{
				...(inputs.length > 0 && { items: itemsOf(...inputs) }),
				onError: 'continueErrorOutput',
			},
		);
	const make = (name: string) => called(entity, member, name);
	/** Addresses are looked up only where no name matches. */
	const asked = kind.startsWith('email') ? [entity, entity] : [entity];

	return { run, make, asked };
}

it.each(kinds)(
	'the %s is found in any case, with blanks around it, by few requests',
	async (...kind) => {
		const { run, make, asked } = openLookUps(kind);
		const id = make('Zyzzyva the First');
		make('Zyzzyva the First and a half');
		const { items, errorItems } = await run('  ZYZZYVA the first ');
		expect(errorItems).toEqual([]);
		expect(items[0].json.Id).toBe(id);
		expect(requests.queries()).toEqual(asked);
	},
);

describe.each(kinds.filter(([kind]) => /^(name of a customer|email of a contact)$/.test(kind)))(
	'the %s',
	(...kind) => {
		const { run, make, asked } = openLookUps(kind);

		it('may contain special characters', async () => {
			const id = make(AWKWARD);
			expect((await run(AWKWARD)).items[0].json.Id).toBe(id);
		});

		it('that no record has is rejected before any other request', async () => {
			const { errorItems } = await run('Zyzzyva the Second');
			expect(errorItems[0].json.error).toMatch(/no .+ is named "Zyzzyva the Second"$/);
			expect(requests.sent()).toHaveLength(requests.queries().length);
		});

		it('of digits is an ID, unless the mode says otherwise', async () => {
			const id = make('00471100');
			const { errorItems } = await run('471100', 'id');
			expect(errorItems[0].json.error).toMatch(/with (the )?I[dD] 471100/);
			expect((await run('00471100', 'name')).items[0].json.Id).toBe(id);
		});

		it('of 2,001 items takes few requests, also where names repeat', async () => {
			const names = Array.from({ length: 2001 }, (_, index) => `Zyzzyva ${index}`);
			const ids = names.map(make);
			const { items } = await run('={{ $json.x }}', 'id', ...names, names[7].toUpperCase());
			expect(items.map(({ json }) => json.Id)).toEqual([...ids, ids[7]]);
			// Each 499 names take one query, and each 500 records of the operation itself one more.
			expect(requests.sent()).toHaveLength(5 * asked.length + 5);
		});
	},
);

describe('a new work order by names alone', () => {
	const order = (more: object = {}) => ({
		typeCategory: 'Request',
		subType: byName('service request'),
		customer: byName('Contoso Pharmacy'),
		contact: byName('={{ $json.contact }}'),
		items: { values: [{ asset: byName('Water Heater'), task: byName('no hot water') }] },
		priority: byName('High'),
		additionalFields: { specialty: byId('plumbing') },
		...more,
	});

	const contoso = () => {
		const customer = records.find('Customer', { DisplayAs: 'Contoso Pharmacy' });
		const contact = records.find('Contact', { CustomerId: customer.Id });
		const space = records.find('Space', { CustomerId: customer.Id });
		const below = records.children('AssetTree', 'ParentId', getId(space.Asset));
		const asset = records
			.rows('Location')
			.filter(({ Name }) => Name === 'Water Heater')
			.find(({ Id }) => below.some(({ ChildId }) => ChildId === Id)) as Row;
		const task = records.find('Task', { DisplayAs: 'No hot water', ModelId: asset.ModelId });
		return { customer, contact, asset, task };
	};

	const create = async (parameters: object, items: IDataObject[]) => {
		const run = await n8n.run('workOrder:create', parameters, {
			items: items.map((json) => ({ json })),
			onError: 'continueErrorOutput',
		});
		return {
			errors: errorsOf(run),
			/** The orders as they were sent. */
			orders: requests.bodies().map(({ Command }) => Command.WorkOrder),
		};
	};

	it('finds the asset in the spaces of the customer, the task by the asset, once for all items', async () => {
		const { customer, contact, asset, task } = contoso();
		// An asset or a contact elsewhere may have an equal name.
		insert('Contact', { DisplayAs: contact.DisplayAs as string, CustomerId: 102 });
		insert('Task', { DisplayAs: 'No hot water', ModelId: 407 });
		const items = Array.from({ length: 30 }, () => ({ contact: contact.DisplayAs as string }));
		const { errors, orders } = await create(order(), items);
		expect(errors).toEqual([]);
		expect(orders).toHaveLength(30);
		expect(orders[29]).toMatchObject({
			SubType: { Id: 24 },
			Customer: { Id: customer.Id },
			RequestorContact: { Id: contact.Id },
			Items: [{ Asset: { Id: asset.Id }, Task: { Id: task.Id } }],
			Priority: { Id: 2 },
			Specialty: { Id: 2 },
		});
		expect(requests.queries().sort()).toEqual([
			...['AssetTree', 'Contact', 'Customer', 'Location', 'Space'],
			...['Specialty', 'Task', 'WoPriority', 'WorkOrderType'],
		]);
	});

	it('rejects a contact of another customer', async () => {
		insert('Contact', { DisplayAs: 'Nobody', CustomerId: 102 });
		const { errors, orders } = await create(order(), [{ contact: 'Nobody' }]);
		expect(errors).toEqual(['\'Contact\': no contact of the customer is named "Nobody"']);
		expect(orders).toEqual([]);
	});

	it.each(['Fountain', 'f-1', 'SN-1'])(
		'rejects an asset of another customer by the name, tag or serial number %j',
		async (name) => {
			const Id = insert('Location', { Name: 'Fountain', ModelId: 402, TypeId: 'Equipment' });
			insert('AssetInfo', { Id, AssetId: Id, TagId: 'F-1', SerialNumber: 'SN-1' });
			const items = { values: [{ asset: byName(name), task: byName('Leaking') }] };
			const { errors, orders } = await create(order({ contact: '', items }), [{}]);
			expect(errors).toEqual([`'Items > Asset': no asset of the customer is named "${name}"`]);
			expect(orders).toEqual([]);
		},
	);

	it('finds an asset of the customer by its tag, though others have the tag', async () => {
		const { asset, task } = contoso();
		const Id = insert('Location', { Name: 'Fountain', ModelId: 402, TypeId: 'Equipment' });
		insert('AssetInfo', { Id, AssetId: Id, TagId: 'F-1' });
		records.change('AssetInfo', asset.Id, { TagId: 'F-1' });
		const items = { values: [{ asset: byName('f-1'), task: byId(task.Id) }] };
		const { errors, orders } = await create(order({ contact: '', items }), [{}]);
		expect(errors).toEqual([]);
		expect(orders).toMatchObject([{ Items: [{ Asset: { Id: asset.Id } }] }]);
	});

	it('suggests tasks with similar names among those of the asset, and none where none is similar', async () => {
		const { asset } = contoso();
		const near = records.find('Task', { DisplayAs: 'No hot water' });
		insert('Task', { DisplayAs: 'Hot water elsewhere', ModelId: 407 });
		const by = (task: string) =>
			order({ contact: '', items: { values: [{ asset: byId(asset.Id), task: byName(task) }] } });
		const { error } = await n8n.run('workOrder:create', by('hot water'));
		expect(error?.message).toBe(
			'\'Items > Task\': no task that fits the asset is named "hot water"',
		);
		expect(error?.description).toBe(`Similar: "No hot water" (ID ${near.Id}).`);
		const far = await n8n.run('workOrder:create', by('Zyzzyva'));
		expect(far.error?.description).toBe("Check the name, or choose 'By ID' and give the ID.");
	});

	it.each(['Lonely Fountain', 'L-1'])(
		'rejects %j, as a customer without spaces has no assets',
		async (name) => {
			const { task } = contoso();
			const customer = insert('Customer', { DisplayAs: 'Without Spaces', WorkZone: { Id: 11 } });
			const Id = insert('Location', { Name: 'Lonely Fountain', TypeId: 'Equipment' });
			insert('AssetInfo', { Id, AssetId: Id, TagId: 'L-1' });
			const items = { values: [{ asset: byName(name), task: byId(task.Id) }] };
			const form = order({ customer: byId(customer), contact: '', items });
			const { errors, orders } = await create(form, [{}]);
			expect(errors).toEqual([
				`'Items > Asset' is "${name}", but the customer has no space with assets`,
			]);
			expect(orders).toEqual([]);
		},
	);

	it('converts times to the zone of a customer that is given by name', async () => {
		const { customer } = contoso();
		records.change('WorkZone', getId(customer.WorkZone), { TimeZone: 35 });
		const form = order({ contact: '', additionalFields: { due: '2026-01-31T17:30:00Z' } });
		const { errors, orders } = await create(form, [{}]);
		expect(errors).toEqual([]);
		expect(orders).toMatchObject([{ DtDue: '2026-01-31T12:30:00' }]);
	});

	it('fails for each item separately, and sends the others', async () => {
		const contact = contoso().contact.DisplayAs as string;
		const { errors, orders } = await create(order({ customer: byName('={{ $json.customer }}') }), [
			{ customer: 'Contoso Pharmacy', contact },
			{ customer: 'Nowhere', contact },
			{ customer: '', contact: '' },
		]);
		expect(orders).toHaveLength(1);
		expect(errors).toEqual([
			'\'Customer\': no customer is named "Nowhere"',
			"'Customer' is empty: its expression gives nothing",
		]);
	});
});

describe('a name in place of an ID', () => {
	const zoneId = () => records.find('WorkZone', { DisplayAs: 'Denver Tech Center' }).Id;

	it('is accepted in columns', async () => {
		await n8n.succeed('customer:update', {
			id: byId('t1000'),
			fields: filledIn({ 'WorkZone.Id': 'denver tech center' }),
		});
		expect(requests.bodies().at(-1)?.Entity).toEqual({ Id: 101, WorkZone: { Id: zoneId() } });
	});

	it('is accepted in JSON, at any depth, and in the body of a command', async () => {
		const fieldsJson = { WorkZone: 'Denver Tech Center', Contract: { Id: 1 }, Unknown: 'T1000' };
		await n8n.run('customer:update', { id: byId(101), fieldsJson });
		expect(requests.bodies().at(-1)?.Entity).toEqual({
			Id: 101,
			Contract: { Id: 1 },
			Unknown: 'T1000',
			WorkZone: { Id: zoneId() },
		});

		const order = records.orderIn('New');
		await n8n.succeed('command:execute', {
			commandName: byName('WoAssignCommand'),
			commandBody: {
				WorkOrderId: order.Number,
				Assignees: ['E100', 302],
				Mode: 'primary',
				StatusId: 'NEW',
			},
		});
		expect(requests.bodies().at(-1)?.Command).toEqual({
			WorkOrderId: order.Id,
			Assignees: [301, 302],
			Mode: 'Primary',
			StatusId: 'New',
		});
	});

	it('is accepted in conditions, alone and in a list, and in counts', async () => {
		const expected = records.idsWhere('WorkOrder', ({ Customer }) =>
			[101, 102].includes(getId(Customer)),
		);
		const either = where('Customer.Id', 'T1000, 102', 'In');
		const found = await n8n.run('workOrder:getMany', { returnAll: true, ...either });
		expect(idsOf(jsonOf(found.items))).toEqual(expected);
		const counted = await n8n.run('workOrder:getMany', { return: 'count', ...either });
		expect(counted.items[0].json.Count).toBe(expected.length);

		const spaces = await n8n.run('space:getMany', {
			criteriaJson: {
				Conditions: [{ PropertyName: 'CustomerId', Operator: 'Equal', Values: ['t1001'] }],
			},
		});
		expect(spaces.items.map(({ json }) => json.CustomerId)).toEqual([102]);
	});

	it('is accepted as one of several, also if it contains a comma', async () => {
		const order = records.orderIn('New');
		const employees = [byName('Mechanical Partners, Inc.'), byId('E100, tech1, 303')];
		await n8n.succeed('workOrder:assign', {
			id: byId(order.Number),
			assignees: { values: employees.map((employee) => ({ employee })) },
			mode: 'Primary',
		});
		const { Id } = records.find('Employee', { ActorTypeId: 'Provider' });
		expect(requests.bodies().at(-1)?.Command.Assignees).toEqual([Id, 301, 302, 303]);
	});

	it('means the reason of its own action if other actions have reasons with equal names', async () => {
		const id = byId(records.orderIn('Open').Id);
		await n8n.succeed('workOrder:hold', { id, reason: byName('other') });
		const others = records.children('WoActionReasonLookup', 'DisplayAs', 'Other');
		expect(others.length).toBeGreaterThan(1);
		const { Id } = records.find('WoActionReasonLookup', { DisplayAs: 'Other', ActionId: 'OnHold' });
		expect(requests.bodies().at(-1)?.Command.ActionReasonId).toBe(Id);
	});

	it.each([
		['hold', { reason: byName('Zyzzyva') }, 'hold reason'],
		['cancel', { reason: byName('Zyzzyva') }, 'cancel reason'],
		['addFlag', { flags: { values: [{ flag: byName('Zyzzyva') }] } }, 'flag'],
	])('of a reason of %s is refused in the words of the form', async (action, form, noun) => {
		const id = byId(records.orderIn('Open').Id);
		const { error } = await n8n.run(`workOrder:${action}`, { id, ...form });
		expect(error?.message).toMatch(new RegExp(`: no ${noun} is named "Zyzzyva"$`));
	});

	it('never means a deleted record or a template', async () => {
		insert('Customer', { DisplayAs: 'Zyzzyva', IsRemoved: true });
		const customer = await n8n.run('customer:get', { id: byName('Zyzzyva') });
		expect(customer.error?.message).toMatch(/no customer is named "/);
		const asset = await n8n.run('asset:get', { id: byName('Standard Unit') });
		expect(asset.error?.message).toMatch(/no asset is named "/);
	});

	it.each(['Pharmacy', 'Contosso Pharmcy'])(
		'is rejected with names that contain it, or are a letter or a word away, by one more request: %s',
		async (name) => {
			const { error } = await n8n.run('customer:get', { id: byName(name) });
			expect(error?.message).toBe(`'Customer': no customer is named "${name}"`);
			expect(error?.description).toMatch(/^Similar: "Contoso Pharmacy", "T\d+" \(ID \d+\)/);
			expect(requests.queries()).toEqual(['Customer', 'Customer']);
		},
	);

	it('is rejected with similar names for at most ten names in a run', async () => {
		const id = byName('={{ $json.x }}');
		const items = itemsOf(...Array.from({ length: 40 }, (_, index) => `Nobody ${index}`));
		await n8n.run('customer:get', { id }, { items, onError: 'continueErrorOutput' });
		expect(requests.sent()).toHaveLength(11);
	});

	it.each([
		['contact:get', 'Contact', { DisplayAs: 'Zoe Zyzzyva', Number: '' }, '"Zoe Zyzzyva"'],
		[
			'employee:get',
			'Employee',
			{ DisplayAs: 'Zoe Zyzzyva', Number: 'Z-2' },
			'"Zoe Zyzzyva", "Z-2"',
		],
	])(
		'is rejected by %s with people whose names are similar',
		async (name, entity, members, shown) => {
			const id = insert(entity, members);
			const { error } = await n8n.run(name, { id: byName('zyzzyva') });
			expect(error?.description).toBe(`Similar: ${shown} (ID ${id}).`);
			// One query by names, one by addresses, one for similar names.
			expect(requests.sent()).toHaveLength(3);
		},
	);

	it.each([5, 6])(
		'lists all of %d records with this name, or says that there are more than five',
		async (many) => {
			const ids = Array.from({ length: many }, () => insert('Team', { DisplayAs: 'Zyzzyva' }));
			const team = { entity: byName('Team'), id: byName('Zyzzyva') };
			const { error } = await n8n.run('record:get', team);
			const shown = ids.slice(0, 5).map((id) => `"Zyzzyva" (ID ${id})`);
			expect(error?.message).toMatch(/more than one team is named "Zyzzyva": /);
			expect(error?.message.split('"Zyzzyva": ')[1]).toBe(
				shown.join('; ') + (many > 5 ? '; …' : ''),
			);
		},
	);

	it('may be a record from an expression, by its ID or name, but no other object', async () => {
		const run = await n8n.run('customer:get', { id: byName('={{ { Id: 101 } }}') });
		expect(run.items[0].json.Id).toBe(101);
		expect(requests.queries()).toEqual([]);
		const { Id, Name } = records.rows('Customer')[1];
		const named = await n8n.succeed('customer:get', { id: byName(`={{ { Name: "${Name}" } }}`) });
		expect(named.items[0].json.Id).toBe(Id);
		for (const [value, expected] of [
			['={{ { Town: "x" } }}', 'has no Id, so it is not known which customer is meant'],
			['={{ [101] }}', 'must be one value, not a list'],
			['={{ ["Contoso", "Acme"] }}', 'must be one value, not a list'],
		]) {
			const get = await n8n.refuse('customer:get', { id: byName(value) });
			const search = { filters: { customer: byName(value) } };
			const getMany = await n8n.refuse('workOrder:getMany', search);
			for (const { message } of [get, getMany]) {
				expect(message).toMatch(`'Customer' ${expected}`);
			}
		}
	});

	it.each([
		['customer:get', byName('101'), /^Check the name, or choose 'By ID' and give the ID\.$/],
		['employee:get', byName('24'), /^Similar: "24.7 Locks.* If 24 is an ID, choose 'By ID'\.$/],
		['workOrder:get', { ...byName('99999'), mode: 'number' }, /choose 'By ID'\.$/],
		['workOrder:get', { ...byName('99999'), mode: 'externalNumber' }, /choose 'By ID' and give/],
	])('of %s that is an ID is told to be chosen by ID: %j', async (operation, id, advice) => {
		const { error } = await n8n.run(operation, { id });
		expect(error?.description).toMatch(advice);
	});

	it('is rejected before anything is sent if it is empty', async () => {
		const { message } = await n8n.refuse('customer:get', { id: byName('  ') });
		expect(message).toBe("'Customer' is empty");
	});

	it('is not blamed while the service is unavailable', async () => {
		const away = { status: 503, headers: { 'retry-after': '0' }, times: 9 };
		requests.fault(rejection('/query/Customer', undefined, away));
		const { error } = await n8n.run('customer:get', { id: byName('Contoso Pharmacy') });
		expect(error?.message).toBe('Corrigo is not available right now');
		expect(error?.description).not.toContain('give the ID');
	});

	it('fails with an explanation where the service user may not look it up, while an ID works', async () => {
		company.sandbox.set({ unreadable: ['WorkZone'] });
		const update = async (name: string) =>
			await n8n.run('customer:update', {
				id: byId(101),
				fields: filledIn({ 'WorkZone.Id': name }),
			});
		const { error } = await update('Denver Tech Center');
		expect(error?.message).toMatch(
			/^'Work Zone' is "Denver Tech Center", which cannot be looked up: Corrigo refused the request: "You do not/,
		);
		expect((await update('12')).error).toBeUndefined();
	});

	it('that no contact has is reported as such, even if the search by email is refused', async () => {
		const get = async () => (await n8n.run('contact:get', { id: byName('Nobody') })).error;
		const unknown = await get();
		expect(unknown?.message).toContain('Nobody');
		requests.fault(rejection('/query/Contact', undefined, { after: 1 }));
		expect(await get()).toMatchObject({
			message: unknown?.message,
			description: unknown?.description,
		});
	});
});
