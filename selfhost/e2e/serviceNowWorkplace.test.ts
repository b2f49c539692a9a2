/** The example for workplace cases, with n8n's own ServiceNow node; only ServiceNow itself is replaced. */

import { startSandbox } from '../../sandbox';
import { actAsColleague } from '../../sandbox/desktop';
import { readExample } from '../examples';
import type { Workflow } from '../n8n/api';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { pollTimes } from '../workflows/triggerWorkflows';
import { ownerApi, testEnvironment } from './environment';
import { ServiceNow, WorkplaceCase } from './serviceNow';

const { credential, url } = testEnvironment();
const api = ownerApi(testEnvironment());

const HOSTILE = 'A<b> & "Sons" $& {{ 1 + 1 }} =2\n\'; --\\';
const names = {
	workplace_location: { display_value: 'Harbor View Clinic', link: 'https://localhost' },
	workplace_service: 'Heating & Cooling',
	short_description: 'Too cold',
	description: 'Since Monday',
	requested_for: 'Ava Brown',
};

it('does each request of a workplace case once, answers it whatever happens, and reports back', async () => {
	const sandbox = await startSandbox({ workOrders: 20 });
	const { store } = sandbox;
	const cases = ['WCASE0001201', 'WCASE0001202', 'WCASE0001203', 'WCASE0001204'].map((number) => {
		const fields = { ...names, number };
		return new WorkplaceCase(fields, `${url}/webhook/workplace-case`);
	});
	const [first, atOnce, nowhere, lost] = cases;
	const service = await ServiceNow.start(
		cases.map(({ fields: { number } }, index) => ({ sys_id: `${index}`, number, state: '1' })),
		'sn_wsd_case_workplace_case',
	);
	const account = await api.createCredential('Workplace', 'serviceNowBasicApi', service.credential);
	const own = await api.createCredential('Provider', credential.type, sandbox.credentials);
	const file = withCredential(
		withCredential(readExample('servicenow-workplace-cases.json'), own),
		account,
		'.serviceNow',
	);
	const often = file.nodes.map(({ parameters, ...node }) => ({
		...node,
		parameters: parameters.pollTimes ? { ...parameters, pollTimes: pollTimes(5) } : parameters,
	}));
	const findOrders = ({ fields: { number } }: WorkplaceCase) =>
		store
			.children('WoLastAction', 'XNumber', number)
			.map(({ Id }) => store.existing('WorkOrder', Id));
	const findNotes = (one: WorkplaceCase) =>
		store.children('WoNote', 'WorkOrderId', findOrders(one)[0].Id).map(({ Body }) => Body);
	const findComments = ({ fields: { number } }: WorkplaceCase) => {
		const id = service.rows.findIndex((row) => row.number === number);
		return service.changes.filter(({ sys_id }) => sys_id === `${id}`);
	};
	let active: Workflow | undefined;
	try {
		active = await api.activate(await api.createWorkflow({ ...file, nodes: often }));

		const created = await first.run('create', { description: HOSTILE });
		const [order] = findOrders(first);
		expect(created).toEqual({
			...{ Status: 'success', 'Response Code': 200, Message: '' },
			'FM Work Order Id': order.Number,
		});
		expect(await first.run('create', { description: HOSTILE })).toEqual(created);
		expect(findOrders(first)).toHaveLength(1);
		const [item] = store.children('WoItem', 'WorkOrderId', order.Id);
		expect(item.Comment).toBe(`Heating & Cooling\nToo cold\n${HOSTILE}`);

		const answers = await Promise.all([atOnce.run('create'), atOnce.run('create')]);
		const [kept, ...others] = findOrders(atOnce);
		expect(answers.map((answer) => [answer.Status, answer['FM Work Order Id']])).toEqual(
			Array(2).fill(['success', kept.Number]),
		);
		expect([kept.StatusId, ...others.map(({ StatusId }) => StatusId)]).toEqual([
			'New',
			...others.map(() => 'Cancelled'),
		]);

		const failed = (code: number, message: RegExp) => ({
			...{ Status: 'failed', 'Response Code': code },
			Message: expect.stringMatching(message) as string,
			'FM Work Order Id': '',
		});
		const there = { workplace_location: 'Nowhere' };
		for (const create of ['create', 'create'] as const) {
			expect(await nowhere.run(create, there)).toEqual(failed(422, /Nowhere/));
		}
		expect(nowhere.integrationState).toBe('Create Failed');
		expect(await nowhere.run('create', { workplace_location: '' })).toEqual(failed(422, /empty/));
		expect(await nowhere.run('create', { number: '' })).toEqual(failed(422, /empty/));
		sandbox.fault({ match: { server: 'api' }, kind: 'status', status: 503, times: 99 });
		expect(await nowhere.run('create')).toEqual(failed(503, /not available right now/));
		sandbox.clearFaults();
		sandbox.fault({ match: { server: 'api' }, kind: 'resetBefore', times: 99 });
		expect(await nowhere.run('create')).toEqual(failed(503, /connection/));
		sandbox.clearFaults();
		expect(findOrders(nowhere)).toEqual([]);
		sandbox.fault({ match: { pathIncludes: 'WoCreateCommand' }, kind: 'resetAfter' });
		expect(await lost.run('create')).toMatchObject({ Status: 'success', Message: '' });
		await lost.run('create');
		expect(findOrders(lost)).toHaveLength(1);

		const comment = async (text: string) => await first.run('update', { comment: text });
		for (const text of [HOSTILE, HOSTILE]) expect(await comment(text)).toEqual(created);
		expect(await comment('From Corrigo: on my way')).toMatchObject({ Status: 'success' });
		const empty = await first.run('update', { comment: '', changed_fields: 'priority' });
		expect(empty).toMatchObject({ Status: 'success', Message: expect.stringMatching(/priority/) });
		expect(findNotes(first)).toEqual([`From ServiceNow: ${HOSTILE}`]);
		expect(await nowhere.run('update', { comment: 'Hello' })).toEqual(failed(422, /empty/));

		actAsColleague(sandbox.world, { id: Number(order.Id), note: 'Bring a ladder', members: {} });
		actAsColleague(sandbox.world, {
			id: Number(order.Id),
			command: 'WoPickUpCommand',
			members: {},
		});
		const texts = () => findComments(first).map(({ comments }) => comments);
		const back = ['Bring a ladder', `work order ${String(order.Number)} is Open`];
		await waitFor('the case has both comments', texts, ({ length }) => length > 1);

		for (const flow of ['cancel', 'cancel'] as const)
			expect(await first.run(flow)).toEqual(created);
		expect(store.existing('WorkOrder', order.Id).StatusId).toBe('Cancelled');
		const actions = store.children('WoActionLog', 'WorkOrderId', order.Id);
		expect(actions.filter(({ TypeId }) => TypeId === 'Cancel')).toHaveLength(1);
		await waitFor('the case knows of the end', texts, ({ length }) => length > 2);
		expect(texts().sort()).toEqual(
			[...back, `work order ${String(order.Number)} is Cancelled`]
				.map((text) => `From Corrigo: ${text}`)
				.sort(),
		);
		expect(findComments(atOnce)).toEqual([]);
		expect(service.rows.map(({ state }) => state)).toEqual(['1', '1', '1', '1']);
	} finally {
		if (active) await api.deactivate(active);
		for (const one of [account, own]) await api.deleteCredential(one);
		await Promise.all([service.close(), sandbox.close()]);
	}
});
