import type { IDataObject } from 'n8n-workflow';

import { mergeCursors, repeatRows, skipChanges, type Cursor } from '../../feed/cursor';
import {
	readCursor,
	readLast,
	writeCursor,
	writeLast,
	type Delivered,
} from '../../feed/cursorText';
import { isObject } from '../../values/objects';
import { listFeedPlans, type Opening, type Plan } from '../plan';
import { openStore, STARTS_OVER, type Codec } from '../state';

/** The cursors of a trigger, by the entity of their feed. */
export type Cursors = ReadonlyMap<string, Cursor>;

const DAMAGED =
	'A part of the state of this trigger cannot be read: some changes may come a second time';

export const createCursorCodec = (isTimed: boolean): Codec<Cursor> => ({
	read: (members, warn) => readCursor(members, isTimed, () => warn?.(DAMAGED)),
	repeat: (cursor, last) => repeatRows(cursor, readLast(last, isTimed)),
	write: writeCursor,
	merge: mergeCursors,
	skip: (cursor, polled) => (isTimed ? skipChanges(cursor, polled) : cursor),
});

/** The feed that identifies the sequence has its cursor in the state itself, and others have it in `feeds`. */
const isFirst = ({ sequence }: Plan, entity: string) => entity === sequence.entity;

/** Each text of another feed begins with its entity. */
const getMark = (plan: Plan, entity: string) => (isFirst(plan, entity) ? '' : `${entity}=`);

const MARK = /^\w+=/;

/** Stores the cursors of the feeds of a plan. Those of other feeds are dropped. */
function createCursorsCodec(plan: Plan): Codec<Cursors> {
	const codecs = listFeedPlans(plan).map(({ feed: { entity, time } }) => ({
		entity,
		codec: createCursorCodec(time !== undefined),
	}));
	const build = (toCursor: (entity: string, codec: Codec<Cursor>) => Cursor | undefined): Cursors =>
		new Map(
			codecs.flatMap(({ entity, codec }) => {
				const cursor = toCursor(entity, codec);
				return cursor === undefined ? [] : [[entity, cursor] as const];
			}),
		);
	const change = (
		cursors: Cursors,
		toCursor: (cursor: Cursor, codec: Codec<Cursor>, entity: string) => Cursor,
	) =>
		build((entity, codec) => {
			const cursor = cursors.get(entity);
			return cursor && toCursor(cursor, codec, entity);
		});
	return {
		read: (members, warn) => {
			const { feeds } = members;
			const getMembers = (entity: string): IDataObject => {
				if (isFirst(plan, entity)) return members;
				return isObject(feeds) && isObject(feeds[entity]) ? (feeds[entity] as IDataObject) : {};
			};
			const cursors = build((entity, codec) => codec.read(getMembers(entity), warn));
			if (cursors.size === 0) return undefined;
			const isLost = ({ entity }: { entity: string }) =>
				!cursors.has(entity) && getMembers(entity).newest !== undefined;
			if (codecs.some(isLost)) warn?.(STARTS_OVER);
			return cursors;
		},
		repeat: (cursors, last) => {
			const texts = last.split(';');
			return change(cursors, (cursor, codec, entity) => {
				const mark = getMark(plan, entity);
				const own = texts.filter((text) => (MARK.exec(text)?.[0] ?? '') === mark);
				return codec.repeat(cursor, own.map((text) => text.slice(mark.length)).join(';'));
			});
		},
		write: (cursors) => {
			const written = codecs.flatMap(({ entity, codec }) => {
				const cursor = cursors.get(entity);
				return cursor === undefined ? [] : [[entity, codec.write(cursor)] as const];
			});
			const others = written.filter(([entity]) => !isFirst(plan, entity));
			return {
				...written.find(([entity]) => isFirst(plan, entity))?.[1],
				...(others.length > 0 && { feeds: Object.fromEntries(others) }),
			};
		},
		merge: (stored, known) =>
			build((entity, codec) => {
				const [one, other] = [stored.get(entity), known.get(entity)];
				return one && other ? codec.merge(one, other) : (one ?? other);
			}),
		skip: (cursors, polled) => change(cursors, (cursor, codec) => codec.skip(cursor, polled)),
	};
}

/** A feed has delivered these changes, and goes on from the cursor. */
interface Moved {
	entity: string;
	cursor: Cursor;
	delivered: readonly Delivered[];
}

/** Returns a text with the last changes of all feeds. */
export const writeLastChanges = (plan: Plan, moved: readonly Moved[]): string =>
	moved
		.flatMap(({ entity, cursor, delivered }) =>
			writeLast(cursor, delivered)
				.split(';')
				.map((text) => getMark(plan, entity) + text),
		)
		.join(';');

/** Opens the state of a trigger whose place is a cursor in each of its feeds. */
export const openCursorStore = (opening: Opening, plan: Plan) =>
	openStore(opening, plan, createCursorsCodec(plan));
