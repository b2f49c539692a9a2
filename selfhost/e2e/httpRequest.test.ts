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

	it('sends queries with a read-only credential, and no write', async () => {
		const { credentialData } = testEnvironment();
		const data = { ...credentialData, access: 'readOnly' };
		const readOnly = await api.createCredential('Read only', 'corrigoApi', data);
		try {
			const address = `${await sandbox.apiUrl()}/api/v1`;
			const run = async (path: string) =>
				await api.run(await api.createWorkflow(workflow(address + path, readOnly)));
			expect(await run('/query/Customer')).toMatchObject({ status: 'success' });
			await sandbox.forgetRequests();
			for (const path of ['/base/Customer', '/cmd/WoCancelCommand', '/query/Customer?a=b']) {
				const { error, status } = await run(path);
				expect([status, JSON.stringify(error)]).toEqual([
					'error',
					expect.stringContaining('is Read Only, but POST'),
				]);
			}
			expect(await sandbox.bodiesSentTo('')).toEqual([]);
		} finally {
			await api.deleteCredential(readOnly);
		}
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
