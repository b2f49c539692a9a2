import type { FastifyInstance } from 'fastify';

import { locateCompany } from '../commands/discovery';
import { commandRequest, echoRequestId, jsonBody } from './request';
import type { World } from '../runtime/world';
import { parseRequest } from '../shapes';
import { commit, createServer } from './server';

export function createLocator(world: World): FastifyInstance {
	const app = createServer(world, 'locator');
	app.post('/api/v1/cmd/GetCompanyWsdkUrlCommand', async (request) => {
		const { record } = request.exchange;
		world.tokens.check(record.headers.authorization);
		const { Command, RequestId } = parseRequest(
			commandRequest,
			jsonBody(record),
			world.settings.strict,
		);
		const CommandResult = locateCompany(world, Command);
		return commit(request, { CommandResult, ...echoRequestId(RequestId) });
	});
	app.get<{ Params: { company: string } }>(
		'/api/v1/CorrigoService/GetCompanyWsdkUrl/:company',
		async (request) => {
			world.tokens.check(request.exchange.record.headers.authorization);
			return commit(
				request,
				locateCompany(world, {
					CompanyName: request.params.company,
					ApiType: 'REST',
					Protocol: 'HTTPS',
				}),
			);
		},
	);
	return app;
}
