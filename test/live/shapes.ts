import type { Json } from '../../scripts/live/scrub';

/** The kinds of values at each path, in the order of the members. */
type Shape = Map<string, Set<string>>;

function toKind(value: Json): string {
	if (value === null) return 'null';
	if (typeof value !== 'string') return typeof value;
	if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return 'time with Z';
	if (/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value)) return 'time without zone';
	return value === '' ? 'empty text' : 'text';
}

/** Rows of a list have one shape together. */
function addShape(shape: Shape, value: Json, path: string): Shape {
	if (Array.isArray(value)) {
		for (const one of value) addShape(shape, one, `${path}[]`);
	} else if (typeof value === 'object' && value !== null) {
		for (const [member, one] of Object.entries(value)) addShape(shape, one, `${path}.${member}`);
	} else {
		// Codes of errors are a contract; other texts are not.
		const kind = path === '.ErrorCode' ? String(value) : toKind(value);
		shape.set(path, (shape.get(path) ?? new Set()).add(kind));
	}
	return shape;
}

const describeKinds = (kinds: ReadonlySet<string> | undefined) =>
	kinds === undefined ? 'nothing' : [...kinds].sort().join(' or ');

/** Lists what differs, by path; a list that is empty in one answer tells nothing about its rows. */
export function compareShapes(recorded: Json, sandbox: Json): string[] {
	const [left, right] = [recorded, sandbox].map((answer) => addShape(new Map(), answer, ''));
	const isKnown = (shape: Shape, path: string) =>
		!path.includes('[]') || [...shape.keys()].some((other) => other.includes('[]'));
	const paths = [...new Set([...left.keys(), ...right.keys()])].filter(
		(path) => isKnown(left, path) && isKnown(right, path),
	);
	const differences = paths
		.map((path) => [path, describeKinds(left.get(path)), describeKinds(right.get(path))])
		.filter(([, one, other]) => one !== other)
		.map(([path, one, other]) => `${path}: recorded ${one}, sandbox ${other}`);
	const common = (shape: Shape, other: Shape) =>
		[...shape.keys()].filter((path) => other.has(path));
	const [order, otherOrder] = [common(left, right), common(right, left)].map((all) =>
		all.join(' '),
	);
	return order === otherOrder
		? differences
		: [...differences, `order: recorded ${order}, sandbox ${otherOrder}`];
}
