import * as fc from 'fast-check';

import { changesOf } from '../../nodes/Corrigo/protocol/changes';
import type { JsonObject } from '../../nodes/Corrigo/protocol/checks';
import { wouldChange, wouldSend } from '../../nodes/Corrigo/protocol/dryRun';
import { createRequest, deleteRequest } from '../../nodes/Corrigo/protocol/requests';

const change = (entity: string, fields: JsonObject, record: JsonObject) =>
	wouldChange(entity, changesOf('Fields', 1, fields), { Id: 1, ...record });

const usd = (Value: number) => ({ Value, CurrencyTypeId: 'USD' });
const isBlank = (value: unknown) => value === undefined || String(value).trim() === '';

describe('wouldChange', () => {
	it.each<[string, JsonObject, JsonObject]>([
		['a text', { PoNumber: 'a' }, { PoNumber: 'a' }],
		['a time, to the instant', { DtDue: '2026-01-01T00:00:00Z' }, { DtDue: '2026-01-01T00:00Z' }],
		['money with its currency', { VendorNte: usd(1) }, { VendorNte: usd(1.0) }],
		['a reference by its Id', { Customer: { Id: 2 } }, { Customer: { Id: 2, DisplayAs: 'x' } }],
		[
			'money given as a text',
			{ VendorNte: { Value: '1.00', CurrencyTypeId: 'USD' } },
			{ VendorNte: usd(1) },
		],
		['a row among others', { Items: [{ Id: 2 }] }, { Items: [{ Id: 1 }, { Id: 2 }] }],
		['a property by another path', { 'Customer.Id': 2 }, { customer: { id: 2 } }],
		['nothing in place of no text', { PoNumber: '' }, { PoNumber: null }],
		['a row with less than is there', { Items: [{ Id: 1 }] }, { Items: [{ Id: 1, Comment: 'x' }] }],
		['a row that stays', { Items: [{ Id: 1, PerformDeletion: false }] }, { Items: [{ Id: 1 }] }],
		['a row that is deleted already', { Items: [{ Id: 2, PerformDeletion: true }] }, { Items: [] }],
	])('returns nothing for an equal value: %s', (_, fields, record) => {
		expect(change('WorkOrder', fields, record)).toEqual({});
	});

	it.each<[string, JsonObject, JsonObject, JsonObject]>([
		['letters', { PoNumber: 'a' }, { PoNumber: 'A' }, { PoNumber: { From: 'A', To: 'a' } }],
		['a blank', { PoNumber: 'a ' }, { PoNumber: 'a' }, { PoNumber: { From: 'a', To: 'a ' } }],
		[
			'the currency',
			{ VendorNte: { Value: 1, CurrencyTypeId: 'EUR' } },
			{ VendorNte: usd(1) },
			{ VendorNte: { From: usd(1), To: { Value: 1, CurrencyTypeId: 'EUR' } } },
		],
		['the reference', { Customer: { Id: 2 } }, {}, { 'Customer.Id': { From: null, To: 2 } }],
		[
			'a deleted row',
			{ Items: [{ Id: 1, PerformDeletion: true }] },
			{ Items: [{ Id: 1 }] },
			{ Items: { From: [{ Id: 1 }], To: [{ Id: 1, PerformDeletion: true }] } },
		],
		[
			'one row of two',
			{ Items: [{ Id: 1 }, { Id: 2, Comment: 'x' }] },
			{ Items: [{ Id: 1 }, { Id: 2 }] },
			{
				Items: {
					From: [{ Id: 1 }, { Id: 2 }],
					To: [{ Id: 1 }, { Id: 2, Comment: 'x' }],
				},
			},
		],
		[
			'an added row',
			{ Items: [{ Comment: 'x' }] },
			{},
			{ Items: { From: null, To: [{ Comment: 'x' }] } },
		],
	])('returns %s', (_, fields, record, expected) => {
		expect(change('WorkOrder', fields, record)).toEqual(expected);
	});

	it('returns nothing for a record written back, and otherwise each changed value', () => {
		const text = fc.string({ minLength: 1 });
		const values = {
			PoNumber: text,
			ContactName: text,
			Anything: fc.oneof(text, fc.integer(), fc.boolean()),
			Duration: fc.integer(),
		};
		const another = fc.oneof(
			...Object.entries(values).map(([name, value]) => fc.tuple(fc.constant(name), value)),
		);
		fc.assert(
			fc.property(
				fc.record<JsonObject>(values, { requiredKeys: ['Duration'] }),
				another,
				(record, [name, other]) => {
					expect(change('WorkOrder', record, record)).toEqual({});
					const after = change('WorkOrder', { ...record, [name]: other }, record);
					const isOther = record[name] !== other && !(isBlank(record[name]) && isBlank(other));
					expect(after).toEqual(
						isOther ? { [name]: { From: record[name] ?? null, To: other } } : {},
					);
				},
			),
		);
	});
});

it('wouldSend shows query and headers only if there are any', () => {
	expect(wouldSend(deleteRequest('Contact', 12, true))).toEqual({
		method: 'DELETE',
		path: '/api/v1/base/Contact?ID=12',
		headers: { IgnoreMissingEntityOnDelete: 'true' },
	});
	expect(Object.keys(wouldSend(deleteRequest('Contact', 12, false)))).toEqual(['method', 'path']);
});

it('wouldSend truncates very long texts without changing the body', () => {
	const Body = 'x'.repeat(2001);
	const entity = { Blob: { FileName: 'a', Body }, Rows: [{ Text: 'y'.repeat(2000) }, null, 1] };
	const request = createRequest('Document', entity, 'r');
	expect(wouldSend(request)).toEqual({
		method: 'POST',
		path: '/api/v1/base/Document',
		body: {
			RequestId: 'r',
			Entity: {
				...entity,
				Blob: { FileName: 'a', Body: `${'x'.repeat(100)}… (2001 characters)` },
			},
		},
	});
	expect(entity.Blob.Body).toBe(Body);
});
