import { events, type EventName, type EventType } from '../../nodes/Corrigo/trigger/events';

const listTypes = (event: EventType): readonly string[] =>
	event.rows === 'actions' && typeof event.actionTypes !== 'string' ? event.actionTypes : [];

/** A case for each event that counts actions of certain types alone, made from these types. */
export const forLoggedEvents = <Case>(build: (...types: string[]) => Case): Record<string, Case> =>
	Object.fromEntries(
		Object.entries<EventType>(events)
			.filter(([, event]) => listTypes(event).length > 0 && !('failedSteps' in event))
			.map(([name, event]) => [name, build(...listTypes(event))]),
	);

/** Events of one kind are read alike, whichever entity, time or types of actions they name. */
const getKind = (event: EventType) =>
	JSON.stringify([
		event.rows,
		'actionTypes' in event && typeof event.actionTypes,
		'latestOnly' in event,
		'visit' in event,
	]);

/** The kinds of events that only the others have. */
export const listMissingKinds = (
	names: readonly EventName[],
	others: readonly EventName[],
): string[] => {
	const known = new Set(others.map((name) => getKind(events[name])));
	return names.map((name) => getKind(events[name])).filter((kind) => !known.has(kind));
};
