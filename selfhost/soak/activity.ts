import type { Sandbox } from '../../sandbox';
import { actAsColleague } from '../../sandbox/desktop';

/** What a trigger has to tell of. */
export interface Change {
	way: string;
	id: number;
	/** When it could be read. */
	at: number;
}

/** Transactions that take a while are readable so much later than they are stamped. */
const LATE_MS = 120_000;
const ONE_IN = 10;

const earlier = (utc: unknown) =>
	new Date(Date.parse(`${String(utc).replace(/Z?$/, 'Z')}`) - LATE_MS).toISOString();

/** Somebody who makes orders, picks them up and writes notes, all the time. */
export class Desk {
	readonly changes: Change[] = [];
	private readonly beat: NodeJS.Timeout;

	constructor(
		private readonly sandbox: Sandbox,
		everyMs: number,
	) {
		this.beat = setInterval(() => this.work(), everyMs);
	}

	stop() {
		clearInterval(this.beat);
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
		if (this.changes.length % ONE_IN === 0) this.backdate(order, action);
		this.changes.push(
			{ way: 'orders', id: order, at },
			{ way: 'actions', id: action, at },
			{ way: 'notes', id: Number(note.Id), at },
		);
	}

	private backdate(order: number, action: number) {
		const { store } = this.sandbox;
		const { CreatedDateUtc } = store.existing('WorkOrder', order);
		const { SystemDateUtc } = store.existing('WoActionLog', action);
		store.change('WorkOrder', order, { CreatedDateUtc: earlier(CreatedDateUtc) });
		store.change('WoActionLog', action, { SystemDateUtc: earlier(SystemDateUtc) });
	}
}
