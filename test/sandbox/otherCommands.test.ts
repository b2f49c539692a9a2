import { errorOf, type Json, sharedClient } from './client';

const client = sharedClient();

describe('AP and cost statuses', () => {
	it('ApStatusChangeCommand changes the AP status and its state', async () => {
		const command = { WorkOrderid: 50001, VendorInvoiceStatusId: 3, Comment: 'paid' };
		const { data } = await client.command('ApStatusChangeCommand', command, 'a1');
		expect(data).toMatchObject({
			CommandResult: {
				Financial: { Id: 50001, ApStatusId: 3, ApStateId: 'Paid', PaymentNotes: 'paid' },
			},
			RequestId: 'a1',
		});
		const [log] = client.store.children('WoActionLog', 'WorkOrderId', 50001).slice(-1);
		expect(log.TypeId).toBe('APInvStatus');
	});

	it('ApStatusChangeCommand keeps payment notes with KeepCommentIntact', async () => {
		const change = async (members: object) =>
			await client.command('ApStatusChangeCommand', { WorkOrderId: 50002, ...members });
		await change({ VendorInvoiceStatusId: 2, Comment: 'kept' });
		const { data } = await change({
			VendorInvoiceStatusId: 3,
			Comment: 'new',
			KeepCommentIntact: true,
		});
		expect(data.CommandResult.Financial.PaymentNotes).toBe('kept');
	});

	it('ApSubmitPaymentCommand writes a payment', async () => {
		const { data } = await client.command('ApSubmitPaymentCommand', {
			WorkOrderId: 50003,
			VendorInvoiceStatusId: 3,
			PaymentAmount: { CurrencyTypeId: 'USD', Value: 12.5 },
			CheckNumber: '77',
			CheckCutDate: '2026-01-31T00:00:00',
		});
		expect(data.CommandResult.Financial).toMatchObject({
			PaymentAmount: { CurrencyTypeId: 'USD', Value: 12.5 },
			CheckNumber: '77',
			CheckCutDate: '2026-01-31T00:00:00',
		});
	});

	it('CostStatusChangeCommand changes the cost status and its state', async () => {
		const command = { WorkOrderId: 50004, CostStatusId: 2 };
		const { data } = await client.command('CostStatusChangeCommand', command);
		expect(data.CommandResult.Financial).toMatchObject({
			CostStatusId: 2,
			CostState: 'Submitted',
		});
	});

	it.each([
		['a missing status', {}, 'BUSINESS_LOGIC_ERROR'],
		['an unknown status', { VendorInvoiceStatusId: 99 }, 'BUSINESS_LOGIC_ERROR'],
		[
			'a status other than expected',
			{ VendorInvoiceStatusId: 2, CurrentStatusId: 7 },
			'ERROR_CODE_6',
		],
		[
			'a version other than expected',
			{ VendorInvoiceStatusId: 2, FinancialConcurrencyId: 9 },
			'ERROR_CODE_6',
		],
	])('ApStatusChangeCommand rejects %s', async (_case, members, code) => {
		const command = { WorkOrderId: 50005, ...members };
		expect(errorOf(await client.command('ApStatusChangeCommand', command))).toEqual([400, code]);
	});
});

describe('SpaceCreateCommand', () => {
	const unit = (UnitName: string, rest: object = {}) => ({
		NewUnitSpecifier: { UnitName, UnitFloorPlan: 'Standard Unit', ...rest },
	});
	const create = async (members: object) =>
		await client.command('SpaceCreateCommand', { CustomerId: '101', ...members });

	it('SpaceCreateCommand creates a unit from a template and a space on it', async () => {
		const { status, data } = await create({
			...unit('Suite 900', {
				StreetAddress: { ActorTypeId: 'CommLeaseSpace', TypeId: 'Primary', Street: '1 Elm' },
			}),
			StartDate: '2026-02-01T00:00:00',
			Instructions: 'Ring twice',
		});
		expect(status).toBe(200);
		const { Id, Asset } = data.CommandResult.NewSpace;
		expect(data.CommandResult.NewSpace).toMatchObject({
			CustomerId: 101,
			StatusId: 'Current',
			WorkZone: { Id: 11 },
			StartDate: '2026-02-01T00:00:00',
			Instructions: 'Ring twice',
		});
		const { store } = client;
		const tree = store.children('AssetTree', 'ParentId', Asset.Id);
		expect(tree.map(({ Distance }) => Distance)).toEqual([0, 1, 1, 1]);
		expect(await client.read('Space', Number(Id), 'Addresses.Street,Asset.Name')).toEqual({
			Addresses: [{ Street: '1 Elm' }],
			Asset: { Name: 'Suite 900' },
		});
		const { data: owner } = await client.command('GetCustomerByAssetCommand', {
			AssetId: Asset.Id,
		});
		expect(owner.CommandResult).toEqual({ CustomerId: 101 });
	});

	it('SpaceCreateCommand ignores, reuses or rejects an existing unit', async () => {
		const asset = async (IfUnitAlreadyExists?: string): Promise<unknown> =>
			(await create({ ...unit('Suite 901'), IfUnitAlreadyExists })).data.CommandResult?.NewSpace
				.Asset.Id;
		const first = await asset();
		expect(await asset('Reuse')).toBe(first);
		expect(await asset('Ignore')).not.toBe(first);
		expect(await asset()).not.toBe(first);
		const refused = await create({ ...unit('Suite 901'), IfUnitAlreadyExists: 'Fail' });
		expect(errorOf(refused)).toEqual([400, 'BUSINESS_LOGIC_ERROR']);
	});

	it('SpaceCreateCommand accepts a unit by its Id', async () => {
		const [space] = client.store.rows('Space');
		const { Id } = space.Asset as { Id: number };
		const { data } = await create({ UnitId: Id });
		expect(data.CommandResult.NewSpace.Asset).toEqual({ Id });
	});

	it.each([
		['a missing customer', { CustomerId: undefined, ...unit('S') }],
		['an unknown customer', { CustomerId: '999', ...unit('S') }],
		['a missing unit', {}],
		['a missing unit name', { NewUnitSpecifier: {} }],
		['too long a unit name', unit('x'.repeat(65))],
	])('SpaceCreateCommand rejects %s', async (_case, members) => {
		expect(errorOf(await create(members))).toEqual([400, 'BUSINESS_LOGIC_ERROR']);
	});

	it('SpaceCreateCommand names a template it cannot find', async () => {
		const { data } = await create(unit('Suite 902', { UnitFloorPlan: 'Palace' }));
		expect(data.ErrorMessage).toBe("Template 'Palace' cannot be found; or ambiguous template name");
	});
});

describe('suggestions of assignees', () => {
	const suggested = async (members: object) =>
		(await client.command('GetPreferredAssigneesRoutine', members)).data.CommandResult
			.Employees as unknown as Json[];
	const idsOf = (people: Json[]) => people.map(({ Id }) => Number(Id));
	const usersWith = (entity: string, key: string, id: number) =>
		client.store.children(entity, key, id).map(({ UserId }) => Number(UserId));

	it('are the people of the work zone, those with the specialty first', async () => {
		const ids = idsOf(await suggested({ SpecialtyId: 2, WorkZoneId: 11 }));
		expect([...ids].sort()).toEqual(usersWith('LinkUserAndWorkZone', 'WorkZoneId', 11).sort());
		const skilled = usersWith('LinkUserAndSpecialty', 'SpecialtyId', 2);
		const isSkilled = ids.map((id) => skilled.includes(id));
		expect(isSkilled).toContain(true);
		expect(isSkilled).toEqual([...isSkilled].sort().reverse());
	});

	it('are those of the zone of the customer, or with the specialty alone, up to a limit', async () => {
		const { WorkZone } = client.store.existing('Customer', 101);
		const ofZone = await suggested({ WorkZoneId: (WorkZone as { Id: number }).Id });
		expect(await suggested({ CustomerId: 101 })).toEqual(ofZone);
		expect(await suggested({ CustomerId: 101, RecordCount: 2 })).toEqual(ofZone.slice(0, 2));
		expect(idsOf(await suggested({ SpecialtyId: 3 }))).toEqual(
			usersWith('LinkUserAndSpecialty', 'SpecialtyId', 3),
		);
		expect(await suggested({})).toEqual([]);
	});

	it('move on with UpdateRoundRobin alone', async () => {
		const zone = { SpecialtyId: 1, WorkZoneId: 11 };
		for (const UserId of usersWith('LinkUserAndWorkZone', 'WorkZoneId', 11)) {
			client.store.insert('LinkUserAndSpecialty', { UserId, SpecialtyId: 1 });
		}
		const before = await suggested(zone);
		expect(await suggested(zone)).toEqual(before);
		expect(await suggested({ ...zone, UpdateRoundRobin: true })).toEqual(before);
		const after = await suggested(zone);
		expect(after[0]).not.toEqual(before[0]);
		expect(idsOf(after).sort()).toEqual(idsOf(before).sort());
	});

	it.each([{ SpecialtyId: 999 }, { CustomerId: 999 }, { WorkZoneId: 999 }])(
		'are refused for %j',
		async (members) => {
			const answer = await client.command('GetPreferredAssigneesRoutine', members);
			expect(errorOf(answer)).toEqual([400, 'BUSINESS_LOGIC_ERROR']);
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
	const linkOf = async (id: number) =>
		(await client.command('GetDocDownloadUrlCommand', { DocumentIds: [id] })).data.CommandResult
			.Results as unknown as Array<Record<string, string>>;

	it('a document stores a file and returns a link to it', async () => {
		const { data } = await client.create('Document', photo);
		const id = Number(data.EntitySpecifier.Id);
		const [{ DocumentId, Url, FileName }] = await linkOf(id);
		expect([DocumentId, FileName]).toEqual([id, 'hello.txt']);
		const file = await client.send('GET', Url, {
			headers: { authorization: null, companyname: null },
		});
		expect([file.status, file.data]).toEqual([200, 'hello ☀']);
		expect(file.headers.get('content-type')).toContain('text/plain');
		expect((await client.read('Document', id, 'DocUrl')).DocUrl).toBe(Url);
	});

	it('a link to a file is rejected with a token or a wrong signature', async () => {
		const [seeded] = client.store.rows('Document');
		const [{ Url }] = await linkOf(seeded.Id);
		expect(seeded.DocUrl).toBe(Url);
		expect((await client.send('GET', Url)).status).toBe(400);
		const nobody = { headers: { authorization: null } };
		expect((await client.send('GET', Url.replace(/sig=.*/, 'sig=x'), nobody)).status).toBe(403);
	});

	it('a document stores a URL', async () => {
		const link = { ...photo, Blob: undefined, StorageTypeId: 'URL', DocUrl: 'https://x.example' };
		const { data } = await client.create('Document', link);
		const [{ Url }] = await linkOf(Number(data.EntitySpecifier.Id));
		expect(Url).toBe('https://x.example');
	});

	it.each(['ActorId', 'ActorTypeId', 'Title', 'DocType', 'StorageTypeId', 'MimeType', 'Blob'])(
		'creating a document without %s fails',
		async (name) => {
			const { data } = await client.create('Document', { ...photo, [name]: undefined });
			expect(data.ErrorMessage).toBe(`${name} is a required field`);
		},
	);
});

describe('custom fields', () => {
	const value = (members: object = {}) => ({
		Descriptor: { Id: 701 },
		ObjectId: 50001,
		ObjectTypeId: 'WO',
		Value: 'v',
		...members,
	});

	it('a custom field of another kind of object is rejected as a conflict', async () => {
		const answer = await client.create('CustomField2', value({ Descriptor: { Id: 708 } }));
		expect(errorOf(answer)).toEqual([400, 'ERROR_CODE_6']);
	});

	it('a custom field returns URLs as anchors', async () => {
		const link = value({ Descriptor: { Id: 707 }, Value: 'https://e.example/1' });
		const { data } = await client.create('CustomField2', link);
		const id = Number(data.EntitySpecifier.Id);
		const anchor = '<a href="https://e.example/1">https://e.example/1</a>';
		expect(await client.read('CustomField2', id, 'Value')).toEqual({ Value: anchor });
		await client.update('CustomField2', { Id: id, Value: 'https://e.example/2' }, ['Value']);
		expect((await client.read('CustomField2', id, 'Value')).Value).toContain('/2">');
	});
});

describe('entities by command', () => {
	it('CreateCommand, UpdateCommand and DeleteCommand act like the /base operations', async () => {
		const made = await client.command('CreateCommand', {
			Entity: { EntityType: 'Contact', LastName: 'Command' },
		});
		const { Id } = made.data.CommandResult.EntitySpecifier;
		await client.command('UpdateCommand', {
			Entity: { EntityType: 'Contact', Id, Comment: 'c' },
			PropertySet: { Properties: ['Comment'] },
		});
		expect((await client.read('Contact', Number(Id), 'Comment')).Comment).toBe('c');
		const EntitySpecifier = { EntityType: 'Contact', Id };
		const { data } = await client.command('DeleteCommand', { EntitySpecifier });
		expect(data.CommandResult).toEqual({ EntitySpecifier, NestedEntitiesOperationResults: [] });
	});

	it('commands on entities require an entity or a specifier', async () => {
		expect(errorOf(await client.command('RestoreCommand', {}))).toEqual([
			400,
			'ENTITYSPECIFIER_NOT_FOUND',
		]);
		expect(errorOf(await client.command('CreateCommand', { Entity: {} }))).toEqual([
			400,
			'INCORRECT_MODEL',
		]);
	});

	it('commands create work zones and take them offline', async () => {
		const WorkZone = { DisplayAs: 'New Zone', WoNumberPrefix: 'NEW' };
		const made = await client.command('WorkZoneCreateCommand', { WorkZone, AssetTemplateId: 1 });
		expect(made.data.CommandResult.WorkZone).toMatchObject({ WoNumberDigits: 7, Asset: {} });
		const WorkZoneId = made.data.CommandResult.WorkZone.Id;
		await client.command('WorkZoneOfflineCommand', { WorkZoneId });
		expect(client.store.get('WorkZone', Number(WorkZoneId))?.IsOffline).toBe(true);
		const bare = await client.command('WorkZoneCreateCommand', { WorkZone });
		expect(bare.status).toBe(200);
	});
});
