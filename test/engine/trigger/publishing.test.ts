/** Publishing, unpublishing and saving while a poll runs, as n8n-core does it. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { cases } from '../../cases';
import { loadNodes, openCompany } from '../../support/activeTrigger';
import { byName } from '../../support/company';
import { createPublisher } from '../../support/publisher';

type Company = Awaited<ReturnType<typeof openCompany>>;

interface Strategy {
	parameters: INodeParameters;
	/** Makes a change, and returns its name. */
	change: (company: Company) => string;
	getName: (item: IDataObject) => string;
}

const getUtc = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const strategies: Record<string, Strategy> = {
	changes: {
		parameters: { event: 'workOrderAction', returns: 'event' },
		change: ({ person }) => String(person({}).Id),
		getName: ({ WorkOrderId }) => String(WorkOrderId),
	},
	'changes by ID': {
		parameters: { event: 'record', entity: byName('Contact') },
		change: ({ insert }) => String(insert('Contact', { LastName: 'Miller' })),
		getName: ({ Id }) => String(Id),
	},
	deadlines: {
		parameters: { event: 'workOrderDeadline', output: 'selected', properties: 'Id' },
		change: ({ person, change, now }) => {
			const { Id } = person({});
			change('WorkOrder', Id, { DueDateUtc: getUtc(now() - 5000) });
			return String(Id);
		},
		getName: ({ Id }) => String(Id),
	},
	comparison: {
		parameters: { event: 'recordEdited', entity: byName('Contact') },
		change: ({ insert }) => String(insert('Contact', { LastName: 'Miller' })),
		getName: ({ Id, Change }) =>
			Change === 'added' ? String(Id) : `${String(Id)} ${String(Change)}`,
	},
};

interface Round {
	changes: number;
	/** What a person does while the poll reads; afterwards, n8n runs the workflow again. */
	during: 'nothing' | 'publish' | 'unpublish';
	/** Whether n8n has stored the state of the last poll before it loads the workflow. */
	isSavedFirst: boolean;
	/** Whether the change of a person comes before the first request of the poll or after it. */
	isLate: boolean;
	overlaps: boolean;
	restarts: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
	changes: fc.integer({ min: 0, max: 3 }),
	during: fc.constantFrom('nothing', 'publish', 'publish', 'unpublish'),
	isSavedFirst: fc.boolean(),
	isLate: fc.boolean(),
	overlaps: fc.boolean(),
	restarts: fc.boolean(),
});

const RUNS = cases(6, 20);
jest.setTimeout(60_000 + RUNS * 30_000);

describe.each(Object.keys(strategies))('%s', (name) => {
	const { parameters, change, getName } = strategies[name];

	// Promise: Publishing or unpublishing while a poll runs loses and repeats nothing
	it.each(['once', 'atLeastOnce'])(
		'are neither lost nor repeated, with delivery %s',
		async (delivery) => {
			const processes = [await loadNodes(), await loadNodes()];
			await fc.assert(
				fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
					const company = await openCompany({ workOrders: 3 });
					const { sandbox, pass } = company;
					const options = { delivery };
					const n8n = createPublisher(sandbox, { ...parameters, options });
					let starts = 0;
					let main = n8n.start(processes[0]);
					await main.publish('activate');
					n8n.save();
					const made: string[] = [];
					for (const { changes, during, isSavedFirst, isLate, overlaps, restarts } of rounds) {
						pass(30_000);
						for (let one = 0; one < changes; one++) made.push(change(company));
						main.tick();
						if (overlaps) main.tick();
						if (isLate) {
							const hasAsked = () => sandbox.requestsTo('api').length > 0;
							while (n8n.isPolling() && !hasAsked()) await new Promise(setImmediate);
						}
						if (isSavedFirst) n8n.save();
						if (during === 'unpublish') {
							await main.unpublish();
							await n8n.idle();
							n8n.save();
						}
						if (during !== 'nothing') await main.publish('update');
						await n8n.idle();
						n8n.save();
						if (restarts) {
							await main.unpublish();
							starts += 1;
							main = n8n.start(processes[starts % 2]);
							await main.publish('init');
							await n8n.idle();
							n8n.save();
						}
						sandbox.forgetRequests();
					}
					for (let extra = 0; extra < 2; extra++) {
						main.tick();
						await n8n.idle();
					}
					await main.unpublish();
					await sandbox.close();
					const executed = n8n.executed.flat().map(getName);
					// Another process repeats what an execution may have lacked.
					const mayRepeat = delivery === 'atLeastOnce' && starts > 0;
					const found = mayRepeat ? [...new Set(executed)] : executed;
					expect(n8n.failures).toEqual([]);
					expect(found.sort()).toEqual(made.sort());
				}),
				{ numRuns: RUNS, seed: 20310506 },
			);
		},
	);
});
