import { Readable } from 'node:stream';

import { Form } from '../../../nodes/Corrigo/form/form';
import { buildAttachedPlan } from '../../../nodes/Corrigo/trigger/changes/attached';
import { events } from '../../../nodes/Corrigo/trigger/events';
import { toItems } from '../../../nodes/Corrigo/trigger/service';
import type { Caller } from '../../../nodes/Corrigo/transport/send';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';
import { createPlan } from '../plan';
import { startCpuTime } from '../../support/cpu';

/** Answers from these rows, page by page. */
function createCaller(tables: Record<string, JsonObject[]>): Caller {
	const httpRequestWithAuthentication = async (
		_: string,
		{ url, body }: { url: string; body: { QueryExpression: QueryExpression } },
	) => {
		const { Criteria: criteria, Count } = body.QueryExpression;
		const [, after = 0] = /"GreaterThan","Values":\[(\d+)/.exec(JSON.stringify(criteria)) ?? [];
		const rows = (tables[url.split('/').at(-1) ?? ''] ?? []).slice(Number(after)).slice(0, Count);
		const answer = JSON.stringify({ Entities: rows.map((Data) => ({ Data })) });
		return await Promise.resolve({
			...{ statusCode: 200, headers: {} },
			body: Readable.from([Buffer.from(answer)]),
		});
	};
	return { helpers: { httpRequestWithAuthentication } } as unknown as Caller;
}

const ORDER = 7;
const build = (count: number, make: (nth: number) => JsonObject) =>
	Array.from({ length: count }, (_, nth) => ({ Id: nth + 1, WorkOrderId: ORDER, ...make(nth) }));
const at = (nth: number) => new Date(Date.UTC(2026, 0) + nth * 1000).toISOString();
const Flag = { Id: 2, DisplayAs: 'Failed' };

it.each([
	[
		'inspectionStepFailed' as const,
		'Complete',
		{
			WoProcedure: build(3000, (Index) => ({ Index })),
			WoProcedureStep: build(3000, (nth) => ({ Index: nth, WoProcedureId: 3000 - nth, Flag })),
		},
		'FailedSteps.2999.Id',
		1,
	],
	[
		'vendorCheckedIn' as const,
		'Start',
		{ WoOnSite: build(20_000, (nth) => ({ EmployeeId: 5, DtCheckIn: at(20_000 - nth) })) },
		'WoOnSite.Id',
		20_000,
	],
])(
	'%s: many actions of one order with many rows take a time that grows with their number',
	async (event, TypeId, tables, path, value) => {
		const form = new Form((_, fallback) => fallback);
		const names = { resolveId: () => 0, findRows: () => [], now: () => 0, timeZone: 'UTC' };
		const parts = buildAttachedPlan(form, names, events[event]);
		const plan = createPlan({ ...parts, isSimplified: true });
		const Actor = { Id: 5, TypeId: 'Provider' };
		const actions = build(3000, (nth) => ({
			TypeId,
			Actor,
			SystemDateUtc: at(nth),
			ActionDate: at(nth),
		}));
		const caller = createCaller({ ...tables, WorkOrder: [{ Id: ORDER }] });
		const readCpuTime = startCpuTime();
		const items = toItems(plan, await plan.complete({ caller }, actions));
		expect(readCpuTime()).toBeLessThan(4);
		expect(items).toHaveLength(3000);
		expect(items[0].json).toHaveProperty(path, value);
	},
);
