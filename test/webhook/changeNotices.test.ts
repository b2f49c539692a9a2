import fc from 'fast-check';

import { cases } from '../cases';
import { getEntity } from '../../nodes/Corrigo/catalogue/entities';
import { parseChangeNotices } from '../../nodes/Corrigo/webhook/changeNotices';

const order = { id: 5, entity: 'WorkOrder' };

describe('in the body of a push is found', () => {
	it.each<[string, unknown, object[]]>([
		['a record in the wrapper', { Entities: [{ Data: { Id: 5, Number: 'A' } }] }, [{ id: 5 }]],
		[
			'records in the wrapper',
			{ Entities: [{ Data: { Id: 5 } }, { Data: { Id: 6 } }] },
			[{ id: 5 }, { id: 6 }],
		],
		['a bare record', { Id: 5 }, [{ id: 5 }]],
		['bare records', [{ Id: 5 }, { Id: 6 }], [{ id: 5 }, { id: 6 }]],
		['a record in lower case, with its Id as a text', { id: '5' }, [{ id: 5 }]],
		['a kind and an Id', { EventNotification: { EntityType: 'WorkOrder', EntityId: 5 } }, [order]],
		[
			'an entity in the plural, with its Id as text',
			{ Entity: 'Customers', Id: '12' },
			[{ id: 12, entity: 'Customer' }],
		],
		[
			'an entity, but not a similar name',
			{ EntityVersion: 'Contact', Entity: 'WorkOrder', Id: 5 },
			[order],
		],
		['a record with numbers, one of them in place of a kind', { Kind: 7, Id: 5 }, [{ id: 5 }]],
		['a kind in words', { Module: 'Work Orders', Data: { Id: 5 } }, [order]],
		['a kind around the record', { WorkOrder: { Id: 5 } }, [order]],
		['kinds around records', { WorkOrders: [{ Id: 5 }] }, [order]],
		['the short form of a kind', { WoId: 5 }, [order]],
		['a note', { Note: { Id: 7 } }, [{ id: 7, entity: 'WoNote' }]],
		['a note and its order', { Id: 7, WorkOrderId: 5, Body: 'x' }, [{ id: 7 }, order]],
		['a document of an order', { Id: 8, ActorTypeId: 'WO', ActorId: 5 }, [{ id: 8 }, order]],
		['a record of an unknown kind', { EntityType: 'constructor', Id: 5 }, [{ id: 5 }]],
		[
			'the record of an event that has its own Id',
			{ EventNotification: { Id: 991, EventType: 'x', Data: { Id: 5 } } },
			[{ id: 991 }, { id: 5 }],
		],
		[
			'a record only once',
			[{ WorkOrder: { Id: 5 } }, { EntityType: 'WorkOrder', Id: 5 }, { WorkOrderId: 5 }],
			[order],
		],
	])('%s', (_, body, notices) => {
		const found = parseChangeNotices(body);
		expect(found).toHaveLength(notices.length);
		expect(found).toEqual(expect.arrayContaining(notices));
	});

	const sample = { Number: 'SBG00001', TypeCategory: 'Request', WorkOrderCost: {} };
	const number = { number: 'SBG00001', entity: 'WorkOrder' };

	it.each<[string, object, object[]]>([
		['by its number', {}, [number]],
		['by its Id, wherever that stands', { Id: 5 }, [order]],
		[
			'by the Id of its costs',
			{ WorkOrderCost: { ApStatusId: 1, Id: 5 } },
			[{ id: 5, entity: 'WorkOrderCost' }],
		],
		['but not by the object in a member of an unknown entity', { Whatever: { Id: 4 } }, [number]],
		['by nothing with an empty number', { Number: ' ' }, []],
		['by nothing with a number that is too long', { Number: 'A'.repeat(65) }, []],
		['by nothing with a number that is no text', { Number: 7 }, []],
		['by nothing without a category', { TypeCategory: undefined }, []],
	])('a work order as the Event Service pushes it, %s', (_, more, notices) => {
		const pushed = { Entities: [{ Data: { ...sample, ...more } }] };
		expect(parseChangeNotices(pushed)).toEqual(notices);
	});

	it('several work orders in one push, each once', () => {
		const others = [sample, { ...sample, Number: 'SBG00002' }, sample];
		const found = parseChangeNotices({ Entities: others.map((Data) => ({ Data })) });
		expect(found).toHaveLength(2);
		expect(found).toEqual(expect.arrayContaining([number, { ...number, number: 'SBG00002' }]));
	});

	it('references of a record by their entity, and none of an unknown entity', () => {
		const body = {
			Id: 5,
			Customer: { Id: 9 },
			LastAction: { Id: 77, Actor: { Id: 3 } },
			Items: [{ Id: 1 }],
			ConcurrencyId: 12,
			StatusId: 'Open',
		};
		expect(parseChangeNotices(body)).toEqual(
			expect.arrayContaining([
				{ id: 5 },
				{ id: 9, entity: 'Customer' },
				{ id: 3, entity: 'Actor' },
			]),
		);
		expect(parseChangeNotices(body)).toHaveLength(3);
	});

	it.each([
		...['Body', 'Content', 'Data', 'Entity', 'Entities', 'Event', 'Events', 'EventNotification'],
		...['EventNotifications', 'Message', 'Messages', 'Notification', 'Notifications', 'Payload'],
		...['Record', 'Records'],
	])('the record in the %s of an event', (name) => {
		const body = { Id: 991, [name]: { Id: 5 } };
		expect(parseChangeNotices(body)).toEqual(expect.arrayContaining([{ id: 991 }, { id: 5 }]));
	});

	it.each(['Somebody', 'Database', 'Recorder', 'AllEvents'])(
		'the record, but not the object in its member %s',
		(name) => {
			expect(parseChangeNotices({ Id: 991, [name]: { Id: 5 } })).toEqual([{ id: 991 }]);
		},
	);

	it.each([
		['a number', { Count: 3, Inner: { Id: 5 } }],
		['an Id that is none', { Id: 'x', Inner: { Id: 5 } }],
	])('the record in a body with %s', (_, body) => {
		expect(parseChangeNotices(body)).toEqual([{ id: 5 }]);
	});

	it.each([
		null,
		5,
		'x',
		true,
		[],
		{},
		{ Id: 0 },
		{ Id: -1 },
		{ Id: 1.5 },
		{ Id: '05' },
		{ Id: '1e3' },
		{ CustomerIdentity: 5 },
		{ Id: 1e300 },
	])('nothing in %j', (body) => {
		expect(parseChangeNotices(body)).toEqual([]);
	});

	it('records in their order, including two entities with one Id', () => {
		const body = [{ Customer: { Id: 7 } }, { WorkOrder: { Id: 7 } }, { Id: 5 }, { Id: 6 }];
		expect(parseChangeNotices(body)).toEqual([
			{ id: 7, entity: 'Customer' },
			{ id: 7, entity: 'WorkOrder' },
			{ id: 5 },
			{ id: 6 },
		]);
	});

	it('a record at any depth', () => {
		let body: unknown = { EntityType: 'WorkOrder', Id: 5 };
		for (let depth = 0; depth < 100_000; depth++) body = depth % 2 ? [body] : { Inner: body };
		expect(parseChangeNotices(body)).toEqual([order]);
	});

	it('nothing in forged words, each of which takes one look-up at most', () => {
		const words = Array.from({ length: 26 ** 2 }, (_, index) =>
			[index / 26, index % 26].map((one) => String.fromCharCode(97 + one)).join('q'),
		);
		const body = [
			...words.map((word) => ({ [`${word}Id`]: 5, [`${word}TypeId`]: word })),
			...words.map((word) => ({ kind: `${word}a`, module: `${word}b`, entity: `${word}c` })),
			...words.map((word) => ({ [word]: [{ [`${word}d`]: {} }] })),
		];
		const lookUp = jest.spyOn(Map.prototype, 'get');
		const found = parseChangeNotices(body);
		const times = lookUp.mock.calls.length;
		lookUp.mockRestore();
		expect(found).toEqual([]);
		expect(times).toBeLessThanOrEqual(7 * words.length);
	});

	it('a record among arbitrary other data', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.string(), fc.jsonValue()), { maxLength: 5 }),
				fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }),
				fc.integer({ min: 1, max: 2 ** 31 - 1 }),
				(others, path, id) => {
					const around = Object.fromEntries(others.filter(([name]) => name !== '__proto__'));
					const record = { ...around, EntityType: 'WorkOrder', Id: id };
					const body = path
						.filter((name) => name !== '__proto__')
						.reduceRight<unknown>((inner, name) => ({ [name]: inner }), record);
					expect(parseChangeNotices(body)).toContainEqual({ id, entity: 'WorkOrder' });
				},
			),
		);
	});

	it('nothing but Ids of known entities, whatever the body is', () => {
		const word = fc.constantFrom(
			...['Id', 'EntityType', 'WoId', 'ActorTypeId', 'ActorId', 'Data'],
			...['Number', 'TypeCategory', 'WorkOrderCost'],
		);
		const inherited = fc.constantFrom('__proto__', 'constructor', 'toString', 'valueOf');
		const name = fc.oneof(word, inherited, fc.string());
		const { body } = fc.letrec((tie) => ({
			body: fc.oneof(
				{ maxDepth: 5 },
				fc.oneof(fc.nat(), name, fc.jsonValue()),
				fc.array(tie('body'), { maxLength: 3 }),
				fc.array(fc.tuple(name, tie('body')), { maxLength: 4 }).map(Object.fromEntries),
			),
		}));
		fc.assert(
			fc.property(body, (pushed) => {
				for (const { entity = 'WorkOrder', ...notice } of parseChangeNotices(pushed)) {
					const isId = 'id' in notice && Number.isSafeInteger(notice.id) && notice.id > 0;
					expect(isId || /^\S.{0,63}$/.test('number' in notice ? notice.number : '')).toBe(true);
					expect(getEntity(entity)?.name).toBe(entity);
				}
			}),
			{ numRuns: cases(500, 10_000) },
		);
	});
});
