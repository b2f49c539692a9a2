import type { RecordedRequest } from '../runtime/journal';
import type { World } from '../runtime/world';
import { Answer } from './http';
import { commit, ServiceServer } from './server';

interface ClientCredentials {
	id: string;
	secret: string;
}

/** The client sends its credentials in the form or by HTTP Basic. */
function readClient({ headers, body }: RecordedRequest): ClientCredentials {
	const [, basic] = /^basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
	if (basic) {
		const [id, ...secret] = Buffer.from(basic, 'base64').toString('utf8').split(':');
		return { id: decodeURIComponent(id), secret: decodeURIComponent(secret.join(':')) };
	}
	const { client_id: id = '', client_secret: secret = '' } = body as Record<string, string>;
	return { id, secret };
}

function oauthError(world: World, record: RecordedRequest): string | undefined {
	const form = record.headers['content-type'] ?? '';
	if (!form.startsWith('application/x-www-form-urlencoded')) return 'invalid_request';
	const client = readClient(record);
	if (client.id !== world.clientId || client.secret !== world.clientSecret) return 'invalid_client';
	const { grant_type: grant } = record.body as Record<string, string>;
	return grant === 'client_credentials' ? undefined : 'unsupported_grant_type';
}

export class TokenServer extends ServiceServer {
	constructor(world: World) {
		super(world, 'token');
		this.add(['POST'], '/OAuth/token', (record) => {
			const error = oauthError(world, record);
			if (error) return new Answer(400, { error });
			const { tokenLifeSeconds, expiresIn } = world.settings;
			return commit(record, {
				access_token: world.tokens.issue(tokenLifeSeconds),
				token_type: 'bearer',
				...(expiresIn ? { expires_in: Math.max(0, Math.floor(tokenLifeSeconds) - 1) } : {}),
			});
		});
	}
}
