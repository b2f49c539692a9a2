import { type Json, getRefusal, sharedClient } from './client';

const client = sharedClient();

describe('AP and cost statuses', () => {
	it('CostStatusChangeCommand changes the cost status and its state', async () => {
		const command = { WorkOrderId: 50004, CostStatusId: 2 };
		const { Financial } = await client.run('CostStatusChangeCommand', command);
		expect(Financial).toMatchObject({ CostStatusId: 2, CostState: 'Submitted' });
	});

	it.each([undefined, 99])('ApStatusChangeCommand rejects the status %s', async (status) => {
		const command = { WorkOrderId: 50005, VendorInvoiceStatusId: status };
		const call = client.command('ApStatusChangeCommand', command);
		expect(await getRefusal(call)).toBe('BUSINESS_LOGIC_ERROR');
	});
});

describe('SpaceCreateCommand', () => {
	const unit = (UnitName: string, rest: object = {}) => ({
		NewUnitSpecifier: { UnitName, UnitFloorPlan: 'Standard Unit', ...rest },
	});
	const create = (members: object) =>
		client.command('SpaceCreateCommand', { CustomerId: '101', ...members });

	it('SpaceCreateCommand creates a unit from a template and a space on it', async () => {
		const StreetAddress = { ActorTypeId: 'CommLeaseSpace', TypeId: 'Primary', Street: '1 Elm' };
		const own = { StartDate: '2026-02-01T00:00:00', Instructions: 'Ring twice' };
		const { data } = await create({ ...unit('Suite 900', { StreetAddress }), ...own });
		const { NewSpace } = data.CommandResult;
		const { Id, Asset } = NewSpace;
		const filledIn = { CustomerId: 101, StatusId: 'Current', WorkZone: { Id: 11 } };
		expect(NewSpace).toMatchObject({ ...own, ...filledIn });
		const tree = client.store.children('AssetTree', 'ParentId', Asset.Id);
		expect(tree.map(({ Distance }) => Distance)).toEqual([0, 1, 1, 1]);
		expect(await client.read('Space', Number(Id), 'Addresses.Street,Asset.Name')).toEqual({
			Addresses: [{ Street: '1 Elm' }],
			Asset: { Name: 'Suite 900' },
		});
		const owner = await client.run('GetCustomerByAssetCommand', { AssetId: Asset.Id });
		expect(owner).toEqual({ CustomerId: 101 });
	});

	it('SpaceCreateCommand ignores, reuses or rejects an existing unit', async () => {
		const asset = async (IfUnitAlreadyExists?: string): Promise<unknown> =>
			(await create({ ...unit('Suite 901'), IfUnitAlreadyExists })).data.CommandResult?.NewSpace
				.Asset.Id;
		const first = await asset();
		expect(await asset('Reuse')).toBe(first);
		expect(await asset('Ignore')).not.toBe(first);
		expect(await asset()).not.toBe(first);
		const again = create({ ...unit('Suite 901'), IfUnitAlreadyExists: 'Fail' });
		expect(await getRefusal(again)).toBe('BUSINESS_LOGIC_ERROR');
	});

	it.each([
		['a missing customer', { CustomerId: undefined, ...unit('S') }],
		['an unknown customer', { CustomerId: '999', ...unit('S') }],
		['a missing unit', {}],
		['a missing unit name', { NewUnitSpecifier: {} }],
		['too long a unit name', unit('x'.repeat(65))],
	])('SpaceCreateCommand rejects %s', async (_case, members) => {
		expect(await getRefusal(create(members))).toBe('BUSINESS_LOGIC_ERROR');
	});
});

describe('suggestions of assignees', () => {
	const suggested = async (members: object) =>
		(await client.run('GetPreferredAssigneesRoutine', members)).Employees as unknown as Json[];
	const listIds = (people: Json[]) => people.map(({ Id }) => Number(Id));
	const listUsers = (entity: string, key: string, id: number) =>
		client.store.children(entity, key, id).map(({ UserId }) => Number(UserId));

	it('are the people of the work zone, those with the specialty first', async () => {
		const ids = listIds(await suggested({ SpecialtyId: 2, WorkZoneId: 11 }));
		expect([...ids].sort()).toEqual(listUsers('LinkUserAndWorkZone', 'WorkZoneId', 11).sort());
		const skilled = listUsers('LinkUserAndSpecialty', 'SpecialtyId', 2);
		const isSkilled = ids.map((id) => skilled.includes(id));
		expect(isSkilled).toContain(true);
		expect(isSkilled).toEqual([...isSkilled].sort().reverse());
	});

	it('are those of the zone of the customer, or with the specialty alone, up to a limit', async () => {
		const { WorkZone } = client.store.existing('Customer', 101);
		const ofZone = await suggested({ WorkZoneId: (WorkZone as { Id: number }).Id });
		expect(await suggested({ CustomerId: 101 })).toEqual(ofZone);
		expect(await suggested({ CustomerId: 101, RecordCount: 2 })).toEqual(ofZone.slice(0, 2));
		expect(listIds(await suggested({ SpecialtyId: 3 }))).toEqual(
			listUsers('LinkUserAndSpecialty', 'SpecialtyId', 3),
		);
		expect(await suggested({})).toEqual([]);
	});

	it('move on with UpdateRoundRobin alone', async () => {
		const zone = { SpecialtyId: 1, WorkZoneId: 11 };
		for (const UserId of listUsers('LinkUserAndWorkZone', 'WorkZoneId', 11)) {
			client.store.insert('LinkUserAndSpecialty', { UserId, SpecialtyId: 1 });
		}
		const before = await suggested(zone);
		expect(await suggested(zone)).toEqual(before);
		expect(await suggested({ ...zone, UpdateRoundRobin: true })).toEqual(before);
		const after = await suggested(zone);
		expect(after[0]).not.toEqual(before[0]);
		expect(listIds(after).sort()).toEqual(listIds(before).sort());
	});

	it.each([{ SpecialtyId: 999 }, { CustomerId: 999 }, { WorkZoneId: 999 }])(
		'are refused for %j',
		async (members) => {
			const call = client.command('GetPreferredAssigneesRoutine', members);
			expect(await getRefusal(call)).toBe('BUSINESS_LOGIC_ERROR');
		},
	);
});

describe('documents', () => {
	const photo = {
		Title: 'photo',
		ActorTypeId: 'WO',
		ActorId: 50001,
		StorageTypeId: 'Cloud',
		DocType: { Id: 3 },
		MimeType: 'text/plain',
		Blob: { FileName: 'hello.txt', Body: Buffer.from('hello ☀').toString('base64') },
	};
	const getLink = async (id: number) => {
		const { Results } = await client.run('GetDocDownloadUrlCommand', { DocumentIds: [id] });
		return (Results as unknown as Array<Record<string, string>>)[0];
	};

	it('a link to a file is rejected with a token or a wrong signature', async () => {
		const [seeded] = client.store.rows('Document');
		const { Url } = await getLink(seeded.Id);
		expect(seeded.DocUrl).toBe(Url);
		expect((await client.send('GET', Url)).status).toBe(400);
		const nobody = { headers: { authorization: null } };
		expect((await client.send('GET', Url.replace(/sig=.*/, 'sig=x'), nobody)).status).toBe(403);
	});

	it('a document stores a URL', async () => {
		const link = { ...photo, Blob: undefined, StorageTypeId: 'URL', DocUrl: 'https://x.example' };
		const { Url } = await getLink(await client.make('Document', link));
		expect(Url).toBe('https://x.example');
	});

	it.each(['Title', 'Blob'])('creating a document without %s fails', async (name) => {
		const { data } = await client.create('Document', { ...photo, [name]: undefined });
		expect(data.ErrorMessage).toBe(`${name} is a required field`);
	});
});

describe('custom fields', () => {
	const value = { ObjectId: 50001, ObjectTypeId: 'WO', Value: 'https://e.example/1' };

	it('a custom field returns URLs as anchors', async () => {
		const id = await client.make('CustomField2', { ...value, Descriptor: { Id: 707 } });
		const anchor = '<a href="https://e.example/1">https://e.example/1</a>';
		expect(await client.read('CustomField2', id, 'Value')).toEqual({ Value: anchor });
		await client.update('CustomField2', { Id: id, Value: 'https://e.example/2' }, ['Value']);
		expect((await client.read('CustomField2', id, 'Value')).Value).toContain('/2">');
	});
});

describe('entities by command', () => {
	it('CreateCommand, UpdateCommand and DeleteCommand act like the /base operations', async () => {
		const contact = { EntityType: 'Contact', LastName: 'Command' };
		const made = await client.run('CreateCommand', { Entity: contact });
		const EntitySpecifier = { EntityType: 'Contact', Id: made.EntitySpecifier.Id };
		await client.command('UpdateCommand', {
			Entity: { ...EntitySpecifier, Comment: 'c' },
			PropertySet: { Properties: ['Comment'] },
		});
		const read = await client.read('Contact', Number(EntitySpecifier.Id), 'Comment');
		expect(read).toEqual({ Comment: 'c' });
		const result = await client.run('DeleteCommand', { EntitySpecifier });
		expect(result).toEqual({ EntitySpecifier, NestedEntitiesOperationResults: [] });
		expect(client.store.existing('Contact', Number(EntitySpecifier.Id)).IsRemoved).toBe(true);
	});

	it.each([
		['RestoreCommand', {}, 'ENTITYSPECIFIER_NOT_FOUND'],
		['CreateCommand', { Entity: {} }, 'INCORRECT_MODEL'],
	])('%s requires an entity or a specifier', async (name, command, code) => {
		expect(await getRefusal(client.command(name, command))).toBe(code);
	});

	it('commands create work zones and take them offline', async () => {
		const zone = { DisplayAs: 'New Zone', WoNumberPrefix: 'NEW' };
		const command = { WorkZone: zone, AssetTemplateId: 1 };
		const { WorkZone } = await client.run('WorkZoneCreateCommand', command);
		expect(WorkZone).toMatchObject({ WoNumberDigits: 7, Asset: {} });
		await client.command('WorkZoneOfflineCommand', { WorkZoneId: WorkZone.Id });
		expect(client.store.get('WorkZone', Number(WorkZone.Id))?.IsOffline).toBe(true);
	});
});

describe('a command of the contract that has no rules here', () => {
	it('answers with its record, which must exist', async () => {
		const name = 'UpdateWoInductionAndSafetyStatusCommand';
		expect(await client.run(name, { WorkOrderId: 50001 })).toMatchObject({ Wo: { Id: 50001 } });
		const codes = [{}, { WorkOrderId: 999_999 }].map(
			async (members) => await getRefusal(client.command(name, members)),
		);
		expect(await Promise.all(codes)).toEqual(['IDENTIFIER_NOT_FOUND', 'ERROR_CODE_1019']);
	});

	it('says where its handler goes if it acts on no record', async () => {
		const { data } = await client.command('CompositeCommand', { Commands: [] });
		expect(data).toMatchObject({
			ErrorCode: 'COMMAND_NOT_FOUND',
			ErrorMessage: expect.stringMatching(/ needs a handler in sandbox\/commands\/index\.ts$/),
		});
	});
});
