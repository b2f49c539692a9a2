/**
 * Saved workflows keep working: the current package does the same as the recording of a version.
 * The recorder is tested too: a recording can be made, and fails where something changes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	type INodeParameters,
} from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { cases } from '../cases';
import { classes } from './classes';
import { findMissing, findUnused, type Field, type Forms } from './form';
import { inLines } from './lines';
import { createRecorder } from './recorder';
import {
	openCompany,
	pollAll,
	sendPush,
	run,
	type Company,
	type NodeName,
	type Nodes,
	type Outcome,
	type SavedNode,
	type SavedOperation,
	type SavedTrigger,
	type SavedWebhook,
} from './saved';

const recorder = createRecorder(classes, 'the working copy');
const currentForms = recorder.forms();
const currentNodes = recorder.nodes();

let company: Company;

beforeAll(async () => {
	company = await openCompany(classes);
});

afterAll(async () => {
	await company.sandbox.close();
});

/** The recorded outcome, in which no run was refused. */
const recorded = ({ requests, items, warnings }: Outcome) => ({
	requests,
	items,
	...(warnings && { warnings }),
});

async function expectSameRun(saved: SavedOperation): Promise<void> {
	expect(await run(company, saved)).toEqual(recorded(saved));
}

async function expectSamePoll(saved: SavedTrigger): Promise<void> {
	company.begin(saved.before);
	expect(await pollAll(company, saved)).toEqual(recorded(saved));
}

async function expectSamePush(saved: SavedWebhook): Promise<void> {
	company.begin(saved.before);
	const { outcome } = await sendPush(company, saved, saved.state, saved.after);
	expect(outcome).toEqual(recorded(saved));
}

async function expectSameSession(stored: INodeParameters): Promise<void> {
	const type = new CorrigoApi();
	const { properties } = type;
	const complete = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
	const sign = type.authenticate as (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>;
	const send = async (method: IHttpRequestMethods) =>
		await sign(complete as ICredentialDataDecryptedObject, {
			method,
			url: '/api/v1/base/WorkOrder',
		});
	const signed = {
		baseURL: stored.baseUrl,
		headers: { Authorization: `Bearer ${stored.accessToken}`, CompanyName: stored.companyName },
	};
	expect(await send('GET')).toMatchObject(signed);
	if (stored.access === 'readOnly') await expect(send('PUT')).rejects.toThrow(/Read Only/);
	else expect(await send('PUT')).toMatchObject(signed);
}

const versions = readdirSync(__dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** Every third node, or with `FULL=1` all of them. */
const drawn = <T>(saved: T[]) => saved.filter((_, index) => index % cases(3, 1) === 0);

for (const version of versions) {
	describe(`the recording of ${version}`, () => {
		const read = <T>(name: string) =>
			JSON.parse(readFileSync(join(__dirname, version, `${name}.json`), 'utf8')) as T;
		const operations = read<SavedOperation[]>('operations');
		const triggers = read<SavedTrigger[]>('triggers');
		const webhooks = read<SavedWebhook[]>('webhooks');
		const forms = read<Forms>('forms');
		const nodes = Object.entries(read<Nodes>('nodes')) as Array<[NodeName, Nodes[NodeName]]>;

		// Promise: Saved nodes work as before after an update
		it.each(drawn(operations).map((saved) => [saved.node.name, saved]))(
			'%s sends and returns what was recorded',
			async (_name, saved) => await expectSameRun(saved),
		);

		// Promise: Saved nodes work as before after an update
		it.each(drawn(triggers).map((saved) => [saved.node.name, saved]))(
			'%s continues from the recorded state',
			async (_name, saved) => await expectSamePoll(saved),
		);

		it.each(drawn(webhooks).map((saved) => [saved.node.name, saved]))(
			'%s receives a push as recorded',
			async (_name, saved) => await expectSamePush(saved),
		);

		it.each(read<INodeParameters[]>('credentials').map((one) => [Object.keys(one).length, one]))(
			'has a session in a credential of %i values that the package still uses',
			async (_count, stored) => await expectSameSession(stored as INodeParameters),
		);

		it('uses every field of its forms in at least one node', () => {
			const saved = [...operations, ...triggers, ...webhooks].map(({ node }) => node);
			expect(findUnused(forms, saved)).toEqual([]);
		});

		it.each(Object.keys(forms) as Array<keyof Forms>)(
			'has no field that is missing in the current form of %s',
			(name) => {
				const missing = forms[name].flatMap((field) => findMissing(currentForms[name], field));
				expect(missing).toEqual([]);
			},
		);

		it.each(nodes)(
			'has the node %s under the same name, with the same connections',
			(type, was) => {
				expect(asWritten(currentNodes[type])).toMatchObject(was);
			},
		);
	});
}

function asWritten<T>(recording: T): T {
	return JSON.parse(inLines(recording)) as T;
}

describe('a new recording', () => {
	it('has a case for every field of the current forms', () => {
		expect(findUnused(currentForms, recorder.saved(company.sandbox.store))).toEqual([]);
	});

	it('says once which operation has no case, and which field only cases with its default', () => {
		const given = recorder.saved(company.sandbox.store).flatMap((node): SavedNode[] => {
			const { flags, ...others } = node.parameters;
			if (node.name.startsWith('workOrder:pickUp,')) return [];
			const isBare = flags !== undefined && node.name.startsWith('workOrder:addFlag,');
			return [isBare ? { ...node, parameters: others } : node];
		});
		const others = findUnused(currentForms, recorder.saved(company.sandbox.store));
		expect(findUnused(currentForms, given).filter((one) => !others.includes(one))).toEqual([
			'corrigo workOrder:pickUp has no case in test/compat/cases.ts',
			'corrigo workOrder:addFlag: no case gives flags another value than its default, {"values":[{}]}',
			'corrigo workOrder:addFlag: no case gives flags.values.flag another value than its default, {"mode":"list","value":""}',
		]);
	});

	it('has operations, each with a result, that replay with equal results', async () => {
		const wanted = [
			...['call', 'company:discover', 'contact:getMany', 'document:upload', 'workOrder:create'],
		];
		const isWanted = (place = '') => wanted.includes(place);
		// Each operation has to be recorded with FULL=1, as before a release.
		const operations = asWritten(await recorder.operations(cases(isWanted, () => true)));
		const replayed = operations.filter(({ node }) => isWanted(node.name.split(',')[0]));
		expect(replayed.length).toBeGreaterThan(wanted.length);
		for (const saved of replayed) await expectSameRun(saved);
	});

	it('has triggers that continue from the recorded state', async () => {
		const triggers = asWritten(await recorder.triggers((event) => event === 'documentAdded'));
		expect(triggers.length).toBeGreaterThan(2);
		for (const saved of triggers) await expectSamePoll(saved);
	});

	it('has webhooks that receive a push as recorded', async () => {
		const webhooks = asWritten(await recorder.webhooks((event) => event === 'documentAdded'));
		expect(webhooks.length).toBeGreaterThan(1);
		for (const saved of webhooks) await expectSamePush(saved);
	});

	it('has sessions that the package still uses', async () => {
		for (const stored of asWritten(await recorder.credentials())) await expectSameSession(stored);
	});

	it('has forms that reveal changes', () => {
		const { corrigo: now } = currentForms;
		const then = asWritten(now);
		expect(then.flatMap((field) => findMissing(now, field))).toEqual([]);
		const shown = then.findIndex(({ show, hide }) => show !== undefined && hide !== undefined);
		const changes: Array<Partial<Field>> = [
			{ default: 'another' },
			{ type: 'another' },
			{ path: 'another' },
			{ values: ['another'] },
			{ isMultiple: true },
			{ show: { another: [true] } },
			{ hide: {} },
			{ places: ['another:place'] },
		];
		for (const change of changes) {
			expect(findMissing(now, { ...then[shown], ...change })).not.toEqual([]);
		}
		const required = then.findIndex(({ isRequired, isLiteral }) => isRequired && isLiteral);
		for (const name of ['isRequired', 'isLiteral'])
			expect(findMissing(now, { ...then[required], [name]: undefined })).not.toEqual([]);
	});
});
