import { entityNamed, fieldsOf, valueObjects } from '../catalogue/entities';
import { localTime, utcMembersOf } from '../catalogue/localTimes';
import { labelOf } from './column';

/** The use decides which properties are offered. */
export type PropertyUse = 'condition' | 'sort' | 'group' | 'date' | 'output';

export interface PropertyChoice {
	path: string;
	/** Titles on the path, such as "Customer > Name". */
	label: string;
	/** Distinguishes a time from the same time on another clock. */
	clock?: string;
}

/** Corrigo uses these members in requests only. */
const NEVER_READ = ['PerformDeletion', 'IsNew', 'Password'];

/** The service refused conditions on these when they were tried. */
const NOT_COMPARED = ['LastAction.Reason.Id'];

/** `DisplayAs` is the name of a record, unless the entity has a member `Name` as well. */
const memberTitle = (owner: string, member: string, type: string) =>
	member === 'DisplayAs' && !('Name' in fieldsOf(owner)) ? 'Name' : labelOf(member, type);

interface Place {
	owner: string;
	path: string[];
	labels: string[];
	depth: number;
}

function* walk(use: PropertyUse, { owner, path, labels, depth }: Place): Generator<PropertyChoice> {
	for (const [member, type] of Object.entries(fieldsOf(owner))) {
		if (NEVER_READ.includes(member)) continue;
		const inner = type.replace('[]', '');
		const isRecord = entityNamed(inner) !== undefined;
		const here = [...path, member];
		const named = [...labels, memberTitle(owner, member, type)];
		const choice = { path: here.join('.'), label: named.join(' > '), ...clockOf(owner, member) };
		// Users need an amount together with its currency.
		const isMoney = use === 'output' && inner === 'MoneyValue';
		if (isMoney || !(isRecord || inner in valueObjects)) {
			if (isOffered(use, owner, member, type, choice)) yield choice;
			continue;
		}
		if (use === 'output') yield { path: `${choice.path}.*`, label: `${choice.label} > All` };
		const isMany = type.endsWith('[]');
		if (use === 'date' || (isMany && use !== 'condition' && use !== 'output')) continue;
		// A group shows the name of its reference, so the reference itself is offered.
		if (use === 'group' && isRecord) yield choice;
		if (depth > 0) yield* walk(use, { owner: inner, path: here, labels: named, depth: depth - 1 });
	}
}

const LOCAL = 'local time of the work zone';
const UTC = 'to compare across time zones';

function clockOf(owner: string, member: string): Pick<PropertyChoice, 'clock'> {
	if (utcMembersOf(owner).has(member)) return { clock: UTC };
	return localTime(owner, member)?.utc === undefined ? {} : { clock: LOCAL };
}

function isOffered(
	use: PropertyUse,
	owner: string,
	member: string,
	type: string,
	{ path }: PropertyChoice,
): boolean {
	if (use !== 'output' && NOT_COMPARED.includes(path)) return false;
	if (use !== 'date') return true;
	// Local times of different zones cannot be sorted.
	const local = localTime(owner, member);
	return type === 'datetime' && (local === undefined || local.utc !== undefined);
}

/** Matches all words, in any order and in any case. */
export const hasWords = (text: string, wanted: string): boolean =>
	wanted
		.toLowerCase()
		.split(/\s/)
		.every((word) => text.toLowerCase().includes(word));

const depthOf = ({ path }: PropertyChoice) => path.split('.').length;

/** Nobody scrolls through a longer list; a longer filter shortens it. */
const MAX_CHOICES = 300;

/** An exact match comes first, then a label that begins with the filter. */
function rankOf({ label }: PropertyChoice, filter: string): number {
	const [given, wanted] = [label.toLowerCase(), filter.trim().toLowerCase()];
	if (given === wanted) return 0;
	return given.startsWith(wanted) ? 1 : 2;
}

/** A filter also finds properties two steps away, which would make an unfiltered list too long. */
export function propertyChoices(entity: string, use: PropertyUse, filter = ''): PropertyChoice[] {
	const depth = filter.trim() === '' ? 1 : 2;
	return [...walk(use, { owner: entity, path: [], labels: [], depth })]
		.filter(({ path, label }) => hasWords(`${label} ${path}`, filter))
		.sort(
			(a, b) =>
				rankOf(a, filter) - rankOf(b, filter) ||
				depthOf(a) - depthOf(b) ||
				a.label.localeCompare(b.label, 'en'),
		)
		.slice(0, use === 'output' ? undefined : MAX_CHOICES);
}
