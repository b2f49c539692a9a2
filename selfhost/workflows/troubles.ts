import type { Fault } from '../../sandbox';

const away = (server: 'api' | 'token', status: number, fault: Partial<Fault> = {}): Fault => ({
	match: { server },
	kind: 'status',
	status,
	times: Number.MAX_SAFE_INTEGER,
	...fault,
});

const bodies: Record<string, Partial<Fault>> = {
	JSON: { body: { ErrorCode: 'X', ErrorMessage: 'No' } },
	'a page': { kind: 'html' },
	'an empty body': {},
};

export const WRONG_SECRET = 'wrong secret';

/** What Corrigo may do while n8n starts: a fault of each of its answers, or a credential that is wrong. */
export const troubles: Record<string, Fault | typeof WRONG_SECRET> = {
	'is down': away('api', 502),
	...Object.fromEntries(
		[401, 403, 404].flatMap((status) =>
			Object.entries(bodies).map(([body, fault]) => [
				`answers ${status} with ${body}`,
				away('api', status, fault),
			]),
		),
	),
	'refuses the client with 400': away('token', 400),
	'refuses the client with 403': away('token', 403),
	'gets a wrong secret': WRONG_SECRET,
};
