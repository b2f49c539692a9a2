import { z } from 'zod';

import type { RecordedRequest } from './journal';

export const faultShape = z
	.object({
		match: z
			.object({
				server: z.enum(['token', 'locator', 'api', 'storage']).optional(),
				method: z.string().optional(),
				pathIncludes: z.string().optional(),
				bodyIncludes: z.string().optional(),
			})
			.strict()
			.optional(),
		/** The number of matching requests the fault applies to; 1 by default. */
		times: z.number().int().positive().optional(),
		/** The number of matching requests that pass before the fault applies; 0 by default. */
		after: z.number().int().nonnegative().optional(),
		kind: z.enum([
			'status',
			'resetBefore',
			'resetAfter',
			'hang',
			'drip',
			'html',
			'empty',
			'truncated',
			'wrongShape',
		]),
		/** For the kinds `status` and `html`. */
		status: z.number().int().optional(),
		/** For the kinds `status`, `html` and `wrongShape`. */
		body: z.unknown(),
		headers: z.record(z.string()).optional(),
		/** Whether the operation runs anyway, for kinds that would replace it. */
		commit: z.boolean().optional(),
	})
	.strict();

export type Fault = z.input<typeof faultShape>;

/** Faults of these kinds let the operation run and spoil its answer. */
const COMMITTING_KINDS: ReadonlySet<Fault['kind']> = new Set([
	'drip',
	'resetAfter',
	'empty',
	'truncated',
	'wrongShape',
]);

export const commits = (fault: Fault): boolean =>
	COMMITTING_KINDS.has(fault.kind) || fault.commit === true;

/** A queue of faults; the first one that matches a request applies to it. */
export class Faults {
	private queue: Array<{ fault: Fault; remaining: number; skip: number }> = [];

	add(fault: Fault): void {
		const checked = faultShape.parse(fault);
		this.queue.push({ fault: checked, remaining: checked.times ?? 1, skip: checked.after ?? 0 });
	}

	clear(): void {
		this.queue = [];
	}

	get pending(): number {
		return this.queue.reduce((sum, { remaining }) => sum + remaining, 0);
	}

	take(request: RecordedRequest): Fault | undefined {
		const entry = this.queue.find((one) => matches(one.fault, request) && one.skip-- <= 0);
		if (!entry) return undefined;
		entry.remaining -= 1;
		if (entry.remaining === 0) this.queue = this.queue.filter((other) => other !== entry);
		return entry.fault;
	}
}

function matches({ match = {} }: Fault, request: RecordedRequest): boolean {
	const { server, method, pathIncludes, bodyIncludes } = match;
	return (
		(server === undefined || server === request.server) &&
		(method === undefined || method.toUpperCase() === request.method) &&
		(pathIncludes === undefined || request.path.includes(pathIncludes)) &&
		(bodyIncludes === undefined || String(JSON.stringify(request.body)).includes(bodyIncludes))
	);
}
