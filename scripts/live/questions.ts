/** Open questions that reads can answer; docs/internals/live.md says what the package does for each answer. */
import { describeRefusal, readRecords, type Row } from './answers';
import type { Answer, Send } from './company';
import { isInterfaceName } from './vocabulary';

type Ask = (entity: string, expression?: object) => Promise<Rows>;

interface Rows {
	rows?: Row[];
	/** Answer to the question if the service refuses the request. */
	refusal: string;
}

interface Question {
	question: string;
	ask: (ask: Ask) => Promise<string>;
}

function toRows(answer: Answer): Rows {
	const rows = answer.status === 200 ? readRecords(answer.body) : undefined;
	return rows ? { rows, refusal: '' } : { refusal: describeRefusal(answer) };
}

const count = ({ rows, refusal }: Rows) => (rows ? `${rows.length} rows` : refusal);
const where = (PropertyName: string, Operator: string, ...Values: unknown[]) => ({
	Criteria: { FilterOperator: 'And', Conditions: [{ PropertyName, Operator, Values }] },
});
const only = (...Properties: string[]) => ({ PropertySet: { Properties } });
const newest = { Orders: [{ PropertyName: 'Id', OrderType: 'Descending' }], Count: 1 };

const swapCase = (text: string) =>
	text.replace(/\p{L}/gu, (letter) =>
		letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
	);

/** Compares names of work zones, which every Company has; the names stay out of the answer. */
async function findZone(ask: Ask, operator: string, change: (name: string) => string) {
	const { rows = [], refusal } = await ask('WorkZone', { ...only('Id', 'DisplayAs'), Count: 50 });
	const zone = rows.find(({ DisplayAs }) => change(String(DisplayAs)) !== String(DisplayAs));
	if (zone === undefined) return refusal || 'no work zone to try it with';
	const condition = where('DisplayAs', operator, change(String(zone.DisplayAs)));
	const found = await ask('WorkZone', { ...only('Id'), ...condition, Count: 50 });
	if (found.rows === undefined) return found.refusal;
	return found.rows.some(({ Id }) => Id === zone.Id) ? 'yes' : 'no';
}

const questions: readonly Question[] = [
	...[{ Count: 4001 }, { Count: 0 }, {}].map(
		(page): Question => ({
			question: `How many rows has an answer with ${'Count' in page ? `Count ${page.Count}` : 'no Count'}?`,
			ask: async (ask) => count(await ask('WoActionLog', { ...only('Id'), ...page })),
		}),
	),
	{
		question: 'Does Equal ignore case?',
		ask: async (ask) => await findZone(ask, 'Equal', swapCase),
	},
	{
		question: 'Does Like ignore case?',
		ask: async (ask) => await findZone(ask, 'Like', swapCase),
	},
	{
		question: 'Is _ a wildcard of Like?',
		ask: async (ask) => await findZone(ask, 'Like', (name) => name.replace(/^[^_%[]/, '_')),
	},
	{
		question: 'Are [ and ] wildcards of Like?',
		ask: async (ask) => await findZone(ask, 'Like', (name) => name.replace(/^\w/, '[$&]')),
	},
	{
		question: 'Does Equal ignore accents?',
		ask: async (ask) =>
			await findZone(ask, 'Equal', (name) => name.normalize('NFD').replace(/\p{M}/gu, '')),
	},
	{
		question: 'Can a condition have characters beyond Latin-1?',
		ask: async (ask) => {
			const condition = where('DisplayAs', 'Equal', 'ł');
			const { rows, refusal } = await ask('WorkZone', { ...only('Id'), ...condition, Count: 1 });
			return rows ? 'yes' : refusal;
		},
	},
	{
		question: 'Which members of a work order are not published?',
		ask: async (ask) => {
			const { rows, refusal } = await ask('WorkOrder', { ...only('*'), ...newest });
			if (rows === undefined) return refusal;
			const unknown = Object.keys(rows[0] ?? {}).filter((name) => !isInterfaceName(name));
			return unknown.length === 0 ? 'none' : `${unknown.length}, whose names are not recorded`;
		},
	},
	{
		question: 'Does the log of actions show the previous status?',
		ask: async (ask) => {
			const condition = where('TypeId', 'Equal', 'PrevWoStatus');
			const { rows, refusal } = await ask('WoActionLogProp', {
				...only('Id', 'WoActionLogId', 'TypeId', 'ValueInt', 'ValueStr'),
				...condition,
				Count: 5,
			});
			return rows ? `as PrevWoStatus in ${rows.length} of 5 rows` : refusal;
		},
	},
	{
		question: 'Has an attribute with a history several values of one asset?',
		ask: async (ask) => {
			const keeps = where('IsHistory', 'Equal', true);
			const found = await ask('AttributeDescriptor', { ...only('Id'), ...keeps, Count: 1 });
			if (found.rows === undefined) return found.refusal;
			if (found.rows.length === 0) return 'no attribute keeps a history';
			const { rows, refusal } = await ask('AssetAttribute', {
				...only('AssetId'),
				...where('Descriptor.Id', 'Equal', found.rows[0].Id),
				Count: 500,
			});
			if (rows === undefined) return refusal;
			const assets = new Set(rows.map(({ AssetId }) => AssetId));
			return `${rows.length} values of ${assets.size} assets`;
		},
	},
];

/** Questions are asked one after the other, each answered in a few words without data of the Company. */
export async function askQuestions(send: Send): Promise<Array<[question: string, answer: string]>> {
	const answered = new Map<string, Rows>();
	const ask: Ask = async (entity, expression) => {
		const key = JSON.stringify([entity, expression]);
		const rows =
			answered.get(key) ??
			toRows(await send('POST', `query/${entity}`, { QueryExpression: expression }));
		answered.set(key, rows);
		return rows;
	};
	const answers: Array<[string, string]> = [];
	for (const { question, ask: answer } of questions) answers.push([question, await answer(ask)]);
	return answers;
}
