/** The cases of triggers that are recorded for a version. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Store } from '../../sandbox';
import { byId, byName, fromList } from '../support/company';
import { forLoggedEvents } from '../support/loggedEvents';
import { searchByIds, IN_DAYS, JSON_CRITERIA, variant, type OperationCase } from './values';
import type { SavedWebhook, Step } from './saved';

export interface TriggerCase extends Pick<OperationCase, 'variant' | 'parameters' | 'isFiltered'> {
	/** Steps between activation and the poll whose state is saved, then steps before the next poll. */
	before: Step[];
	after: Step[];
	/** Corrigo answers the poll whose state is saved with an error. */
	isFailing?: true;
}

export type WebhookCase = Omit<TriggerCase, 'isFailing'> &
	Pick<SavedWebhook, 'credentials' | 'push'>;

interface Event {
	/** What happens, up to five times with different records. */
	happens: (index: number) => Step[];
	/** Fields that the event needs, and all of its own fields. */
	needed?: INodeParameters;
	own?: INodeParameters;
}

const pass = (seconds: number): Step => ['seconds pass', seconds];

function listEvents(store: Store): Record<string, Event> {
	const listOrders = (status: string) =>
		store.children('WorkOrder', 'StatusId', status).map(({ Id }) => Id);
	const made = listOrders('New');
	const open = listOrders('Open');
	const inProgress = listOrders('InProgress');
	const [employee] = store.ids('Employee');
	const [vendor] = store.children('Employee', 'ActorTypeId', 'Provider');
	const act = (id: number, command: string, more: IDataObject = {}): Step => [
		'desktop',
		{ id, command, ...more },
	];
	const pickUp = (index: number) => [act(made[index], 'WoPickUpCommand')];
	const make = (): Step[] => [['desktop', {}]];
	const visit = (index: number) =>
		['WoStartCommand', 'WoPauseCommand'].map((command) =>
			act(open[index], command, { actor: vendor.Id }),
		);
	/** A moment between the polls. */
	const moment = (hour: number, index: number) =>
		new Date(Date.UTC(2026, 0, 15, hour, index, 30)).toISOString();
	const lastDeadlines = { DueDateUtc: moment(12, 4), DtUtcOnSiteBy: moment(11, 4) };
	const [first, second, third, fourth] = store.ids('Contact');
	return {
		...forLoggedEvents((type): Event => ({ happens: (index) => [['log', made[index], type]] })),
		documentAdded: {
			happens: (index) => [
				['insert', 'Document', { Title: 'Photo', ActorTypeId: 'WO', ActorId: made[index] }],
			],
		},
		invoiceEnteredApStatus: {
			happens: (index) => [
				act(made[index], 'ApStatusChangeCommand', { members: { VendorInvoiceStatusId: 2 } }),
			],
			own: { apStatuses: { values: [{ status: byId(2) }, { status: fromList(3) }] } },
		},
		inspectionStepFailed: {
			happens: (index) => [
				['insert', 'WoProcedure', { Id: 900 + index, WorkOrderId: inProgress[index] }],
				[
					...(['insert', 'WoProcedureStep'] as const),
					{ WorkOrderId: inProgress[index], WoProcedureId: 900 + index, Flag: { Id: 2 } },
				],
				act(inProgress[index], 'WoCompleteCommand'),
			],
		},
		noteAdded: { happens: (index) => [['desktop', { id: made[index], note: 'Bring a ladder' }]] },
		record: {
			happens: make,
			needed: { entity: byName('WorkOrder') },
			own: {
				entity: fromList('WorkOrder', 'WorkOrder'),
				dateProperty: byName('LastActionDateUtc'),
			},
		},
		recordEdited: {
			happens: (index) =>
				[
					[['change', 'Contact', first, { Comment: 'A' }]] as Step[],
					[['change', 'Contact', second, { IsRemoved: true }]] as Step[],
					[['insert', 'Contact', { LastName: 'Miller' }]] as Step[],
					[['change', 'Contact', third, { LastName: 'B' }]] as Step[],
					[['change', 'Contact', fourth, { LastName: 'C' }]] as Step[],
				][index],
			needed: { entity: byName('Contact') },
			own: {
				entity: fromList('Contact', 'Contact'),
				changes: ['edited', 'deleted', 'added'],
				compare: ['LastName', 'Number'],
				valuesBefore: ['Number'],
			},
		},
		severalEvents: {
			happens: pickUp,
			needed: { events: ['workOrderAction'] },
			own: {
				events: ['invoiceEnteredApStatus', 'workOrderAction', 'workOrderEnteredStatus'],
				actionTypes: ['PickUp', 'Start'],
				apStatuses: { values: [{ status: byId(2) }] },
				statuses: ['Open'],
			},
		},
		vendorCheckedIn: { happens: visit },
		vendorCheckedOut: { happens: visit },
		workOrderAction: { happens: pickUp, own: { actionTypes: ['PickUp', 'Start'] } },
		workOrderAssigned: {
			happens: (index) => [
				act(made[index], 'WoAssignCommand', { members: { Assignees: [employee] } }),
			],
		},
		workOrderCompleted: { happens: (index) => [act(inProgress[index], 'WoCompleteCommand')] },
		workOrderCreated: { happens: make },
		workOrderDeadline: {
			// The last one is still to come.
			happens: (index) => [
				['change', 'WorkOrder', open[index], { DueDateUtc: moment(12, index) }],
				['change', 'WorkOrder', open[index], { DtUtcOnSiteBy: moment(11, index) }],
				['change', 'WorkOrder', open[4], lastDeadlines],
			],
			own: {
				deadline: 'onSiteBy',
				offset: 1,
				offsetUnit: 'hours',
				offsetDirection: 'after',
				alsoStatuses: ['OnHold', 'Completed', 'Cancelled'],
			},
		},
		workOrderEnteredStatus: {
			happens: pickUp,
			needed: { statuses: ['Open'] },
			own: { statuses: ['Open', 'InProgress'] },
		},
		workOrderUpdated: { happens: pickUp },
	};
}

const everything = (store: Store) =>
	({
		...searchByIds('Number', [1, 99_999]),
		startFrom: 'time',
		startTime: '2026-01-15T00:00:00',
		returns: 'record',
		output: 'selected',
		properties: ['Id', 'Number'],
		ignoreApi: true,
		ignoreChangesBy: {
			values: [{ employee: byId(store.rows('Employee')[9].Id) }, { employee: byName('E101') }],
		},
		filters: IN_DAYS,
		// Another process returns the changes of the last poll again.
		options: { batchSize: 3, delivery: 'atLeastOnce', includeRemoved: true, lag: true, oldest: 48 },
	}) as INodeParameters;

/** The events for each way of following changes: by time, by ID, by comparison, and by deadline. */
const IN_DETAIL = [
	'noteAdded',
	'recordEdited',
	'workOrderAction',
	'workOrderDeadline',
	'workOrderUpdated',
];

export function triggerCases(store: Store): Record<string, TriggerCase[]> {
	const listCases = ({ happens, needed = {}, own }: Event): TriggerCase[] => {
		const times = {
			before: [...happens(0), pass(60)],
			after: [...happens(1), pass(60), ...happens(2), pass(60)],
		};
		const cases = [
			variant('little', needed),
			variant('filters and JSON', { ...needed, ...JSON_CRITERIA }, { isFiltered: true }),
			variant('all', { ...needed, ...everything(store), ...own }),
		];
		return cases.map((one) => ({ ...one, ...times }));
	};
	const listDetailCases = ({ happens, needed = {} }: Event): TriggerCase[] => {
		const spaced = (seconds: number) => ({
			before: [...happens(0), pass(seconds)],
			after: [...happens(1), pass(seconds)],
		});
		return [
			{
				...variant('in a backlog', { ...needed, options: { batchSize: 2 } }),
				before: [...[0, 1, 2, 3, 4].flatMap(happens), pass(300)],
				after: [],
			},
			{ ...variant('after a poll that failed', needed), isFailing: true, ...spaced(60) },
			{ ...variant('far behind', needed), ...spaced(7200) },
		];
	};
	return Object.fromEntries(
		Object.entries(listEvents(store)).map(([name, event]) => [
			name,
			[...listCases(event), ...(IN_DETAIL.includes(name) ? listDetailCases(event) : [])],
		]),
	);
}

const KEYS = { useWebhook: true, signingSecret: 'signing', formerSigningSecret: 'former' };

export function webhookCases(store: Store): Record<string, WebhookCase[]> {
	const listCases = (name: string, { happens, needed = {}, own }: Event): WebhookCase[] => {
		const times = { before: [...happens(0), pass(60)], after: [...happens(1), ...happens(2)] };
		const signature = { header: 'x-signature', algorithm: 'sha512', encoding: 'base64' } as const;
		const former = { header: 'x-signature', algorithm: 'sha256', encoding: 'hex' } as const;
		const hmac = { signature: 'hmac', signatureHeader: 'X-Signature' };
		return [
			...(IN_DETAIL.includes(name)
				? [{ ...variant('little', needed), credentials: {}, push: {}, ...times }]
				: []),
			{
				...variant(
					'filters and JSON',
					{ ...needed, ...JSON_CRITERIA, ...hmac },
					{ isFiltered: true },
				),
				credentials: KEYS,
				push: { signed: { key: 'former', ...former } },
				...times,
			},
			{
				...variant('all', {
					...needed,
					...everything(store),
					...own,
					...hmac,
					signatureHeader: 'x-signature',
					signatureAlgorithm: 'sha512',
					signatureEncoding: 'base64',
				}),
				credentials: KEYS,
				push: { form: 'together', signed: { key: 'signing', ...signature } },
				...times,
			},
		];
	};
	const isPushed = ([name]: [string, Event]) =>
		!['recordEdited', 'workOrderDeadline'].includes(name);
	return Object.fromEntries(
		Object.entries(listEvents(store))
			.filter(isPushed)
			.map(([name, event]) => [name, listCases(name, event)]),
	);
}
