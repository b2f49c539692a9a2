import { itemsOf } from '../n8n/api';
import { manualWorkflow, ownerApi, testEnvironment } from './environment';
import { SandboxClient } from './sandboxClient';

const query = { QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 2 } };

const workflow = (url: string, credential: { id: string; name: string }) =>
	manualWorkflow('The HTTP Request node', {
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
			jsonBody: JSON.stringify(query),
		},
	});

describe('the HTTP Request node of n8n with a Corrigo credential', () => {
	const { controlUrl, credential } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const api = ownerApi(testEnvironment());

	beforeEach(async () => {
		await sandbox.forgetRequests();
	});

	it('sends a query to the host of the Company', async () => {
		const url = `${await sandbox.apiUrl()}/api/v1/query/Customer`;

		const execution = await api.run(await api.createWorkflow(workflow(url, credential)));

		expect(execution).toMatchObject({ status: 'success' });
		expect(itemsOf(execution, 'HTTP Request')[0].json).toMatchObject({
			Entities: [{ Data: { Id: expect.any(Number) } }, { Data: { Id: expect.any(Number) } }],
		});
		expect(await sandbox.bodiesSentTo('/query/Customer')).toEqual([query]);
	});

	it('fails at any other host before it sends the token', async () => {
		const execution = await api.run(
			await api.createWorkflow(workflow(`${controlUrl}/state`, credential)),
		);

		expect(execution.status).toBe('error');
		expect(execution.error?.message).toBeTruthy();
		expect(await sandbox.bodiesSentTo('')).toEqual([]);
	});
});
