/**
 * Every event of the trigger, through the real engine: the change in Corrigo, the entity that is
 * read, and the output. The last test fails when an event of the menu has no case here. With SAMPLES=1, the
 * tests replace the items that the documents show, instead of comparing them.
 */
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { events, type EventName } from '../../../nodes/Corrigo/trigger/events';
import { readSamples, writeSamples, type Sample } from '../../../scripts/eventSamples';
import { startSandbox, type Row, type Sandbox } from '../../../sandbox';
import { logAction } from '../../../sandbox/base/actionLog';
import { actAsColleague, workOrderShape } from '../../../sandbox/desktop';
import { byId, byName, connectEngine, isLimitProbe, jsonOf } from '../../support/company';
import type { Engine } from '../../support/engine';
import { checkSample } from '../../support/samples';

/** Deadlines of the data are long past. */
const NOW = Date.UTC(2025, 7, 1, 12);
/** The documents show this host in place of the sandbox's. */
const EXAMPLE_HOST = 'https://example.corrigo.com';

interface Case {
	parameters?: INodeParameters;
	/** Makes changes that match the event and others that do not; returns the expected items. */
	happens: (sandbox: Sandbox) => object[];
	/** The entity whose rows are the changes, if not the log of actions. */
	asked?: string;
}

const atTheDesktop = ({ world }: Sandbox, work: object) =>
	actAsColleague(world, workOrderShape.parse(work));

/** Runs commands on an order in this status, and returns its ID. */
function runCommands(sandbox: Sandbox, status: string, ...commands: string[]) {
	const [{ Id }] = ordersIn(sandbox, status);
	for (const command of commands) atTheDesktop(sandbox, { id: Id, command });
	return Id;
}

const ordersIn = ({ store }: Sandbox, status: string) =>
	store.rows('WorkOrder').filter(({ StatusId }) => StatusId === status);

const actorOf = ({ store }: Sandbox, type: string) =>
	Number(store.rows('Employee').find(({ ActorTypeId }) => ActorTypeId === type)?.Id);

/** Work of an employee, which is no visit of a vendor, and of a vendor; the result is the vendor's. */
function visit(sandbox: Sandbox) {
	const [own, { Id }] = ordersIn(sandbox, 'Open');
	const vendor = actorOf(sandbox, 'Provider');
	const workOn = (id: number, actor: number) => {
		for (const command of ['WoStartCommand', 'WoPauseCommand']) {
			atTheDesktop(sandbox, { id, command, actor });
		}
	};
	workOn(own.Id, actorOf(sandbox, 'Employee'));
	workOn(Id, vendor);
	return {
		Actor: { Id: vendor, TypeId: 'Provider' },
		WorkOrder: { Id, Status: 'Paused' },
		WoOnSite: {
			WorkOrderId: Id,
			EmployeeId: vendor,
			DtCheckIn: expect.any(String) as string,
			DtCheckOut: expect.any(String) as string,
		},
	};
}

const cases: Record<string, Case> = {
	documentAdded: {
		happens: (sandbox) => {
			const [{ Id: ActorId }] = ordersIn(sandbox, 'New');
			atTheDesktop(sandbox, { id: ActorId, note: 'no document' });
			const added = { Title: 'Photo', ActorTypeId: 'WO', ActorId };
			const { Id } = sandbox.store.insert('Document', added);
			return [{ Id, Title: 'Photo', WorkOrder: { Id: ActorId } }];
		},
		asked: 'Document',
	},
	invoiceEnteredApStatus: {
		parameters: { apStatuses: { values: [{ status: byId(2) }] } as unknown as INodeParameters },
		happens: (sandbox) => {
			const [one, other] = sandbox.store.rows('WorkOrder');
			const command = 'ApStatusChangeCommand';
			const change = (id: number, VendorInvoiceStatusId: number) =>
				atTheDesktop(sandbox, { id, command, members: { VendorInvoiceStatusId } });
			change(other.Id, 3);
			change(one.Id, 2);
			return [{ TypeId: 'APInvStatus', WorkOrder: { Id: one.Id } }];
		},
	},
	inspectionStepFailed: {
		happens: (sandbox) => {
			const { store } = sandbox;
			const orders = ordersIn(sandbox, 'Open').slice(0, 2);
			for (const { Id: WorkOrderId } of orders) {
				for (const { Id } of store.children('WoProcedureStep', 'WorkOrderId', WorkOrderId)) {
					store.change('WoProcedureStep', Id, { Flag: null });
				}
				const door = { DisplayAs: 'Fire door', Index: 1, WorkOrderId };
				const { Id: WoProcedureId } = store.insert('WoProcedure', door);
				const isFailed = WorkOrderId === orders[0].Id;
				store.insert('WoProcedureStep', {
					...{ Description: 'The door closes', Index: 1, WorkOrderId, WoProcedureId },
					...(isFailed ? { Flag: { Id: 2 }, Comment: 'The closer is missing' } : {}),
				});
				for (const command of ['WoStartCommand', 'WoCompleteCommand']) {
					atTheDesktop(sandbox, { id: WorkOrderId, command });
				}
			}
			const failed = {
				Description: 'The door closes',
				Flag: { DisplayAs: 'Parts Missing' },
				Comment: 'The closer is missing',
				Procedure: { DisplayAs: 'Fire door' },
			};
			return [{ TypeId: 'Complete', FailedSteps: [failed], WorkOrder: { Id: orders[0].Id } }];
		},
	},
	noteAdded: {
		happens: (sandbox) => {
			const Id = runCommands(sandbox, 'New', 'WoPickUpCommand');
			atTheDesktop(sandbox, { id: Id, note: 'Bring a ladder' });
			return [{ Body: 'Bring a ladder', WorkOrder: { Id, Status: 'Open' } }];
		},
		asked: 'WoNote',
	},
	estimateDecided: {
		happens: (sandbox) => {
			const [order] = ordersIn(sandbox, 'New');
			logAction(sandbox.world, order, { TypeId: 'EstimateSubmitted' });
			logAction(sandbox.world, order, { TypeId: 'EstimateApproved' });
			return [{ TypeId: 'EstimateApproved', WorkOrder: { Id: order.Id } }];
		},
	},
	quoteSubmitted: {
		happens: (sandbox) => {
			const [order] = ordersIn(sandbox, 'New');
			logAction(sandbox.world, order, { TypeId: 'QuoteRequested' });
			logAction(sandbox.world, order, { TypeId: 'QuoteSubmitted', Comment: '250 USD' });
			return [{ TypeId: 'QuoteSubmitted', Comment: '250 USD', WorkOrder: { Id: order.Id } }];
		},
	},
	record: {
		parameters: { entity: byName('Contact') },
		happens: (sandbox) => {
			atTheDesktop(sandbox, {});
			const { Id } = sandbox.store.insert('Contact', { LastName: 'Miller' });
			return [{ Id, LastName: 'Miller' }];
		},
		asked: 'Contact',
	},
	recordEdited: {
		parameters: {
			entity: byName('Contact'),
			...{ compare: ['FirstName', 'LastName'], valuesBefore: ['LastName'] },
		},
		happens: ({ store }) => {
			const [{ Id: edited, LastName }, removed] = store.rows('Contact');
			store.change('Contact', edited, { LastName: 'Muller' });
			store.change('Contact', removed.Id, { IsRemoved: true });
			const { Id } = store.insert('Contact', { LastName: 'Miller' });
			return [
				{
					...{ Id: edited, LastName: 'Muller', Change: 'edited' },
					...{ ChangedFields: ['LastName'], Before: { LastName } },
				},
				{ EntityType: 'Contact', Id: removed.Id, Change: 'deleted' },
				{ Id, LastName: 'Miller', Change: 'added' },
			];
		},
		asked: 'Contact',
	},
	severalEvents: {
		parameters: {
			events: ['workOrderEnteredStatus', 'workOrderCompleted', 'workOrderCreated'],
			statuses: ['Completed', 'Paused'],
		},
		happens: (sandbox) => {
			const commands = ['WoStartCommand', 'WoPauseCommand', 'WoStartCommand', 'WoCompleteCommand'];
			const { Id: made } = atTheDesktop(sandbox, {});
			const Id = runCommands(sandbox, 'Open', ...commands);
			const named = (order: number, TypeId: string, Event: string) => ({
				...{ Event, TypeId, WorkOrder: { Id: order } },
				ChangeKey: expect.stringMatching(
					new RegExp(`^WoActionLog \\d+ [\\d.:T-]+ ${Event}$`),
				) as string,
			});
			return [
				named(Number(made), 'Create', 'Work Order Created'),
				named(Id, 'Stop', 'Work Order Entered Status'),
				named(Id, 'Complete', 'Work Order Completed'),
				named(Id, 'Complete', 'Work Order Entered Status'),
			];
		},
	},
	vendorCheckedIn: { happens: (sandbox) => [{ TypeId: 'Start', ...visit(sandbox) }] },
	vendorCheckedOut: { happens: (sandbox) => [{ TypeId: 'Stop', ...visit(sandbox) }] },
	workOrderAction: {
		parameters: { actionTypes: ['PickUp'] },
		happens: (sandbox) => {
			const Id = runCommands(sandbox, 'New', 'WoPickUpCommand', 'WoStartCommand');
			return [{ TypeId: 'PickUp', WorkOrder: { Id, Status: 'In Progress' } }];
		},
	},
	workOrderAssigned: {
		happens: (sandbox) => {
			const [{ Id }] = ordersIn(sandbox, 'New');
			const [{ Id: assignee, DisplayAs }] = sandbox.store.rows('Employee');
			const members = { Assignees: [assignee] };
			atTheDesktop(sandbox, { id: Id, command: 'WoAssignCommand', members });
			atTheDesktop(sandbox, { id: Id, command: 'WoPickUpCommand' });
			return [{ TypeId: 'Assign', WorkOrder: { Id, Employee: { DisplayAs } } }];
		},
	},
	workOrderCompleted: {
		happens: (sandbox) => {
			const Id = runCommands(sandbox, 'Open', 'WoStartCommand', 'WoCompleteCommand');
			return [{ TypeId: 'Complete', WorkOrder: { Id, Status: 'Completed' } }];
		},
	},
	workOrderCreated: {
		happens: (sandbox) => {
			runCommands(sandbox, 'New', 'WoPickUpCommand');
			const { Id, Number: number } = atTheDesktop(sandbox, {});
			return [{ Id, Number: number, Status: 'New' }];
		},
		asked: 'WorkOrder',
	},
	workOrderDeadline: {
		parameters: { offset: 30 },
		happens: (sandbox) => {
			const [soon, later] = ordersIn(sandbox, 'Open');
			const dueIn = ({ Id }: Row, minutes: number) => {
				const DueDateUtc = new Date(NOW + minutes * 60_000).toISOString();
				sandbox.store.change('WorkOrder', Id, { DueDateUtc });
			};
			dueIn(later, 40);
			dueIn(soon, 20);
			return [{ Id: soon.Id, Deadline: { Type: 'due', TimeZone: expect.any(String) as string } }];
		},
		asked: 'WorkOrder',
	},
	workOrderEnteredStatus: {
		parameters: { statuses: ['InProgress', 'Paused'] },
		happens: (sandbox) => {
			const again = ['WoStartCommand', 'WoPauseCommand', 'WoStartCommand'];
			const Id = runCommands(sandbox, 'New', 'WoPickUpCommand', ...again);
			atTheDesktop(sandbox, { id: Id, note: 'not a status' });
			const WorkOrder = { Id, Status: 'In Progress' };
			return ['Start', 'Stop', 'Start'].map((TypeId) => ({ TypeId, WorkOrder }));
		},
	},
	workOrderUpdated: {
		happens: (sandbox) => {
			const Id = runCommands(sandbox, 'New', 'WoPickUpCommand', 'WoStartCommand');
			return [{ Id, Status: 'In Progress' }];
		},
		asked: 'WorkOrder',
	},
};

let sandbox: Sandbox;
let engine: Engine;
const samples = readSamples();

beforeAll(async () => {
	sandbox = await startSandbox({ workOrders: 40, strict: true, now: () => NOW });
	engine = connectEngine(sandbox, { corrigoTrigger: CorrigoTrigger });
});

beforeEach(() => sandbox.world.reset());

afterAll(async () => {
	await sandbox.close();
	if (process.env.SAMPLES) writeSamples(samples);
});

it.each(Object.keys(cases))('%s', async (event) => {
	const { parameters, happens, asked = 'WoActionLog' } = cases[event];
	const poll = async (staticData: IDataObject) =>
		await engine.poll('corrigoTrigger', { parameters: { event, ...parameters }, staticData });
	const countRequests = () => sandbox.requestsTo('api').filter((one) => !isLimitProbe(one)).length;

	const activation = await poll({});
	sandbox.forgetRequests();
	const unchanged = await poll(activation.staticData);
	const requestsUnchanged = countRequests();
	const expected = happens(sandbox);
	sandbox.forgetRequests();
	const { items, error } = await poll(unchanged.staticData);

	expect([activation, unchanged]).toMatchObject([{ items: null }, { items: null }]);
	expect(error).toBeUndefined();
	expect(jsonOf(items ?? [])).toMatchObject(expected);
	expect(sandbox.requestsTo('api')[0].path).toBe(`/api/v1/query/${asked}`);
	const requests = { unchanged: requestsUnchanged, changed: countRequests() };
	const sample = JSON.stringify({ requests, item: jsonOf(items ?? [])[0] });
	const shown = JSON.parse(sample.replaceAll(sandbox.apiUrl, EXAMPLE_HOST)) as Sample;
	checkSample(samples, events[event as EventName].name, shown);
});

it('Work Order Entered Status takes every status that the form offers', async () => {
	const { properties } = new CorrigoTrigger().description;
	const offered = properties.find(({ name }) => name === 'statuses')?.options;
	const statuses = (offered as INodePropertyOptions[]).map(({ value }) => value as string);
	const { error } = await engine.poll('corrigoTrigger', {
		parameters: { event: 'workOrderEnteredStatus', statuses },
	});
	expect(error).toBeUndefined();
	expect(statuses).toContain('InProgress');
});

it('the tests have a case for every event', () => {
	expect(Object.keys(cases).sort()).toEqual(Object.keys(events).sort());
});
