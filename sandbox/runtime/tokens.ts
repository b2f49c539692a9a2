import { randomBytes } from 'node:crypto';

import { ServiceError } from '../errors';
import type { Clock } from './clock';

/** Several tokens are valid at once, each until it expires or all are revoked. */
export class Tokens {
	private readonly expiry = new Map<string, number>();

	constructor(private readonly clock: Clock) {}

	issue(lifeSeconds: number): string {
		const token = randomBytes(48).toString('base64url');
		this.expiry.set(token, this.clock.now() + lifeSeconds * 1000);
		return token;
	}

	revokeAll(): void {
		this.expiry.clear();
	}

	get live(): number {
		return [...this.expiry.values()].filter((expiresAt) => expiresAt > this.clock.now()).length;
	}

	check(authorization: string | undefined): void {
		if (authorization === undefined) {
			throw new ServiceError(
				401,
				'MISSING_AUTHORIZATION_HEADER',
				'Authorization header is missing.',
			);
		}
		const token = /^bearer(?: +(.*))?$/i.exec(authorization)?.[1];
		if (!/^bearer\b/i.test(authorization)) {
			throw new ServiceError(
				403,
				'MISSING_AUTHORIZATION_SCHEME',
				'Authorization scheme is missing.',
			);
		}
		if (!token || /\s/.test(token)) {
			throw new ServiceError(400, 'INCORRECT_TOKEN', 'Token is empty or has an invalid format.');
		}
		const expiresAt = this.expiry.get(token);
		if (expiresAt === undefined) {
			throw new ServiceError(403, 'INCORRECT_TOKEN', 'Token validation failed.');
		}
		if (expiresAt <= this.clock.now()) {
			throw new ServiceError(403, 'EXPIRED_TOKEN', 'Token has expired');
		}
	}
}
