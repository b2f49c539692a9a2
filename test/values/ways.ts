/** Ways in which a value reaches a member, each without what it needs of an engine. */
import { getEntity } from '../../nodes/Corrigo/catalogue/entities';
import { buildMembers } from '../../nodes/Corrigo/columns/columns';
import { readMembers, type ValueReader } from '../../nodes/Corrigo/values/members';
import { spellNames } from '../../nodes/Corrigo/values/memberNames';
import { type JsonObject, readPath } from '../../nodes/Corrigo/values/objects';
import {
	type IdResolver,
	isName,
	parseId,
	toIdOrName,
} from '../../nodes/Corrigo/values/references';
import {
	buildFormCriteria,
	parseCriteria,
	type ConditionNames,
} from '../../nodes/Corrigo/wire/criteria';
import { takeRows } from './plainId';

/** Every name is that of the record with the ID 7. */
export const resolveId: IdResolver = (field, input, target) => {
	const value = toIdOrName(field, input, target);
	return isName(value) ? 7 : parseId(field, value);
};

export const reader: ValueReader = { resolveId, readRows: takeRows };

/** Custom fields are texts, as their definitions are not read. */
export const names: ConditionNames = {
	resolveId,
	getTextType: () => ({ type: undefined, isChoice: false }),
	listValues: () => [],
};

export const read = (owner: string, input: JsonObject, resolve = resolveId): JsonObject =>
	readMembers(owner, spellNames('Fields (JSON)', owner, input), {
		getLabel: (path) => `Fields (JSON) > ${path.replace(/\.Id$/, '')}`,
		...reader,
		resolveId: resolve,
	});

export const NONE: unique symbol = Symbol('changes nothing');

/** Each way in returns what it sends for a member, `NONE`, or a refusal without the name of the field. */
export type Way = (owner: string, member: string, value: unknown) => unknown;

export const caught = (work: () => unknown): unknown => {
	try {
		const sent = work();
		return sent === undefined ? NONE : sent;
	} catch (error) {
		return (error as Error).message.replace(/^'[^']*'/, 'refused:');
	}
};

export const writes: Record<string, Way> = {
	'Fields (JSON)': (owner, member, value) => caught(() => read(owner, { [member]: value })[member]),
	'Fields (JSON) in another case': (owner, member, value) =>
		caught(() => read(owner, { [member.toUpperCase()]: value })[member]),
	mapping: (owner, member, value) =>
		caught(() => buildMembers(owner, [{ id: member, label: member, value }], reader)[member]),
	'a record inside a command': (owner, member, value) =>
		caught(() => {
			if (getEntity(owner) === undefined) return read(owner, { [member]: value })[member];
			const carried = { Entity: { $type: owner, [member]: value } };
			return readPath(read('UpdateCommand', carried), `Entity.${member}`);
		}),
};

export const comparisons: Record<string, Way> = {
	'a condition': (owner, member, value) =>
		caught(() => {
			const row = { property: member, operator: 'Equal', value };
			return buildFormCriteria(owner, 'all', [row], names)?.Conditions?.[0].Values[0];
		}),
	'Criteria (JSON)': (owner, member, value) =>
		caught(() => {
			const Conditions = [{ PropertyName: member, Operator: 'Equal', Values: [value] }];
			return parseCriteria(owner, 'A', { Conditions }, names)?.Conditions?.[0].Values[0];
		}),
};

/** Returns what all ways make of it; fails if one differs. */
export const agree = (
	ways: Record<string, Way>,
	{ owner, member }: { owner: string; member: string },
	value: unknown,
) => {
	const results = Object.values(ways).map((way) => way(owner, member, value));
	const texts = new Set(results.map((one) => JSON.stringify(one) ?? String(one)));
	if (texts.size > 1) expect([owner, member, value, ...texts]).toBe('one result');
	return results[0];
};
