/** Vendor Invoice Entered AP Status: the status that an action has entered decides, wherever a poll ends. */
import fc from 'fast-check';

import { cases } from '../../cases';
import { activate } from '../../support/activeTrigger';
import { byId, idsOf } from '../../support/company';

const WANTED = 2;

type Step = { do: 'enter'; which: number; status: number } | { do: 'poll'; during?: number };

const status = fc.constantFrom(2, 3, 4);
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constant('enter' as const), which: fc.nat(1), status }),
	},
	fc.record({
		do: fc.constant('poll' as const),
		/** The status that the first invoice enters while the poll reads. */
		during: fc.option(status, { nil: undefined }),
	}),
);

const parameters = (batchSize: number) => ({
	...{ event: 'invoiceEnteredApStatus', returns: 'event', options: { batchSize } },
	apStatuses: { values: [{ status: byId(WANTED) }] },
});

const RUNS = cases(10, 200);
jest.setTimeout(60_000 + RUNS * 5_000);

it('tells each entry of a chosen status once, and no other', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 3, maxLength: 15 }),
			fc.constantFrom(1, 2, 5000),
			async (steps, batchSize) => {
				const { orders, person, poll, duringPoll, store, sandbox } = await activate(
					parameters(batchSize),
				);
				expect(await poll()).toEqual([]);
				const entries: number[] = [];
				const told: unknown[] = [];
				const enter = (which: number, VendorInvoiceStatusId: number): void => {
					const members = { VendorInvoiceStatusId };
					person({ id: orders()[which].Id, command: 'ApStatusChangeCommand', members });
					const action = store.ids('WoActionLog').at(-1);
					if (VendorInvoiceStatusId === WANTED) entries.push(Number(action));
				};
				for (const one of steps) {
					if (one.do === 'enter') enter(one.which, one.status);
					else {
						const { during } = one;
						if (during !== undefined) duringPoll(() => enter(0, during));
						told.push(...idsOf(await poll()));
						jest.restoreAllMocks();
					}
				}
				for (let before = -1; before < told.length; ) {
					before = told.length;
					told.push(...idsOf(await poll()));
				}
				expect(told).toEqual(entries);
				await sandbox.close();
			},
		),
		{ numRuns: RUNS, seed: 20_310_509, endOnFailure: true },
	);
});

it('goes by the status of the invoice where actions do not say theirs, once for each order', async () => {
	const { orders, poll, insert, person, store } = await activate(parameters(5000));
	const [a, b] = orders();
	await poll();
	for (const { Id: id } of [a, b, a]) {
		const members = { VendorInvoiceStatusId: id === a.Id ? WANTED : 3 };
		person({ id, command: 'ApStatusChangeCommand', members });
	}
	for (const Id of store.ids('WoActionLogProp')) store.remove('WoActionLogProp', Id);
	expect(await poll()).toMatchObject([{ WorkOrderId: a.Id }]);
	// No status has the name that this action says.
	const TypeId = 'APInvStatus';
	const at = '2031-05-05T06:07:08';
	const log = insert('WoActionLog', { WorkOrderId: a.Id, TypeId, SystemDateUtc: at });
	insert('WoActionLogProp', { WoActionLogId: log, TypeId: 'ApInvoiceName', ValueStr: 'Gone' });
	expect(idsOf(await poll())).toEqual([log]);
});
