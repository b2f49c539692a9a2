import type { FastifyInstance } from 'fastify';

import { locate } from '../commands/discovery';
import { commandRequest, echo, jsonBody } from './request';
import type { World } from '../runtime/world';
import { read } from '../shapes';
import { commit, createServer } from './server';

export function createLocator(world: World): FastifyInstance {
	const app = createServer(world, 'locator');
	app.post('/api/v1/cmd/GetCompanyWsdkUrlCommand', async (request) => {
		const { record } = request.exchange;
		world.tokens.check(record.headers.authorization);
		const { Command, RequestId } = read(commandRequest, jsonBody(record), world.settings.strict);
		const CommandResult = locate(world, Command);
		return commit(request, { CommandResult, ...echo(RequestId) });
	});
	app.get<{ Params: { company: string } }>(
		'/api/v1/CorrigoService/GetCompanyWsdkUrl/:company',
		async (request) => {
			world.tokens.check(request.exchange.record.headers.authorization);
			return commit(
				request,
				locate(world, { CompanyName: request.params.company, ApiType: 'REST', Protocol: 'HTTPS' }),
			);
		},
	);
	return app;
}
