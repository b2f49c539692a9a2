import type { Sandbox } from '../../sandbox';
import { actAsColleague } from '../../sandbox/desktop';
import type { Sender } from './sender';

/** A change that a trigger has to report. */
export interface Change {
	route: string;
	id: number;
	/** Time at which the change became readable. */
	at: number;
}

/** Long transactions become readable this much later than their timestamp. */
const BACKDATE_MS = 120_000;
const BACKDATE_EVERY = 10;

const earlier = (utc: unknown) =>
	new Date(Date.parse(`${String(utc).replace(/Z?$/, 'Z')}`) - BACKDATE_MS).toISOString();

/** Creates work orders, picks them up and adds notes, again and again. The orders are pushed, too. */
export class Activity {
	readonly changes: Change[] = [];
	private readonly timer: NodeJS.Timeout;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly sender: Sender,
		private readonly pushedRoutes: readonly string[],
		everyMs: number,
	) {
		this.timer = setInterval(() => this.work(), everyMs);
	}

	stop() {
		clearInterval(this.timer);
	}

	work() {
		const { world, store } = this.sandbox;
		const at = Date.now();
		const order = Number(actAsColleague(world, { members: {} }).Id);
		const command = { id: order, command: 'WoPickUpCommand', members: {}, note: 'Picked up' };
		actAsColleague(world, command);
		const actions = store.children('WoActionLog', 'WorkOrderId', order);
		const action = Number(actions.find(({ TypeId }) => TypeId === 'PickUp')?.Id);
		const [note] = store.children('WoNote', 'WorkOrderId', order);
		if (order % BACKDATE_EVERY === 0) this.backdate(order, action);
		this.changes.push(
			{ route: 'orders', id: order, at },
			{ route: 'actions', id: action, at },
			{ route: 'notes', id: Number(note.Id), at },
			...this.pushedRoutes.map((route) => ({ route, id: order, at })),
		);
		this.sender.push(order);
	}

	private backdate(order: number, action: number) {
		const { store } = this.sandbox;
		const { CreatedDateUtc } = store.existing('WorkOrder', order);
		const { SystemDateUtc } = store.existing('WoActionLog', action);
		store.change('WorkOrder', order, { CreatedDateUtc: earlier(CreatedDateUtc) });
		store.change('WoActionLog', action, { SystemDateUtc: earlier(SystemDateUtc) });
	}
}
