/** *Skip If the Same Exists*: notes and documents that come twice are stored once. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { byId, jsonOf, shareCompany, some, withShortPauses } from '../../support/company';
import { startCpuTime } from '../../support/cpu';

const company = shareCompany();
const { n8n, records, requests } = company;

const OPTION = { skipIfSameExists: true };
const first = (entity: string) => records.rows(entity)[0].Id;
const fileOf = (text: string, fileName: string): INodeExecutionData => ({
	json: {},
	binary: {
		data: { data: Buffer.from(text).toString('base64'), mimeType: 'text/plain', fileName },
	},
});

interface Case {
	operation: string;
	entity: string;
	form: () => IDataObject;
	/** Changes that spell the same in another way. */
	alike?: () => IDataObject;
	/** Something else. */
	other: () => IDataObject;
	item?: INodeExecutionData;
}

const cases: Case[] = [
	{
		operation: 'note:create',
		entity: 'WoNote',
		form: () => ({ workOrder: byId(first('WorkOrder')), body: 'One\nTwo', type: 'Public' }),
		alike: () => ({ body: ' One\r\nTwo ' }),
		other: () => ({ type: 'Private' }),
	},
	{
		operation: 'customerNote:create',
		entity: 'Note',
		form: () => ({
			actorTypeId: 'CommLease',
			actorId: byId(first('Customer')),
			text: 'Rings twice',
		}),
		other: () => ({ text: 'Rings once' }),
	},
	{
		operation: 'document:upload',
		entity: 'Document',
		form: () => ({
			actorTypeId: 'WO',
			actorId: byId(first('WorkOrder')),
			documentType: byId(first('DocumentType')),
		}),
		other: () => ({ additionalFields: { fileName: 'b.txt' } }),
		item: fileOf('x', 'a.txt'),
	},
	{
		operation: 'document:upload',
		entity: 'Document',
		form: () => ({
			actorTypeId: 'Asset',
			actorId: byId(first('Location')),
			documentType: byId(first('DocumentType')),
			source: 'link',
			url: 'https://example.org/a.pdf',
		}),
		other: () => ({ url: 'https://example.org/b.pdf' }),
	},
];

const run = async (
	one: Case,
	changed: IDataObject = {},
	count = 1,
	options: IDataObject = OPTION,
) =>
	await n8n.run(
		one.operation,
		{ ...one.form(), ...changed, options },
		{ items: Array.from({ length: count }, () => one.item ?? { json: {} }) },
	);

const existed = (items: INodeExecutionData[]) => jsonOf(items).map((one) => one.AlreadyExisted);

it.each(cases.slice(0, 2).map((one) => [one.operation, one] as const))(
	'%s with an author is found by its text, whatever blanks are around it',
	async (_, one) => {
		const options = { ...OPTION, author: 'Nathan' };
		const [name] = ['body', 'text'].filter((field) => field in one.form());
		for (const text of ['Hello', ' Hello ', '\nHello', 'Hello\t']) {
			const { items } = await run(one, { [name]: text }, 1, options);
			expect(existed(items)).toEqual([text !== 'Hello']);
		}
	},
);

describe.each(cases.map((one) => [`${one.operation} of ${one.entity}`, one] as const))(
	'%s',
	(_, one) => {
		it('is stored once by repeated executions, and again if it says something else', async () => {
			const before = records.rows(one.entity).length;
			const { items } = await run(one);
			expect(existed(items)).toEqual([false]);
			const again = await run(one, one.alike?.());
			const owner = Object.entries(items[0].json).filter(([name]) => /^(Id|Actor|Work)/.test(name));
			expect(owner).not.toHaveLength(1);
			expect(jsonOf(again.items)).toEqual([
				some({ AlreadyExisted: true, ...Object.fromEntries(owner) }),
			]);
			expect(records.rows(one.entity)).toHaveLength(before + 1);
			const dry = await run(one, {}, 1, { ...OPTION, dryRun: 'always' });
			expect(jsonOf(dry.items)).toEqual([
				some({ Summary: 'Would create nothing, as the record already exists' }),
			]);
			const twice = await run(one, one.other(), 2, { ...OPTION, dryRun: 'always' });
			const [first, second] = jsonOf(twice.items);
			expect(first).toMatchObject({ Outcome: 'wouldCreate' });
			expect(second).toMatchObject({
				AlreadyExisted: true,
				Summary: 'Would create nothing, as an earlier item of this run would create the record',
				ConfirmationKey: expect.any(String),
			});
			for (const name of ['Id', 'WouldSend']) expect(second).not.toHaveProperty(name);
			expect(existed((await run(one, one.other())).items)).toEqual([false]);
			expect(records.rows(one.entity)).toHaveLength(before + 2);
			// Without the option, it is stored as often as it comes.
			await run(one, {}, 1, {});
			expect(records.rows(one.entity)).toHaveLength(before + 3);
		});

		it('is stored once by the items of a run, also in parallel, with one search', async () => {
			const before = records.rows(one.entity).length;
			const options = { ...OPTION, advanced: { parallelRequests: 4 } };
			const { items } = await run(one, {}, 5, options);
			expect(existed(items)).toEqual([false, true, true, true, true]);
			expect(records.rows(one.entity)).toHaveLength(before + 1);
			expect(requests.queries()).toEqual([one.entity]);
			// An item that comes later shows what the next run finds.
			const [found] = jsonOf((await run(one)).items);
			expect(jsonOf(items.slice(1))).toEqual([1, 2, 3, 4].map(() => found));
		});

		it.each(['resetAfter', 'resetBefore'] as const)(
			'is stored once if the answer is lost (%s)',
			async (kind) => {
				const before = records.rows(one.entity).length;
				requests.fault({ match: { pathIncludes: '/base/', method: 'POST' }, kind });
				await withShortPauses(() => run(one));
				const again = await withShortPauses(() => run(one));
				expect(existed(again.items)).toEqual([kind === 'resetAfter']);
				expect(records.rows(one.entity)).toHaveLength(before + 1);
			},
		);
	},
);

it('a file without a title is not one whose title is a word for nothing', async () => {
	const [, , file] = cases;
	const { items } = await run({ ...file, item: fileOf('x', 'undefined') });
	records.change('Document', Number(items[0].json.Id), { Title: undefined });
	const again = await run({ ...file, item: fileOf('x', 'undefined') });
	expect(existed(again.items)).toEqual([false]);
});

it('a link with the title of a file does not stand for the file', async () => {
	const [, , file, link] = cases;
	const titled = { actorTypeId: 'WO', actorId: byId(first('WorkOrder')) };
	await run(link, { ...titled, additionalFields: { title: 'a.txt' } });
	expect(existed((await run(file)).items)).toEqual([false]);
});

it('an item shows what is there, not what was asked for', async () => {
	const [, note, file] = cases;
	await run(note, { additionalFields: { isResolved: false } });
	await run(file, { additionalFields: { isPublic: false } });
	const items = [
		...(await run(note, { additionalFields: { isResolved: true } })).items,
		...(await run(file, { additionalFields: { isPublic: true } })).items,
	];
	expect(existed(items)).toEqual([true, true]);
	expect(jsonOf(items)).not.toContainEqual(some({ IsResolved: true }));
	expect(jsonOf(items)).not.toContainEqual(some({ IsPublic: true }));
});

it('many notes of one order are compared within a moment', async () => {
	const [note] = cases;
	const texts = Array.from({ length: 300 }, (_, index) => `${'x'.repeat(20_000)}${index}`);
	const form = { ...note.form(), body: '={{ $json.x }}', options: { ...OPTION, dryRun: 'always' } };
	const readCpuTime = startCpuTime();
	await n8n.succeed(note.operation, form, { items: texts.map((x) => ({ json: { x } })) });
	// Comparing each with each took ten times as long.
	expect(readCpuTime()).toBeLessThan(10);
});
