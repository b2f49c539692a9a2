import { z } from 'zod';

import type { RecordedRequest } from './journal';

export const faultShape = z
	.object({
		match: z
			.object({
				server: z.enum(['token', 'locator', 'api', 'storage']).optional(),
				method: z.string().optional(),
				pathIncludes: z.string().optional(),
			})
			.strict()
			.optional(),
		/** How many fitting requests meet it: one unless said otherwise. */
		times: z.number().int().positive().optional(),
		/** How many fitting requests pass before it: none unless said otherwise. */
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
		/** Kinds status and html. */
		status: z.number().int().optional(),
		/** Kinds status, html and wrongShape. */
		body: z.unknown(),
		headers: z.record(z.string()).optional(),
		/** Whether the operation is carried out all the same, for kinds where that is open. */
		commit: z.boolean().optional(),
	})
	.strict();

export type Fault = z.input<typeof faultShape>;

/** Kinds that spoil the answer to an operation that was carried out. */
const COMMITTING_KINDS: ReadonlySet<Fault['kind']> = new Set([
	'drip',
	'resetAfter',
	'empty',
	'truncated',
	'wrongShape',
]);

export const commits = (fault: Fault): boolean =>
	COMMITTING_KINDS.has(fault.kind) || fault.commit === true;

/** Faults wait in a queue; the first that fits a request is met by it. */
export class Faults {
	private queue: Array<{ fault: Fault; left: number; after: number }> = [];

	add(fault: Fault): void {
		const checked = faultShape.parse(fault);
		this.queue.push({ fault: checked, left: checked.times ?? 1, after: checked.after ?? 0 });
	}

	clear(): void {
		this.queue = [];
	}

	get pending(): number {
		return this.queue.reduce((sum, { left }) => sum + left, 0);
	}

	takeFor(request: RecordedRequest): Fault | undefined {
		const entry = this.queue.find((one) => matches(one.fault, request) && one.after-- <= 0);
		if (!entry) return undefined;
		entry.left -= 1;
		if (entry.left === 0) this.queue = this.queue.filter((other) => other !== entry);
		return entry.fault;
	}
}

function matches({ match = {} }: Fault, request: RecordedRequest): boolean {
	const { server, method, pathIncludes } = match;
	return (
		(server === undefined || server === request.server) &&
		(method === undefined || method.toUpperCase() === request.method) &&
		(pathIncludes === undefined || request.path.includes(pathIncludes))
	);
}
