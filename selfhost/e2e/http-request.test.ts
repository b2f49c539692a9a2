import { itemsOf, type WorkflowFile } from '../n8n/api';
import { Control } from './sandboxClient';
import { ownerAt, startedByHand, world } from './environment';

const asked = { QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 2 } };

const workflow = (url: string, credential: { id: string; name: string }): WorkflowFile => {
	const { nodes, ...file } = startedByHand('The HTTP Request node');
	return {
		...file,
		nodes: [
			...nodes,
			{
				id: 'request',
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [220, 0],
				credentials: { corrigoApi: credential },
				parameters: {
					method: 'POST',
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'corrigoApi',
					sendBody: true,
					specifyBody: 'json',
					jsonBody: JSON.stringify(asked),
				},
			},
		],
		connections: { Start: { main: [[{ node: 'HTTP Request', type: 'main', index: 0 }]] } },
	};
};

describe('the HTTP Request node of n8n with a credential of this package', () => {
	const { controlUrl, credential } = world();
	const sandbox = new Control(controlUrl);
	const api = ownerAt(world());

	beforeEach(async () => {
		await sandbox.forgetRequests();
	});

	it('reaches the host of the Company', async () => {
		const url = `${await sandbox.apiUrl()}/api/v1/query/Customer`;

		const execution = await api.run(await api.createWorkflow(workflow(url, credential)));

		expect(execution).toMatchObject({ status: 'success' });
		expect(itemsOf(execution, 'HTTP Request')[0].json).toMatchObject({
			Entities: [{ Data: { Id: expect.any(Number) } }, { Data: { Id: expect.any(Number) } }],
		});
		expect(await sandbox.bodiesSentTo('/query/Customer')).toEqual([asked]);
	});

	it('is refused at any other host, which sees no token', async () => {
		const execution = await api.run(
			await api.createWorkflow(workflow(`${controlUrl}/state`, credential)),
		);

		expect(execution.status).toBe('error');
		expect(execution.error?.message).toBeTruthy();
		expect(await sandbox.bodiesSentTo('')).toEqual([]);
	});
});
