import fc from 'fast-check';

import { getStoredMembers } from '../../../nodes/Corrigo/compare/differences';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import { buildRestoration } from '../../../nodes/Corrigo/actions/record/restoreValues.operation';
import { startCpuTime } from '../../support/cpu';

const usd = (Value: number) => ({ Value, CurrencyTypeId: 'USD' });
const CHANGED = 'It was changed since';

const order = (before: JsonObject, written: JsonObject, now: JsonObject) =>
	buildRestoration('WorkOrder', before, written, now);

describe('what nobody has changed since is put back:', () => {
	it.each<[string, JsonObject, JsonObject, JsonObject]>([
		['a text that was emptied', { PoNumber: 'A' }, { PoNumber: '' }, { PoNumber: null }],
		[
			'a time that Corrigo writes in another way',
			{ DtDue: '2026-02-01T10:00:00' },
			{ DtDue: '2026-02-02T10:00:00' },
			{ DtDue: '2026-02-02T10:00:00.00' },
		],
	])('%s', (_, before, written, now) => {
		expect(order(before, written, now)).toMatchObject({ value: before, left: [] });
	});

	it('a reference that was empty', () => {
		const { value } = order({ Customer: null }, { Customer: { Id: 2 } }, { Customer: { Id: 2 } });
		expect(value).toEqual({ Customer: { Id: null } });
	});
});

describe('nothing is put back', () => {
	it('that somebody else has changed since, which is listed', () => {
		const before = { PoNumber: 'A', Duration: 1, WorkOrderCost: { CustomerNte: usd(1) } };
		const written = { PoNumber: 'B', Duration: 2, WorkOrderCost: { CustomerNte: usd(2) } };
		const now = { PoNumber: 'C', Duration: 2, WorkOrderCost: { CustomerNte: usd(3) } };
		expect(order(before, written, now)).toEqual({
			value: { Duration: 1 },
			changed: ['Duration'],
			left: [
				{ Field: 'PoNumber', Now: 'C', Reason: CHANGED },
				{ Field: 'WorkOrderCost.CustomerNte', Now: usd(3), Reason: CHANGED },
			],
		});
	});

	it('of the version of a record, which each write changes', () => {
		const [before, now] = [1, 3].map((ConcurrencyId) => ({ ConcurrencyId, PoNumber: 'A' }));
		const written = { ConcurrencyId: 1, PoNumber: 'B' };
		expect(order(before, written, now)).toEqual({ value: {}, changed: [], left: [] });
		const changed = order(before, written, { ...now, PoNumber: 'B' });
		expect(changed).toEqual({ value: { PoNumber: 'A' }, changed: ['PoNumber'], left: [] });
	});

	it('that Corrigo does not show', () => {
		const password = { Password: '(not shown)' };
		expect(buildRestoration('Employee', { Password: null }, password, {})).toMatchObject({
			value: {},
			left: [{ Field: 'Password', Now: null, Reason: 'Corrigo does not show it' }],
		});
	});
});

describe('of the rows of a record', () => {
	const mail = (Address: string | null, AddrTypeId = 'PrimEmail', Id = 5) => ({
		Id,
		AddrTypeId,
		Address,
	});
	/** Restores rows of a record, by the member that holds them. */
	const restore = (entity: string, member: string, ...versions: object[][]) => {
		const [before, written, now] = versions.map((rows) => ({ [member]: rows as JsonObject[] }));
		return buildRestoration(entity, before, written, now);
	};
	const contact = (...versions: object[][]) => restore('Contact', 'ContactAddresses', ...versions);
	const NEW_MAIL = { AddrTypeId: 'PrimEmail', Address: 'b' };
	const PATH = 'ContactAddresses.PrimEmail';

	it('a changed one is put back whole, and others stay', () => {
		const now = [mail('x', 'SecEmail', 6), { ...mail('b'), Other: 1 }];
		expect(contact([mail('a')], [mail('b')], now)).toEqual({
			value: { ContactAddresses: [{ ...mail('a'), Other: 1 }] },
			changed: [PATH],
			left: [],
		});
	});

	it('a changed one is put back without an amount that is empty, which Corrigo refuses', () => {
		const line = (QtyOrdered: number, Price: object) => ({ Id: 5, QtyOrdered, Price });
		const restoreLine = (Price: object) =>
			restore('ReplenishmentOrder', 'Items', [line(1, Price)], [line(2, Price)], [line(2, Price)]);
		const empty = { Value: null, CurrencyTypeId: 'EUR' };
		expect(restoreLine(empty).value).toEqual({ Items: [{ Id: 5, QtyOrdered: 1 }] });
		expect(restoreLine(usd(0)).value).toEqual({ Items: [line(1, usd(0))] });
	});

	const listed = (Now: unknown, Field = PATH, Reason = CHANGED) => ({ Field, Now, Reason });
	it.each<[string, object[], object[], object[], unknown]>([
		['a changed one', [mail('a')], [mail('b')], [mail('c')], listed('c', `${PATH}.Address`)],
		['a new one', [], [NEW_MAIL], [mail('c')], listed(mail('c'))],
		['one that is gone', [mail('a')], [mail('b')], [], listed(null, PATH, 'It was removed since')],
	])('%s that somebody else has changed is listed', (_, before, written, now, left) => {
		expect(contact(before, written, now)).toEqual({ value: {}, changed: [], left: [left] });
	});

	it('one that was added next to one of its kind is deleted', () => {
		expect(contact([mail('a')], [NEW_MAIL], [mail('a'), mail('b', 'PrimEmail', 6)])).toEqual({
			value: { ContactAddresses: [{ Id: 6, PerformDeletion: true }] },
			changed: [PATH],
			left: [],
		});
		const edited = mail('c', 'PrimEmail', 6);
		expect(contact([mail('a')], [NEW_MAIL], [mail('a'), edited])).toEqual({
			value: {},
			changed: [],
			left: [listed(edited)],
		});
	});

	// Promise: *Restore Values* puts back what an update has changed
	it('all are as before, with and without Ids and kinds, unless others have taken their place', () => {
		const kind = fc.constantFrom('PrimEmail', 'SecEmail', 'Fax');
		const address = fc.constantFrom('a', 'b', 'c');
		const row = fc.record({ AddrTypeId: kind, Address: address });
		const change = fc.oneof(
			row.map((one) => ({ ...one, at: -1, PerformDeletion: false })),
			fc.record({ Address: address, at: fc.nat(3), PerformDeletion: fc.boolean() }),
		);
		const toRow = (rows: readonly JsonObject[]) => (one: JsonObject) => {
			const { at, PerformDeletion, ...members } = one;
			const stored = rows[Number(at)];
			if (stored === undefined) return { AddrTypeId: 'Phone', ...members };
			return { ...stored, ...members, ...(PerformDeletion ? { PerformDeletion } : {}) };
		};
		let newest = 10;
		/** Corrigo changes a row with an Id and adds one without. */
		const apply = (rows: readonly JsonObject[], written: readonly JsonObject[]) => [
			...rows.flatMap((one) => {
				const change = written.find(({ Id }) => Id === one.Id);
				return change?.PerformDeletion === true ? [] : [{ ...one, ...change }];
			}),
			...written.filter(({ Id }) => Id === undefined).map((one) => ({ ...one, Id: newest++ })),
		];
		const content = (rows: readonly JsonObject[]) =>
			rows.map(({ AddrTypeId, Address }) => `${String(AddrTypeId)} ${String(Address)}`).sort();
		fc.assert(
			fc.property(
				fc.array(row, { maxLength: 4 }),
				fc.array(change, { minLength: 1, maxLength: 4 }),
				fc.array(row, { maxLength: 2 }),
				(start, changes, others) => {
					const before = start.map((one, index): JsonObject => ({ ...one, Id: index + 1 }));
					const once = changes.filter(
						({ at }, index) => at < 0 || changes.findIndex((one) => one.at === at) === index,
					);
					const written = once.map(toRow(before));
					const now = apply(apply(before, written), others);
					const shown = getStoredMembers(
						'Contact',
						{ ContactAddresses: before },
						{ ContactAddresses: written },
					);
					const { value, left } = contact(shown.ContactAddresses as JsonObject[], written, now);
					const after = apply(now, (value.ContactAddresses ?? []) as JsonObject[]);
					// A row of its kind that somebody has added stays in place of one that was removed.
					const free = [...others];
					const isReplaced = ({ Id, AddrTypeId }: JsonObject) => {
						const isRemoved = written.some(
							(one: JsonObject) => one.Id === Id && one.PerformDeletion === true,
						);
						const at = free.findIndex((one) => one.AddrTypeId === AddrTypeId);
						return isRemoved && at >= 0 && free.splice(at, 1).length > 0;
					};
					const inOrder = [...before].sort(
						(a, b) =>
							written.findIndex(({ Id }: JsonObject) => Id === a.Id) -
							written.findIndex(({ Id }: JsonObject) => Id === b.Id),
					);
					const kept = inOrder.filter((one) => !isReplaced(one));
					expect(content(after)).toEqual(content([...kept, ...others]));
					if (others.length === 0) expect(left).toEqual([]);
				},
			),
			{ numRuns: 1000 },
		);
	});

	it('links that were added go, each once, and those of others stay', () => {
		const team = (TeamId: number, Id?: number) => ({ ...(Id ? { Id } : {}), TeamId });
		const written = [team(2), team(2), team(3)];
		const now = [team(1, 10), team(2, 11), team(4, 12), team(2, 13)];
		const { value, left } = restore('Employee', 'Teams', [team(1, 10)], written, now);
		expect(value).toEqual({
			Teams: [
				{ Id: 11, PerformDeletion: true },
				{ Id: 13, PerformDeletion: true },
			],
		});
		expect(left).toEqual([listed(team(4, 12), 'Teams')]);
	});

	const field = (Value: string | null, Id?: number) => ({
		...(Id ? { Id } : {}),
		Descriptor: { Id: 17 },
		Value,
	});
	it('a link in a custom field is put back without HTML', () => {
		const before = [field('<a href="u">u</a>', 5)];
		const now = [field('b', 5)];
		expect(restore('WorkOrder', 'CustomFields', before, [field('b')], now)).toEqual({
			value: { CustomFields: [field('u', 5)] },
			changed: ['CustomFields.17'],
			left: [],
		});
	});

	it('a custom field that somebody else has changed or removed is listed', () => {
		for (const now of [[field('c', 5)], []]) {
			const before = [field('a', 5)];
			const { left } = restore('WorkOrder', 'CustomFields', before, [field('b')], now);
			expect(left).toEqual([listed(now[0]?.Value ?? null, 'CustomFields.17')]);
		}
	});
});

it.each<[string, (index: number) => JsonObject]>([
	['ContactAddresses', (index) => ({ AddrTypeId: 'PrimEmail', Address: `${index}@example.org` })],
	['CustomFields', (Id) => ({ Descriptor: { Id }, Value: 'x' })],
	['GroupsBridge', (CustomerGroupId) => ({ CustomerGroupId })],
])('%s of a record are not compared each with each', (name, build) => {
	const list = (first: number, change: object = {}) =>
		Array.from({ length: 2_000 }, (_, index) => ({
			...{ Id: first + index, ...build(first + index) },
			...change,
		}));
	const none = list(1, { Id: undefined });
	const readCpuTime = startCpuTime();
	for (const [before, written, now] of [
		[list(1), list(1), list(1)],
		[list(1), list(1, { PerformDeletion: true }), list(5_000)],
		[list(1), list(1), list(5_000)],
		[[], none, list(1)],
	]) {
		buildRestoration('Contact', { [name]: before }, { [name]: written }, { [name]: now });
	}
	expect(readCpuTime()).toBeLessThan(4);
});
