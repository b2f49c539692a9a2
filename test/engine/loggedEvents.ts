import { events, type EventType } from '../../nodes/Corrigo/trigger/events';

const typesOf = ({ entity, actionTypes = [] }: EventType) =>
	entity === 'WoActionLog' ? actionTypes : [];

/** A case for each event that counts actions of certain types, made from these types. */
export const forLoggedEvents = <Case>(build: (...types: string[]) => Case): Record<string, Case> =>
	Object.fromEntries(
		Object.entries<EventType>(events)
			.filter(([, event]) => typesOf(event).length > 0)
			.map(([name, event]) => [name, build(...typesOf(event))]),
	);
