/** n8n's part in polling one node, without its clock and database. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { watchEmit } from '../../nodes/Corrigo/trigger/state';

export const CREDENTIALS = {
	companyName: 'Sandbox Facilities',
	region: 'americas',
	tokenUrl: 'https://localhost',
	clientId: 'id',
	clientSecret: 'secret',
};

/** The workflow as it was published, with its own copy of the state. */
interface Activation {
	caller: IPollFunctions;
	/** The state as it was loaded. */
	loaded: string;
	state: IDataObject;
	isPolled: boolean;
}

let count = 0;

export class N8n {
	private readonly id = (count += 1);
	private process = 0;
	/** The state in the database. */
	private stored = '{}';
	/** States that n8n has begun to write. */
	private writes: string[] = [];
	private active: Activation;
	private readonly executions: INodeExecutionData[][] = [];
	/** The number of executions when this process began. */
	private begun = 0;

	constructor() {
		this.active = this.load();
	}

	private load(): Activation {
		const loaded = this.stored;
		const state = JSON.parse(loaded) as IDataObject;
		const workflow = `${this.id} ${this.process}`;
		const others = {};
		const caller = {
			getWorkflowStaticData: (type: string) => (type === 'node' ? state : others),
			getWorkflow: () => ({ id: workflow }),
			getNode: () => ({ parameters: {} }),
			__emit: (items: INodeExecutionData[][]) => {
				this.writes.push(JSON.stringify(state));
				this.executions.push(items[0]);
			},
		} as unknown as IPollFunctions;
		watchEmit(caller);
		return { caller, loaded, state, isPolled: false };
	}

	/** Polls, and takes what the poll returns unless the workflow was published meanwhile. */
	async poll(
		run: (caller: IPollFunctions, isFirst: boolean) => Promise<INodeExecutionData[][] | null>,
	): Promise<INodeExecutionData[] | undefined> {
		const { active } = this;
		const isFirst = !active.isPolled;
		active.isPolled = true;
		try {
			const items = await run(active.caller, isFirst);
			if (items === null || this.active !== active) return undefined;
			active.caller.__emit(items);
			return items[0];
		} finally {
			// n8n stores the state when it has activated a workflow, if that has changed it.
			const state = JSON.stringify(active.state);
			const isChanged = state !== active.loaded;
			if (isFirst && isChanged && this.active === active) this.writes.push(state);
		}
	}

	/** Whether a state with this member is stored, or about to be. */
	isStored(member: string): boolean {
		const last = this.writes.at(-1) ?? this.stored;
		return member in (JSON.parse(last) as IDataObject);
	}

	save(): void {
		this.stored = this.writes.at(-1) ?? this.stored;
		this.writes = [];
	}

	/** Loads the workflow again, also while a poll runs, and before or after its last state is stored. */
	publish(isSaved: boolean): void {
		if (isSaved) this.save();
		this.active = this.load();
	}

	/**
	 * Ends this process, and goes on in another one. With `kills`, the last items of this process
	 * were lost after its state had been stored.
	 */
	restart(kills: boolean): void {
		this.save();
		const last = this.executions.findLastIndex(({ length }) => length > 0);
		if (kills && last >= this.begun) this.executions.splice(last);
		this.begun = this.executions.length;
		this.process += 1;
		const state = JSON.parse(this.stored) as IDataObject;
		if (state.process !== undefined) state.process = 'another';
		this.stored = JSON.stringify(state);
		this.active = this.load();
	}

	/** Whether n8n takes what a poll of this activation returns. */
	isActive(caller?: IPollFunctions): boolean {
		return this.active.caller === caller;
	}

	/** Items of each execution. */
	get executed(): readonly INodeExecutionData[][] {
		return this.executions;
	}

	get state(): IDataObject {
		return this.active.state;
	}
}
