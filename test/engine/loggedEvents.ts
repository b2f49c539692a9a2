import { events, type EventType } from '../../nodes/Corrigo/trigger/events';

const listTypes = ({ entity, actionTypes = [] }: EventType) =>
	entity === 'WoActionLog' ? actionTypes : [];

/** A case for each event that counts actions of certain types, made from these types. */
export const forLoggedEvents = <Case>(build: (...types: string[]) => Case): Record<string, Case> =>
	Object.fromEntries(
		Object.entries<EventType>(events)
			.filter(([, event]) => listTypes(event).length > 0)
			.map(([name, event]) => [name, build(...listTypes(event))]),
	);
