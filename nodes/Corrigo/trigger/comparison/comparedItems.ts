import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../../values/checks';
import type { TriggerContext } from '../context';
import { annotate, toItems, type Result } from '../items';
import type { Plan } from '../plan/plan';
import type { Comparison } from '../plan/records';
import type { Service } from '../service';
import { createSnapshot, pack, undo, unpack, type Difference, type Snapshot } from './snapshot';
import { compareRecords } from './snapshotReader';
import { getFeedIdentity, isInDoubt, saveState, getState, type Warn } from '../state';

const STARTS_OVER =
	'The stored state of this trigger belongs to other settings or cannot be read: it starts over, and returns changes from now on';

/** A second look has confirmed this change. */
type ConfirmedChange = Result & Pick<Difference, 'change' | 'version'>;

/** Compares the records with their known versions and returns those that have changed. */
export async function pollComparison(
	caller: TriggerContext,
	plan: Plan,
	comparison: Comparison,
	service: Service,
	warn: Warn,
): Promise<INodeExecutionData[]> {
	const state = getState(caller);
	const identity = await getFeedIdentity(caller, plan);
	/**
	 * The stamp includes the process because a poll that redelivers changes in doubt stores the same
	 * records.
	 */
	const getStamp = () => JSON.stringify([state.feed, state.process, state.records]);
	const begun = getStamp();
	const known = state.feed === identity ? readSnapshot(state, plan) : undefined;
	if (known === undefined && Object.keys(state).length > 0) warn(STARTS_OVER);
	const snapshot = known ?? createSnapshot();
	const source = {
		read: service.read,
		complete: async (differences: Difference[]) => await confirmDifferences(service, differences),
		hasTime: service.hasTime,
	};
	const found = await compareRecords<ConfirmedChange>(comparison, snapshot, source, plan);
	// Nothing is awaited from here on. If another poll has changed the state, the next poll compares
	// again.
	if (getStamp() !== begun) return [];
	const clock = service.now();
	const results = found.changes.map(({ key, item }) => {
		if (item === undefined || !comparison.changes.includes(item.change)) return undefined;
		const version = ` ${snapshot.passes} ${item.version}`;
		return annotate(plan, key, item, { clock, version });
	});
	const items = toItems(plan, results);
	const { passes, position } = found.snapshot;
	const hasMoved = passes !== snapshot.passes || position !== snapshot.position;
	if (hasMoved) {
		const before = items.length > 0 ? pack(found.before) : undefined;
		saveState(state, identity, plan, { records: pack(found.snapshot) }, before);
	}
	if (items.length === 0 && found.failure !== undefined) throw found.failure;
	return items;
}

/**
 * If delivery is at least once, another process goes back to the snapshot before the last changes.
 */
function readSnapshot(state: IDataObject, { atLeastOnce }: Plan): Snapshot | undefined {
	const stored = unpack(state.records);
	if (stored === undefined || !atLeastOnce || !isInDoubt(state)) return stored;
	const before = unpack(state.before);
	return before === undefined ? stored : undo(stored, before);
}

/**
 * Reads the differing records again, with the properties that the form asks for. A record that is
 * no longer as its page showed it becomes undefined and is left to the next poll.
 */
async function confirmDifferences(
	{ find, complete }: Service,
	differences: Difference[],
): Promise<Array<ConfirmedChange | undefined>> {
	const found = await find(differences.map(({ id }) => id));
	const present = differences.filter(({ id, change }) => found.has(id) && change !== 'deleted');
	const completed = await complete(present.map(({ id }) => found.get(id) as JsonObject));
	const results = new Map(present.map(({ id }, index) => [id, completed[index]]));
	return differences.map(({ id, change, version }) => {
		const gone = found.has(id) ? undefined : { item: { json: {} } };
		const result = change === 'deleted' ? gone : results.get(id);
		return result && { ...result, change, version };
	});
}
