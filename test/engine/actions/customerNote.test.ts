import { byId, byName, jsonOf, shareCompany, some, idsOf } from '../../support/company';

const { n8n, records, requests } = shareCompany();

const first = (entity: string) => records.rows(entity)[1];
const listNotes = (ActorId: number) => records.children('Note', 'ActorId', ActorId);
const create = async (form: object, more: object = {}) =>
	await n8n.run(
		'customerNote:create',
		{ actorTypeId: 'CommLease', actorId: byId(first('Customer').Id), text: 'x', ...form },
		more,
	);

it.each([
	['CommLease', 'Customer'],
	['LeaseUser', 'Contact'],
])(
	'a note is added to %s, found by name, with the service user as its author',
	async (actorTypeId, entity) => {
		const { Id, DisplayAs } = first(entity);
		const run = await create({
			actorTypeId,
			actorId: byName(DisplayAs),
			text: 'Two lines,\n"quoted" & ünïcode',
			noteType: byName('billing'),
			options: { author: 'Ada', returnRecord: true },
		});
		expect(run.error).toBeUndefined();
		expect(listNotes(Id)).toEqual([
			some({
				ActorTypeId: actorTypeId,
				NoteTypeLookup: { Id: 2 },
				NoteText: 'Ada: Two lines,\n"quoted" & ünïcode',
				CreatedBy: some({ DisplayAs: 'Web Services User' }) as unknown,
			}),
		]);
		expect(run.items[0].json).toMatchObject({ ActorId: Id, NoteTypeLookup: { Id: 2 } });
	},
);

it('a note needs neither type nor author', async () => {
	await create({});
	expect(requests.bodies()).toMatchObject([
		{ Entity: { ActorTypeId: 'CommLease', ActorId: first('Customer').Id, NoteText: 'x' } },
	]);
	expect(records.rows('Note').at(-1)).not.toHaveProperty('NoteTypeLookup');
});

it('Get Many returns all customer notes unless one customer or contact is chosen', async () => {
	const readIds = async (form: object) =>
		idsOf(jsonOf((await n8n.succeed('customerNote:getMany', { returnAll: true, ...form })).items));
	expect(await readIds({})).toEqual(records.ids('Note'));
	for (const [actorTypeId, other] of [
		['CommLease', 'LeaseUser'],
		['LeaseUser', 'CommLease'],
	]) {
		const { Id, ActorId } = records.find('Note', { ActorTypeId: actorTypeId });
		// A contact and a customer may have equal IDs.
		records.insert('Note', { ActorTypeId: other, ActorId });
		expect(await readIds({ actorTypeId, actorId: byId(ActorId) })).toEqual([Id]);
	}
});
