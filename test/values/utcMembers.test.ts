import type { JsonObject } from '../../nodes/Corrigo/values/objects';
import { splitUtcMembers, replaceUtcMembers } from '../../nodes/Corrigo/values/localTimes';
import { validationError } from './validationErrors';

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
		['that is equal to the local one', { DtDue: '2026-07-15T14:00:00' }, { DueDateUtc: NOON }, {}],
		[
			'that is equal to the local one in another case',
			{ dtdue: '2026-07-15T14:00:00' },
			{ DueDateUtc: NOON },
			{},
		],
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
		[
			'\'DtDue\' to "2026-07-15T14:00:00"',
			{ DtDue: '2026-07-15T14:00:00' },
			{ DueDateUtc: NOON },
			undefined,
		],
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

	it.each(['CreatedDateUtc', 'LastActionDateUtc'])('rejects a change of %s', (name) => {
		const record = { [name]: '2020-01-01T00:00:00' };
		expect(validationError(() => result({}, { [name]: NOON }, record))).toMatchObject({
			message: `'Fields (JSON)' changes '${name}' to "${NOON}", but Corrigo alone sets it`,
			advice: 'Remove it.',
		});
	});

	it('rejects what is no time', () => {
		expect(() => result({}, { DueDateUtc: 'soon' })).toThrow(
			"'DueDateUtc' must be a date and time",
		);
	});
});
