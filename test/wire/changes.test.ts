import fc from 'fast-check';
import { DateTime } from 'luxon';

import { nestNames } from '../../nodes/Corrigo/operations/json';
import { buildChanges } from '../../nodes/Corrigo/wire/requests';
import { ValidationError } from '../../nodes/Corrigo/values/errors';
import { type JsonObject, isObject } from '../../nodes/Corrigo/values/objects';
import { cases } from '../cases';

const FIELD = 'Fields (JSON)';

/** An entity that the catalogue lacks: its names stay as they are. */
const nest = (fields: JsonObject) => nestNames(FIELD, 'Unknown', fields);

const changes = (fields: JsonObject) => buildChanges(FIELD, 12, nest(fields));

describe('an update', () => {
	it.each<[string, JsonObject, string[]]>([
		['empty text, zero and false', { A: '', B: 0, C: false }, ['A', 'B', 'C']],
		['an object', { Address: { Street: 'x', City: 'y' } }, ['Address.Street', 'Address.City']],
		['a collection', { Items: [{ Id: 1 }] }, ['Items.*']],
		['an empty collection', { Items: [] }, ['Items.*']],
		['a collection inside', { A: { Items: [1] } }, ['A.Items.*']],
		['money', { Nte: { Value: 5, CurrencyTypeId: 'USD' } }, ['Nte']],
		[
			'an object with a value and more',
			{ Field: { Value: 'x', Descriptor: { Id: 3 } } },
			['Field.Value', 'Field.Descriptor.Id'],
		],
		['a Date', { DtDue: new Date('2026-01-31T17:30:00Z') }, ['DtDue']],
		['a ConcurrencyId', { ConcurrencyId: 3, A: 1 }, ['A']],
		['a ConcurrencyId in another case', { concurrencyid: 3, A: 1 }, ['A']],
	])('of %s is sent as it is', (_, fields, Properties) => {
		expect(changes(fields)).toEqual({ Properties, Entity: { ...fields, Id: 12 } });
	});

	it.each<[string, JsonObject, string[], object]>([
		['a path', { 'Address.Street': 'x' }, ['Address.Street'], { Address: { Street: 'x' } }],
		[
			'money at a path',
			{ 'Cost.Nte': { Value: 7 } },
			['Cost.Nte'],
			{ Cost: { Nte: { Value: 7 } } },
		],
		[
			'a path and the object it leads into',
			{ 'Address.Street': 'x', Address: { City: 'y' } },
			['Address.Street', 'Address.City'],
			{ Address: { Street: 'x', City: 'y' } },
		],
		[
			'an object and a path that leads into it',
			{ Address: { City: 'y' }, 'Address.Street': 'x' },
			['Address.City', 'Address.Street'],
			{ Address: { City: 'y', Street: 'x' } },
		],
		[
			'names that every object has',
			{ constructor: 1, 'toString.x': 2 },
			['constructor', 'toString.x'],
			{ constructor: 1, toString: { x: 2 } },
		],
		['undefined values next to others', { A: 1, B: undefined }, ['A'], { A: 1 }],
		['the Id chosen', { Id: 12, A: 1 }, ['A'], { A: 1 }],
		['the Id chosen, as text', { Id: '12', A: 1 }, ['A'], { A: 1 }],
		['the Id chosen, in other letters', { ID: 12, id: 12, A: 1 }, ['A'], { A: 1 }],
	])('of %s is sent in the form of the record', (_, fields, properties, entity) => {
		const { Properties, Entity } = changes(fields);
		expect(Properties).toEqual(properties);
		expect(Entity).toEqual({ ...entity, Id: 12 });
		expect(Object.keys(Entity).filter((name) => name.toLowerCase() === 'id')).toEqual(['Id']);
	});

	it.each<[string, JsonObject, string]>([
		['nothing', {}, 'nothing to change'],
		['nothing but undefined', { A: undefined }, 'nothing to change'],
		['nothing but the Id', { Id: 12 }, 'nothing to change'],
		['nothing but the ConcurrencyId', { ConcurrencyId: 3 }, 'nothing to change'],
		['another Id', { Id: 13, A: 1 }, '"13", but the record chosen is 12'],
		['another Id in other letters', { ID: 13, A: 1 }, '"13", but the record chosen is 12'],
		['an Id that is none', { Id: null, A: 1 }, 'empty, but the record chosen is 12'],
		['an Id that is an object', { Id: { x: 1 }, A: 1 }, '{"x":1}, but the record chosen is 12'],
		['an empty object', { Customer: {} }, 'empty object for "Customer"'],
		['an empty object inside', { A: { B: {} } }, 'empty object for "A.B"'],
		['a star', { '*': 1 }, '"*"'],
		['a star in a path', { 'Items.*': [] }, '"Items.*"'],
		['a star inside', { Items: { '*': 1 } }, '"*"'],
		['no name', { '': 1 }, 'empty, which is not a field name'],
		['a gap in a path', { 'A..B': 1 }, '"A..B"'],
		['a name with a space', { 'A B': 1 }, '"A B"'],
		['a text and a property of it', { A: 'x', 'A.B': 1 }, '"A"'],
		['a property and its owner as text', { 'A.B': 1, A: 'x' }, '"A"'],
		['null and a property of it', { A: null, 'A.B': 1 }, '"A"'],
		['a property and its owner as null', { 'A.B': 1, A: null }, '"A"'],
		['a collection and a property of it', { A: [], 'A.B': 1 }, '"A"'],
		['a property twice', { A: { B: 1 }, 'A.B': 2 }, '"B"'],
	])('of %s is refused', (_, fields, said) => {
		expect(() => changes(fields)).toThrow(ValidationError);
		expect(() => changes(fields)).toThrow(said);
		expect(() => changes(fields)).toThrow(`'${FIELD}`);
	});
});

describe('the input of an update', () => {
	it.each([
		'{"__proto__": {"polluted": 1}}',
		'{"__proto__.polluted": 1}',
		'{"A": {"__proto__": 1}}',
	])('%s reaches no prototype', (json) => {
		expect(() => nest(JSON.parse(json) as JsonObject)).toThrow(ValidationError);
		expect('polluted' in {}).toBe(false);
	});

	it('constructor.prototype.polluted reaches no prototype', () => {
		nest({ 'constructor.prototype.polluted': 1 });
		expect('polluted' in {}).toBe(false);
	});

	it('keeps a date object whole', () => {
		const DtDue = DateTime.fromISO('2026-01-31T17:30:00Z', { zone: 'utc' });
		expect(changes({ DtDue })).toEqual({ Properties: ['DtDue'], Entity: { DtDue, Id: 12 } });
	});

	it('is not changed, as it may belong to an input item', () => {
		const address = Object.freeze({ City: 'y' });
		const fields = Object.freeze({ Address: address, 'Address.Street': 'x' });
		expect(nest(fields)).toEqual({ Address: { City: 'y', Street: 'x' } });
		expect(fields).toEqual({ Address: { City: 'y' }, 'Address.Street': 'x' });
	});
});

describe('any set of changes', () => {
	const name = fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Delta');
	const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
	const record = fc.letrec<{ node: unknown; object: JsonObject }>((tie) => ({
		node: fc.oneof({ maxDepth: 3 }, leaf, fc.array(leaf, { maxLength: 3 }), tie('object')),
		object: fc.dictionary(name, tie('node'), { minKeys: 1, maxKeys: 3 }),
	})).object;

	/** Does what the service does: writes only the listed properties of `Entity`. */
	function apply(stored: JsonObject, { Properties, Entity }: ReturnType<typeof changes>) {
		const result = structuredClone(stored);
		for (const path of Properties) {
			const names = path.replace(/\.\*$/, '').split('.');
			const last = names.pop() as string;
			let [from, to] = [Entity, result];
			for (const step of names) {
				from = from[step] as JsonObject;
				if (!isObject(to[step])) to[step] = {};
				to = to[step] as JsonObject;
			}
			if (!(last in from)) throw new Error(`${path} is listed, but not there: it would be reset`);
			to[last] = from[last];
		}
		return result;
	}

	const leaves = (value: unknown, path = ''): Array<[string, unknown]> =>
		isObject(value)
			? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
			: [[path, value]];

	it('is written exactly', () => {
		fc.assert(
			fc.property(record, record, (stored, fields) => {
				const result = apply(stored, changes(fields));
				const after = new Map(leaves(result));
				const wanted = new Map(leaves(fields));
				for (const [path, value] of wanted) expect(after.get(path)).toEqual(value);
				for (const [path, value] of leaves(stored)) {
					const touched = [...wanted.keys()].some(
						(one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`),
					);
					if (!touched) expect(after.get(path)).toEqual(value);
				}
				for (const path of after.keys()) {
					expect(wanted.has(path) || new Map(leaves(stored)).has(path)).toBe(true);
				}
			}),
		);
	});

	it('means the same as paths', () => {
		fc.assert(
			fc.property(record, (fields) => {
				const paths = leaves(fields).map(([path, value]) => [path.slice(1), value]);
				expect(changes(Object.fromEntries(paths) as JsonObject)).toEqual(changes(fields));
			}),
		);
	});

	it('never lists all properties', () => {
		const anything = fc.dictionary(
			fc.oneof(name, fc.string(), fc.constantFrom('*', 'A.*')),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(anything, (fields) => {
				let listed: string[] = [];
				try {
					listed = changes(fields).Properties;
				} catch (error) {
					expect(error).toBeInstanceOf(ValidationError);
				}
				expect(listed).not.toContain('*');
				for (const path of listed) {
					expect(path).toMatch(/^[A-Za-z]\w*(\.[A-Za-z]\w*)*(\.\*)?$/);
				}
			}),
			{ numRuns: cases(200, 1_000) },
		);
	});
});
