/**
 * Writes to one test work order, to learn what reads cannot show. Each write is shown first, sent once
 * its user has typed the number of the order, and undone where that is possible.
 */
import {
	buildChanges,
	buildCommandRequest,
	buildCreateRequest,
	buildDeleteRequest,
	buildQueryRequest,
	buildUpdateRequest,
	type ServiceRequest,
} from '../../nodes/Corrigo/wire/requests';
import { and, equal, greaterThan } from '../../nodes/Corrigo/wire/criteria';
import { describeRefusal, isObject, readRecords, type Row } from './answers';
import type { Answer, Send } from './company';

type Request = Pick<ServiceRequest<unknown>, 'method' | 'path' | 'query' | 'body'>;

export interface Person {
	ask: (question: string) => Promise<string>;
	print: (text: string) => void;
}

interface Undo {
	title: string;
	request: Request;
}

/** Nobody knows whether the write has run, so no other one follows. */
class InDoubt extends Error {}

export const MAX_WRITES = 15;

const isAccepted = ({ status = 0 }: Answer) => status >= 200 && status < 300;

const readId = ({ body }: Answer): number => {
	const { EntitySpecifier: inner } = isObject(body) ? body : {};
	return Number(isObject(inner) ? inner.Id : NaN);
};

export class WriteTest {
	readonly answers: Array<[question: string, answer: string]> = [];
	private readonly undoSteps: Undo[] = [];
	private writes = 0;

	constructor(
		private readonly sendRequest: Send,
		private readonly person: Person,
		readonly order: Row,
	) {}

	async send({ method, path, query, body }: Request): Promise<Answer> {
		const search = query ? `?${new URLSearchParams(query).toString()}` : '';
		return await this.sendRequest(method, path.replace('/api/v1/', '') + search, body);
	}

	async query(entity: string, properties: string[], criteria: ReturnType<typeof and>) {
		const PropertySet = { Properties: ['Id', ...properties] };
		const Orders = [{ PropertyName: 'Id', OrderType: 'Descending' as const }];
		const expression = { PropertySet, Criteria: criteria, Orders, Count: 50 };
		const request = buildQueryRequest(entity, expression);
		const { body } = await this.send(request);
		return readRecords(body) ?? [];
	}

	/** Returns the answer, or undefined if the user has not confirmed the write. */
	async write(title: string, request: Request, undo?: Undo): Promise<Answer | undefined> {
		const number = String(this.order.Number);
		this.person.print(`\n${title}\n${formatRequest(request)}`);
		const typed = await this.person.ask(`Type ${number} to send this, or press Enter to skip: `);
		if (typed.trim() !== number) return undefined;
		if (this.writes === MAX_WRITES) throw new Error('The write test has sent all of its writes');
		this.writes += 1;
		// The undo is known before the answer, because a write whose answer is lost may have run.
		if (undo) this.undoSteps.push(undo);
		const answer = await this.send(request);
		const { status = 500 } = answer;
		if (status >= 500) throw new InDoubt(title);
		if (undo && !isAccepted(answer)) this.forget(undo);
		this.person.print(isAccepted(answer) ? 'Accepted' : describeRefusal(answer));
		return answer;
	}

	forget(undo: Undo): void {
		this.undoSteps.splice(this.undoSteps.indexOf(undo), 1);
	}

	addUndo(title: string, request: Request): Undo {
		const undo = { title, request };
		this.undoSteps.push(undo);
		return undo;
	}

	/** Undoes the newest write first; what is not undone is left to the user. */
	async undoAll(): Promise<string[]> {
		const left: string[] = [];
		for (const { title, request } of this.undoSteps.splice(0).reverse()) {
			const answer = await this.write(title, request).catch((failure: unknown) => {
				if (!(failure instanceof InDoubt)) throw failure;
				return undefined;
			});
			if (answer === undefined || !isAccepted(answer)) left.push(title);
		}
		return left;
	}

	update(changes: Row, properties?: string[]): Request {
		const { Properties, Entity } = buildChanges('Write test', Number(this.order.Id), changes);
		const all = { Properties: properties ?? Properties, Entity };
		return buildUpdateRequest('WorkOrder', all, '');
	}

	command(name: string, body: Row): Request {
		return buildCommandRequest(name, { WorkOrderId: this.order.Id, ...body }, '');
	}

	note(question: string, answer: Answer | undefined, accepted = 'yes'): void {
		const text = answer === undefined ? 'skipped' : describeRefusal(answer);
		this.answers.push([question, answer && isAccepted(answer) ? accepted : text]);
	}
}

const MAX_SHOWN = 200;

/** Long texts, such as files, are cut. */
const formatRequest = ({ method, path, query, body }: Request) =>
	[
		`${method} ${path}${query ? ` ${JSON.stringify(query)}` : ''}`,
		...(body === undefined
			? []
			: [
					JSON.stringify(
						body,
						(_, value: unknown) =>
							typeof value === 'string' && value.length > MAX_SHOWN
								? `${value.slice(0, MAX_SHOWN)}… (${value.length} characters)`
								: value,
						2,
					),
				]),
	].join('\n');

type Part = (test: WriteTest) => Promise<void>;

const TEXT = 'n8n write test';

/** The version from before the first write tells whether versions are enforced. */
const tryVersions: Part = async (test) => {
	const { PoNumber, ConcurrencyId } = test.order;
	const before = { PoNumber: PoNumber ?? '' };
	const undo = { title: 'Set the PO number back', request: test.update(before) };
	const changes = test.update({ PoNumber: TEXT, ConcurrencyId }, ['PoNumber']);
	const first = await test.write('Set the PO number, with the version of the order', changes, undo);
	test.note('Does an update take a current ConcurrencyId?', first);
	if (first === undefined || !isAccepted(first)) return;
	const old = test.update({ ...before, ConcurrencyId }, ['PoNumber']);
	const second = await test.write('Set it back, with the version that is old now', old);
	test.note('Does an update take an old ConcurrencyId?', second, 'yes, versions are not enforced');
	if (second && isAccepted(second)) test.forget(undo);
};

const CHARACTERS = 'é ł 漢';

const tryRows: Part = async (test) => {
	const { Id } = test.order;
	const note = (text: string) => ({ Body: `${TEXT} ${text}`, NoteTypeId: 'Private' });
	const remove = (...notes: unknown[]) =>
		test.update({ Notes: notes.map((one) => ({ Id: one, PerformDeletion: true })) });
	const own = buildCreateRequest('WoNote', { WorkOrderId: Id, ...note(CHARACTERS) }, '');
	const first = await test.write('Add a private note', own);
	test.note('Can a note be added?', first);
	if (first === undefined || !isAccepted(first)) return;
	const undo = test.addUndo('Delete the note', remove(readId(first)));
	const title =
		'Add another note, as a row of the order without an Id, which may replace its notes';
	const second = await test.write(title, test.update({ Notes: [note('2')] }));
	const rows = await test.query('WoNote', ['Body'], and(equal('WorkOrderId', Id)));
	const texts = new Map(rows.map((one) => [String(one.Body), one.Id]));
	const kept = [...texts.keys()].find((text) => text.startsWith(TEXT) && !text.endsWith('2'));
	if (kept !== undefined) {
		const lost = [...CHARACTERS].filter((one) => !kept.includes(one));
		test.answers.push([
			`Does a note keep ${CHARACTERS}?`,
			lost.length === 0 ? 'yes' : `not ${lost.join(' ')}`,
		]);
	}
	const added = texts.get(note('2').Body);
	const effect = kept === undefined ? 'it replaces the others' : 'it is added to the others';
	const learned = added === undefined ? 'the notes cannot be read' : effect;
	test.note('What does a row without an Id do?', second, learned);
	if (second === undefined || !isAccepted(second)) return;
	if (added === undefined) throw new InDoubt(title);
	test.forget(undo);
	test.addUndo('Delete the notes', remove(...(kept === undefined ? [] : [texts.get(kept)]), added));
};

const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PHOTO_BYTES = 10_240;

const tryPhoto: Part = async (test) => {
	const [type] = await test.query('DocumentType', [], and(greaterThan('Id', 0)));
	if (type === undefined) {
		test.answers.push(['Can a photo be uploaded?', 'no document type to try it with']);
		return;
	}
	// Viewers ignore what follows the end of the picture.
	const picture = Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.alloc(PHOTO_BYTES)]);
	const photo = {
		...{ ActorId: test.order.Id, ActorTypeId: 'WO', Title: TEXT, DocType: { Id: type.Id } },
		...{ StorageTypeId: 'Cloud', MimeType: 'image/png', IsPublic: false, IsShared: false },
		Blob: { FileName: 'n8n-write-test.png', Body: picture.toString('base64') },
	};
	const answer = await test.write('Upload a photo', buildCreateRequest('Document', photo, ''));
	test.note('Can a photo be uploaded?', answer);
	if (answer && isAccepted(answer)) {
		test.addUndo('Delete the photo', buildDeleteRequest('Document', readId(answer), false));
	}
};

const tryEstimate: Part = async (test) => {
	const question = 'Can an estimate be written and decided through its order?';
	const { Estimate, Customer, RequestorContact, CurrencyTypeId = 'USD' } = test.order;
	const known = isObject(RequestorContact) ? Number(RequestorContact.Id) : 0;
	const customer = isObject(Customer) ? Customer.Id : 0;
	const contacts =
		known > 0 || !customer
			? [{ Id: known }]
			: await test.query('Contact', [], and(equal('CustomerId', customer)));
	const ContactId = Number(contacts[0]?.Id ?? 0);
	if (isObject(Estimate) || ContactId === 0) {
		const reason = isObject(Estimate) ? 'the order has an estimate' : 'the order has no contact';
		test.answers.push([question, `not tried: ${reason}`]);
		return;
	}
	const estimate = {
		...{ CurrencyTypeId, Amount: { Value: 1, CurrencyTypeId }, ContactId, IsMultiline: false },
		...{ StatusId: 'WaitingForApproval', Comment: TEXT },
	};
	const remove = {
		title: 'Remove the estimate',
		request: test.update({ Estimate: null }, ['Estimate.*']),
	};
	const first = await test.write('Set an estimate', test.update({ Estimate: estimate }), remove);
	test.note('Can an estimate be set through its order?', first);
	if (first === undefined || !isAccepted(first)) return;
	const decision = test.update({ Estimate: { StatusId: 'Approved' } });
	test.note(question, await test.write('Approve the estimate', decision));
};

const tryFlags: Part = async (test) => {
	const question = 'Can flags be set and cleared?';
	const reasons = await test.query('WoActionReasonLookup', [], and(equal('ActionId', 'Attention')));
	const raised = await test.query('WoFlag', ['FlagId'], and(equal('WoId', test.order.Id)));
	const free = reasons.find(({ Id }) => raised.every(({ FlagId }) => FlagId !== Id));
	if (free === undefined) {
		test.answers.push([question, 'no flag to try it with']);
		return;
	}
	const clear = test.command('WoClearFlagsCommand', { FlagsToClear: [free.Id] });
	const answer = await test.write(
		'Raise a flag',
		test.command('WoSetFlagsCommand', { FlagsToSet: [free.Id], Comment: TEXT }),
		{ title: 'Clear the flag', request: clear },
	);
	test.note(question, answer);
};

const tryHold: Part = async (test) => {
	const question = 'Can an order be put on hold and reopened?';
	const [reason] = await test.query('WoActionReasonLookup', [], and(equal('ActionId', 'OnHold')));
	if (test.order.StatusId !== 'New' || reason === undefined) {
		test.answers.push([question, 'not tried: the order must be New']);
		return;
	}
	const answer = await test.write(
		'Put the order on hold',
		test.command('WoOnHoldCommand', { ActionReasonId: reason.Id, Comment: TEXT }),
		{ title: 'Reopen the order', request: test.command('WoReopenCommand', { Comment: TEXT }) },
	);
	test.note(question, answer);
};

/** A provider gets a message, which nothing undoes, so the user has to ask for this part. */
const trySending: Part = async (test) => {
	for (const name of ['SendWorkOrderCommand', 'SendWorkOrder']) {
		const request = test.command(name, { RequestQuote: false, Comment: TEXT });
		test.note(
			`Is the command called ${name}?`,
			await test.write(`Send the order by ${name}`, request),
		);
	}
};

/** Two reads in one request change nothing, so nobody has to confirm them. */
const tryBatch: Part = async (test) => {
	const items = ['1', '2'].map((RequestId) => ({
		...{ RequestId, EntityType: 'WorkOrder', ID: test.order.Id, Properties: ['Id', 'Number'] },
	}));
	const answer = await test.send({ method: 'POST', path: '/api/v1/batch/Get', body: items });
	test.note('Does batch/Get read two records?', answer.status === undefined ? undefined : answer);
};

const ORDER_PROPERTIES = [
	...['Number', 'StatusId', 'ConcurrencyId', 'PoNumber', 'CurrencyTypeId'],
	...['Customer.Id', 'RequestorContact.Id', 'Estimate.Id'],
];

async function findOrder(send: Send, person: Person, number: string): Promise<Row> {
	const search = new WriteTest(send, person, {});
	const found = await search.query('WorkOrder', ORDER_PROPERTIES, and(equal('Number', number)));
	const [order, ...others] = found.filter((one) => one.Number === number);
	if (order !== undefined && others.length === 0) return order;
	throw new Error(
		order === undefined
			? `There is no work order ${number}: nothing was written`
			: `There are several work orders ${number}: nothing was written`,
	);
}

/** Returns what was learned; undoes what was written even if a part fails. */
export async function runWriteTest(
	send: Send,
	person: Person,
	number: string,
	{ sends = false } = {},
): Promise<WriteTest['answers']> {
	const order = await findOrder(send, person, number);
	const test = new WriteTest(send, person, order);
	person.print(
		`The write test sends up to ${MAX_WRITES} writes to the work order ${number} and nothing else.`,
	);
	const parts = [tryVersions, tryRows, tryPhoto, tryEstimate, tryFlags, tryBatch];
	const left: string[] = [];
	try {
		for (const part of [...parts, sends ? trySending : tryHold]) {
			await part(test);
			left.push(...(await test.undoAll()));
		}
	} catch (failure) {
		if (!(failure instanceof InDoubt)) throw failure;
		person.print(
			`\nIt is not known whether this was done, so the rest is not tried: ${failure.message}`,
		);
		test.answers.push([failure.message, 'in doubt']);
		left.push(failure.message, ...(await test.undoAll()));
	}
	if (left.length > 0) {
		person.print(`\nLeft to you, in Corrigo:\n${left.map((one) => `- ${one}`).join('\n')}`);
	}
	return test.answers;
}
