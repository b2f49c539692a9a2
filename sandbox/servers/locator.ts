import { locateCompany } from '../commands/discovery';
import { commandRequest, echoRequestId, jsonBody } from './request';
import type { RecordedRequest } from '../runtime/journal';
import type { World } from '../runtime/world';
import { parseRequest } from '../shapes';
import { commit, ServiceServer } from './server';

export class Locator extends ServiceServer {
	constructor(world: World) {
		super(world, 'locator');
		this.add(['POST'], '/api/v1/cmd/GetCompanyWsdkUrlCommand', (record) => {
			const body = jsonBody(record);
			const { Command, RequestId } = parseRequest(commandRequest, body, world.settings.strict);
			const CommandResult = locateCompany(world, Command);
			return commit(record, { CommandResult, ...echoRequestId(RequestId) });
		});
		this.add(
			['GET'],
			'/api/v1/CorrigoService/GetCompanyWsdkUrl/:company',
			(record, { company: CompanyName }) =>
				commit(record, locateCompany(world, { CompanyName, ApiType: 'REST', Protocol: 'HTTPS' })),
		);
	}

	protected authorize({ headers }: RecordedRequest): void {
		this.world.tokens.check(headers.authorization);
	}
}
