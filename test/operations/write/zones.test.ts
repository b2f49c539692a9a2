import { DateTime } from 'luxon';

import {
	findZonedTime,
	replaceUtcMembers,
	splitUtcMembers,
	toLocalTimes,
} from '../../../nodes/Corrigo/operations/write/zones';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import { validationError } from '../../values/validationErrors';

describe('members in UTC', () => {
	it('are taken out of the fields; one without a value changes nothing', () => {
		const given = {
			DueDateUtc: 1,
			AcknowledgeByUtc: null,
			CreatedDateUtc: '',
			DtUtcOnSiteBy: 2,
			DtDue: 3,
			PoNumber: 4,
		};
		expect(splitUtcMembers('WorkOrder', given)).toEqual({
			utc: { DueDateUtc: 1, DtUtcOnSiteBy: 2 },
			others: { DtDue: 3, PoNumber: 4 },
		});
	});

	it('of other entities stay', () => {
		const others = { DueDateUtc: 1 };
		expect(splitUtcMembers('Contact', others)).toEqual({ utc: {}, others });
	});
});

describe('an update of a work order with members in UTC', () => {
	const NOON = '2026-07-15T12:00:00Z';
	/** Clocks in Berlin show this at noon in UTC. */
	const LOCAL = '2026-07-15T14:00:00';
	const result = (members: JsonObject, utc: JsonObject, record: JsonObject = {}, zone?: string) =>
		replaceUtcMembers({ field: 'Fields (JSON)', entity: 'WorkOrder', record, zone }, members, utc);

	it.each<[string, JsonObject, JsonObject, JsonObject]>([
		['with a zone', { DueDateUtc: '2026-07-15T14:00:00+02:00' }, {}, { DtDue: NOON }],
		['without a zone', { DueDateUtc: '2026-07-15T12:00:00' }, {}, { DtDue: NOON }],
		[
			'as a date object',
			{ ScheduledStartUtc: new Date(NOON) },
			{},
			{ DtScheduledStart: '2026-07-15T12:00:00.000Z' },
		],
		[
			'that is another one',
			{ DtUtcOnSiteBy: NOON },
			{ DtUtcOnSiteBy: '2026-07-15T11:59:59' },
			{ DtOnSiteBy: NOON },
		],
	])('writes a time %s as the local member', (_, utc, record, expected) => {
		const PoNumber = 'P';
		expect(result({ PoNumber }, utc, record)).toEqual({
			members: { PoNumber, ...expected },
			omitted: [],
		});
	});

	it.each<[string, JsonObject, JsonObject, JsonObject]>([
		[
			'that the record has',
			{},
			{ DueDateUtc: '2026-07-15T12:00:00', LastActionDateUtc: NOON },
			{ DueDateUtc: NOON, LastActionDateUtc: '2026-07-15T12:00:00.0000' },
		],
		[
			'that the record has, along with another local one',
			{ DtDue: '2027-01-01T00:00:00' },
			{ DueDateUtc: NOON },
			{ DueDateUtc: NOON },
		],
		[
			'that Corrigo keeps, along with another one of the record',
			{},
			{ CreatedDateUtc: NOON, LastActionDateUtc: NOON },
			{ CreatedDateUtc: '2020-01-01T00:00:00', LastActionDateUtc: '2020-01-01T00:00:00' },
		],
		['that is equal to the local one', { DtDue: LOCAL }, { DueDateUtc: NOON }, {}],
		['that is equal to the local one in another case', { dtdue: LOCAL }, { DueDateUtc: NOON }, {}],
		[
			'that is equal to the local one with a zone',
			{ DtDue: '2026-07-15T13:00:00+01:00' },
			{ DueDateUtc: NOON },
			{},
		],
	])('leaves out a time %s', (_, members, utc, record) => {
		expect(result(members, utc, record, 'Europe/Berlin')).toEqual({
			members,
			omitted: Object.keys(utc),
		});
	});

	it.each<[string, JsonObject, JsonObject, string | undefined]>([
		[
			'\'DtDue\' to "2026-07-15T15:00:00"',
			{ DtDue: '2026-07-15T15:00:00' },
			{ DueDateUtc: NOON },
			'Europe/Berlin',
		],
		['\'DtDue\' to "2026-07-15T14:00:00"', { DtDue: LOCAL }, { DueDateUtc: NOON }, undefined],
		[
			'\'DtDue\' to "2026-07-15T12:00:01Z"',
			{ DtDue: '2026-07-15T12:00:01Z' },
			{ DueDateUtc: NOON },
			undefined,
		],
		["'DtDue' to empty", { DtDue: null }, { DueDateUtc: NOON }, 'Europe/Berlin'],
	])('rejects a time along with another one: %s', (text, members, utc, zone) => {
		expect(validationError(() => result(members, utc, {}, zone))).toMatchObject({
			message: `'Fields (JSON)' changes 'DueDateUtc' to "${NOON}", but ${text}, which is another time`,
			advice: "'DtDue' shows 'DueDateUtc' on the clock of the work zone. Give one of them.",
		});
	});

	it('rejects what is no time', () => {
		expect(() => result({}, { DueDateUtc: 'soon' })).toThrow(
			"'DueDateUtc' must be a date and time",
		);
	});
});

describe('members with local times', () => {
	const onNewYork = (owner: string, members: Record<string, unknown>) =>
		toLocalTimes(owner, members, 'America/New_York');

	it('are converted to the zone if they are given with another one', () => {
		const due = '2026-07-15T12:00:00Z';
		for (const DtDue of [
			due,
			'2026-07-15t14:00+02:00',
			'2026-07-15 12:00:00+0000',
			new Date(due),
			DateTime.fromISO(due),
		]) {
			expect(onNewYork('WorkOrder', { DtDue, PoNumber: due })).toEqual({
				DtDue: expect.stringMatching(/^2026-07-15T08:00:00(\.000)?$/) as unknown,
				PoNumber: due,
			});
		}
	});

	it('are found in a command and in the work order inside it', () => {
		const time = '2026-01-15T12:00:00Z';
		const command = { ActionDate: time, WorkOrder: { DtOnSiteBy: time, DueDateUtc: time } };
		expect(onNewYork('WoCreateCommand', command)).toEqual({
			ActionDate: '2026-01-15T07:00:00',
			WorkOrder: { DtOnSiteBy: '2026-01-15T07:00:00', DueDateUtc: time },
		});
		expect(findZonedTime('WoCreateCommand', { WorkOrder: { DtDue: time } })).toEqual([
			'DtDue',
			time,
		]);
	});

	it.each([
		['without a zone', 'WorkOrder', { DtDue: '2026-07-15T12:00:00' }],
		['of a day', 'WorkOrder', { DtDue: '2026-07-15' }],
		['in UTC', 'WorkOrder', { DueDateUtc: '2026-07-15T12:00:00Z' }],
		['of an entity that nobody knows', 'Stranger', { DtDue: '2026-07-15T12:00:00Z' }],
		['that are none', 'WorkOrder', { DtDue: null, Items: [], Customer: { Id: 1 } }],
	])('stay unchanged: %s', (_, owner, members) => {
		expect(findZonedTime(owner, members)).toBeUndefined();
		expect(onNewYork(owner, members)).toEqual(members);
	});

	it.each<[string, string, Record<string, unknown>]>([
		['of any entity', 'Invoice', { DtDue: '2026-07-15T12:00:00Z' }],
		['in any case', 'ApSubmitPaymentCommand', { checkcutdate: '2026-07-15T12:00:00Z' }],
		['in rows', 'WorkOrder', { Documents: [{}, { EndDate: '2026-07-15T12:00:00Z' }] }],
	])('are found %s', (_, owner, members) => {
		expect(findZonedTime(owner, members)?.[1]).toBe('2026-07-15T12:00:00Z');
		expect(JSON.stringify(onNewYork(owner, members))).toContain('2026-07-15T08:00:00"');
	});
});
