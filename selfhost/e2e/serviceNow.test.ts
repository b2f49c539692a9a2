/** The example with n8n's own ServiceNow node; only ServiceNow itself is replaced. */
import { readExample } from '../examples';
import { itemsOf } from '../n8n/api';
import { withCredential } from '../workflows/credentials';
import { ownerApi, testEnvironment } from './environment';
import { SandboxClient } from './sandboxClient';
import { ServiceNow } from './serviceNow';

const { controlUrl, credential } = testEnvironment();
const sandbox = new SandboxClient(controlUrl);
const api = ownerApi(testEnvironment());

const incident = {
	sys_id: '1c741bd70b2322007518478d83673af3',
	number: 'INC0010023',
	state: '1',
	assignment_group: 'Facilities',
	short_description: 'No hot water',
	description: 'Cold since Monday',
	location: 'Harbor View Clinic',
	cmdb_ci: 'Water Heater',
	subcategory: 'No hot water',
	caller_id: 'Ava Brown',
	correlation_id: '',
};
const nowhere = {
	...incident,
	sys_id: '2c741bd70b2322007518478d83673af3',
	number: 'INC0010024',
	location: 'Nowhere',
};

it('keeps ServiceNow incidents and work orders in step', async () => {
	const service = await ServiceNow.start([{ ...incident }, { ...nowhere }]);
	const [row] = service.rows;
	const account = await api.createCredential(
		'ServiceNow',
		'serviceNowBasicApi',
		service.credential,
	);
	const workflow = withCredential(
		withCredential(readExample('servicenow-incidents-in-step.json'), credential),
		account,
		'.serviceNow',
	);
	try {
		const example = await api.createWorkflow({ ...workflow, name: `${workflow.name} (run)` });
		const run = async (from: string) => {
			const execution = await api.run(example, undefined, from);
			expect(execution).toMatchObject({ status: 'success' });
			return execution;
		};
		const messages = (execution: Awaited<ReturnType<typeof run>>) =>
			(execution.runData['Message to service desk'] ?? []).flatMap(
				({ data }) => data?.main[0]?.map(({ json }) => json.text) ?? [],
			);

		const first = await run('Every five minutes');
		const [{ json: order }] = itemsOf(first, 'Read work order');
		expect(row.correlation_id).toBe(order.Number);
		expect(messages(first)).toEqual([expect.stringMatching(/^Incident INC0010024 .*Nowhere/)]);
		await sandbox.forgetRequests();
		expect(messages(await run('Every five minutes'))).toEqual([]);
		expect(await sandbox.bodiesSentTo('/cmd/WoCreateCommand')).toEqual([]);
		expect(service.changes).toHaveLength(1);

		const id = Number(order.Id);
		for (const command of ['WoPickUpCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			await sandbox.actInDesktop({ id, command });
		}
		await run('Status changed');
		await run('Status changed');
		expect(row).toMatchObject({ state: '6', close_code: 'Solution provided' });
		expect(service.changes).toHaveLength(2);

		Object.assign(service.rows[1], { location: incident.location });
		const second = await run('Every five minutes');
		const [{ json: other }] = itemsOf(second, 'Read work order');
		Object.assign(service.rows[1], { state: '8' });
		const canceled = await run('Every five minutes');
		expect(itemsOf(canceled, 'Cancel work order').map(({ json }) => json)).toEqual([
			expect.objectContaining({ Id: other.Id, Status: 'Cancelled' }),
		]);
	} finally {
		await service.close();
		await api.deleteCredential(account);
	}
});
