import { commands } from '../../nodes/Corrigo/catalogue/commands';
import { entities, findEntityMemberType } from '../../nodes/Corrigo/catalogue/entities';
import { enumerations } from '../../nodes/Corrigo/catalogue/enumerations';
import { errorCodes } from '../../nodes/Corrigo/catalogue/errorCodes';
import { findLocalMember, timeZones } from '../../nodes/Corrigo/catalogue/times';
import { operators } from '../../nodes/Corrigo/catalogue/operators';
import { DEFAULT_TOKEN_URL, regions } from '../../nodes/Corrigo/catalogue/regions';

/** Words that blame the reader. */
const blame = /\b(error|problem|failure|mistake)s?\b/i;

it.each(Object.values(timeZones))('the time zone %s is known to Intl', (zone) => {
	expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
});

describe('local times', () => {
	const members = [...entities, ...commands].flatMap(({ name: owner, fields }) =>
		Object.entries(fields).map(([member, type]) => ({ owner, member, type })),
	);

	it('of a work order are all times that are not marked as UTC', () => {
		const own = members.filter(({ owner, type }) => owner === 'WorkOrder' && type === 'datetime');
		for (const { owner, member } of own) {
			expect([member, findLocalMember(owner, member) !== undefined]).toEqual([
				member,
				!member.includes('Utc'),
			]);
		}
	});

	it('are dates, as are their members in UTC', () => {
		const local = members.filter(
			({ owner, member }) => findLocalMember(owner, member) !== undefined,
		);
		expect(local.map(({ owner }) => owner)).toEqual(
			expect.arrayContaining(['Space', 'SpaceCreateCommand', 'WoActionLog', 'WoCancelCommand']),
		);
		for (const { owner, member, type } of local) {
			expect([owner, member, type]).toEqual([owner, member, 'datetime']);
			const { utc } = findLocalMember(owner, member) ?? {};
			if (utc !== undefined) expect(findEntityMemberType(owner, utc)).toBe('datetime');
		}
	});
});

describe('operators', () => {
	it('are all of the service', () => {
		const own = operators.map(({ name }) => name).sort();
		expect(own).toEqual([...enumerations.ConditionOperator].sort());
	});

	it('are sorted by label', () => {
		const labels = operators.map(({ label }) => label);
		expect(new Set(labels).size).toBe(labels.length);
		expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')));
	});
});

describe('error codes', () => {
	const rows = Object.entries(errorCodes);
	const marked = (mark: 'session' | 'missing') =>
		rows.flatMap(([code, row]) => (row?.[mark] ? [code] : [])).sort();

	it('have hints of one or two sentences without blame', () => {
		for (const [, row] of rows) {
			expect(row?.advice).toMatch(/^[A-Z].*\.$/);
			expect(row?.advice.match(/\.(?= [A-Z]|$)/g)?.length).toBeLessThanOrEqual(2);
			expect(row?.advice).not.toMatch(blame);
		}
	});

	it('renew the session only if the call did not run', () => {
		expect(marked('session')).toEqual([
			'DATABASE_VERSION_MISMATCH',
			'EXPIRED_TOKEN',
			'INCORRECT_TOKEN',
		]);
	});

	it('mark a missing record, but not a missing entity type', () => {
		expect(marked('missing')).toEqual([
			'ENTITYSPECIFIER_NOT_FOUND',
			'ERROR_CODE_1019',
			'IDENTIFIER_NOT_FOUND',
		]);
	});
});

it('advice for refused operations is free of blame', () => {
	for (const { refuses = {} } of entities) {
		for (const advice of Object.values(refuses)) expect(advice).not.toMatch(blame);
	}
});

describe('addresses', () => {
	it('are https origins, one per region and one for tokens', () => {
		const addresses = [
			DEFAULT_TOKEN_URL,
			...Object.values(regions).map(({ locatorUrl }) => locatorUrl),
		];
		expect(new Set(addresses).size).toBe(4);
		for (const address of addresses) {
			expect(new URL(address)).toMatchObject({ protocol: 'https:', origin: address });
			expect(new URL(address).hostname).toMatch(/\.corrigo\.com$/);
		}
	});

	it('cover the three regions', () => {
		expect(Object.keys(regions)).toEqual(['americas', 'asiaPacific', 'emea']);
	});
});
