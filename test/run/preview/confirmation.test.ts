import fc from 'fast-check';

import {
	listChangedParts,
	createConfirmationKey,
	deriveSecret,
	parseConfirmationKey,
	UsedKeys,
	type PlannedWrites,
} from '../../../nodes/Corrigo/run/preview/confirmation';
import {
	buildCreateRequest,
	buildDeleteRequest,
	buildUpdateRequest,
} from '../../../nodes/Corrigo/wire/requests';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import { cases } from '../../cases';

const fields = fc.dictionary(
	fc.constantFrom('Name', 'Body', 'PoNumber', 'Priority', 'Comment'),
	fc.jsonValue({ maxDepth: 2 }),
	{ minKeys: 1 },
) as fc.Arbitrary<JsonObject>;

const write = fc.oneof(
	fields.map((one) => buildCreateRequest('WoNote', one, 'r')),
	fc
		.record({ Id: fc.nat(), one: fields, ConcurrencyId: fc.option(fc.nat(), { nil: undefined }) })
		.map(({ Id, one, ConcurrencyId }) =>
			buildUpdateRequest(
				'WorkOrder',
				{ Properties: Object.keys(one), Entity: { Id, ConcurrencyId, ...one } },
				'r',
			),
		),
	fc.nat().map((id) => buildDeleteRequest('Contact', id)),
);

const planned: fc.Arbitrary<PlannedWrites> = fc.record({
	secret: fc.string({ minLength: 1 }),
	writes: fc.array(write, { minLength: 1, maxLength: 3 }),
	records: fc.array(
		fc.record({
			name: fc.string(),
			state: fc.jsonValue({ maxDepth: 2 }),
			fields: fc.array(fc.record({ label: fc.string(), value: fc.jsonValue({ maxDepth: 1 }) })),
		}),
		{ maxLength: 3 },
	),
});

type Body = JsonObject & { Entity?: JsonObject };

/** The same content as the node would make it a second time: other RequestIds, and members in another order. */
const again = ({ secret, writes, records }: PlannedWrites): PlannedWrites => ({
	secret,
	writes: writes.map((one) => ({
		...one,
		requestId: 'other',
		...(one.body && {
			body: Object.fromEntries(
				Object.entries({
					...one.body,
					...('RequestId' in one.body && { RequestId: 'other' }),
				}).reverse(),
			),
		}),
	})),
	records: structuredClone(records),
});

const altered = fc
	.record({
		plan: planned,
		place: fc.nat(),
		how: fc.constantFrom('secret', 'body', 'path', 'method', 'more', 'less', 'state'),
	})
	.map(({ plan, place, how }) => {
		const { secret, writes, records } = plan;
		const index = place % writes.length;
		const change = (part: object): PlannedWrites => ({
			secret,
			records,
			writes: writes.map((one, at) => (at === index ? { ...one, ...part } : one)),
		});
		const { body = {}, path, method } = writes[index];
		const { Entity } = body as Body;
		const changes: Record<typeof how, PlannedWrites> = {
			secret: { ...plan, secret: `${secret}x` },
			body: change({ body: { ...body, Entity: { ...Entity, Name: [Entity?.Name ?? null] } } }),
			path: change({ path: `${path}x` }),
			method: change({ method: method === 'PUT' ? 'POST' : 'PUT' }),
			more: { secret, records, writes: [...writes, writes[index]] },
			less: { secret, records, writes: writes.slice(1) },
			state: {
				secret,
				writes,
				records:
					records.length === 0
						? [{ name: 'x', state: 1, fields: [] }]
						: records.map((one, at) => (at > 0 ? one : { ...one, state: [one.state] })),
			},
		};
		return { plan, now: changes[how] };
	});

describe('a confirmation key', () => {
	it('confirms items that are as they were', () => {
		fc.assert(
			fc.property(planned, (plan) => {
				const key = createConfirmationKey(plan);
				expect(parseConfirmationKey(key)).toBe(key);
				expect(listChangedParts(key, again(plan))).toEqual([]);
			}),
			{ numRuns: cases(100, 1_000) },
		);
	});

	// Promise: *Confirmation Key* writes what was approved
	it('confirms no item whose requests or records were altered', () => {
		fc.assert(
			fc.property(altered, ({ plan, now }) => {
				expect(listChangedParts(createConfirmationKey(plan), now)).not.toEqual([]);
			}),
			{ numRuns: cases(100, 1_000) },
		);
	});

	// Promise: *Confirmation Key* writes what was approved
	it('cannot be made from another key, or without the secret of the credential', () => {
		fc.assert(
			fc.property(
				planned,
				fc.string(),
				fc.uint8Array({ minLength: 6, maxLength: 6 }),
				(...given) => {
					const [plan, guess, bytes] = given;
					const key = createConfirmationKey(plan);
					// Everything but the secret is known, as the code is.
					const forged = createConfirmationKey({ ...plan, secret: `${guess}?` });
					expect(listChangedParts(forged, plan)).toEqual(['the credential or its Company']);
					const salt = Buffer.from(bytes).toString('base64url');
					const again = [salt, ...key.split('.').slice(1)].join('.');
					if (again !== key) expect(listChangedParts(again, plan)).not.toEqual([]);
				},
			),
		);
	});

	it('has a secret of its own for each client secret and Company', () => {
		const secrets = [deriveSecret('s', 'A'), deriveSecret('s', 'B'), deriveSecret('t', 'A')];
		expect(new Set(secrets).size).toBe(3);
		expect(deriveSecret('s', 'A')).toBe(secrets[0]);
	});

	it.each([undefined, null, '', ' '])('cannot be empty: %j', (value) => {
		expect(() => parseConfirmationKey(value)).toThrow("'Confirmation Key' is empty");
	});

	it.each([true, 7, {}, 'yes', 'abcdefgh', 'abcdefgh.short', 'abcdefgh.abcdefghijkl.'])(
		'must have the form of a key: %j',
		(value) => {
			expect(() => parseConfirmationKey(value)).toThrow('is not a key that a dry run has returned');
		},
	);
});

it('used keys need a limited amount of memory', () => {
	const keys = new UsedKeys();
	for (let key = 0; key <= 10_000; key++) keys.claim(String(key));
	keys.claim('0');
	expect(() => keys.claim('10000')).toThrow('was already used');
});
