import { and, atLeast, equal, greaterThan, lessThan, or } from '../../nodes/Corrigo/wire/criteria';
import {
	getBeginning,
	readKey,
	buildLastRowQuery,
	buildNewestQuery,
	buildPageQuery,
	type Feed,
} from '../../nodes/Corrigo/feed/feed';

const byTime: Feed = { entity: 'Thing', time: 'At', properties: ['Name', 'Id'] };
const byId: Feed = { entity: 'Thing', properties: ['*'] };

const time = '2026-01-31T17:30:10.1200000';
const after = { time, id: 7 };
const ascending = (PropertyName: string) => ({ PropertyName, OrderType: 'Ascending' });
const descending = (PropertyName: string) => ({ PropertyName, OrderType: 'Descending' });

describe('a query for the page after a change', () => {
	const SECOND = '2026-01-31T17:30:10';
	const NEXT = '2026-01-31T17:30:11';

	it('begins with its second, in order of time and Id', () => {
		const position = { after: { time, id: 0 }, dense: false };
		expect(buildPageQuery(byTime, position, { count: 60 })).toEqual({
			PropertySet: { Properties: ['Id', 'At', 'Name'] },
			Criteria: and(atLeast('At', SECOND)),
			Orders: [ascending('At'), ascending('Id')],
			Count: 60,
			FirstResultIndex: 0,
		});
	});

	it('goes on with the rest of its second and all later ones', () => {
		expect(buildPageQuery(byTime, { after, dense: false }, { count: 60 }).Criteria).toEqual(
			or(
				atLeast('At', NEXT),
				and(atLeast('At', SECOND), lessThan('At', NEXT), greaterThan('Id', 6)),
			),
		);
	});

	it('reads a second that fills a page by Id, whatever the fractions', () => {
		expect(buildPageQuery(byTime, { after, dense: true }, { count: 60 })).toMatchObject({
			Criteria: and(atLeast('At', SECOND), lessThan('At', NEXT), greaterThan('Id', 7)),
			Orders: [ascending('Id')],
		});
	});

	it('reads a known row as well, to see that the table is the same', () => {
		const position = { after: { time: '', id: 7 }, dense: false };
		const filtered = { ...byId, criteria: and(equal('Name', 'A')) };
		const { Criteria } = buildPageQuery(filtered, position, { count: 60, witness: 5 });
		const { Criteria: own } = buildPageQuery(filtered, position, { count: 60 });
		expect(Criteria).toEqual(or(own as never, and(equal('Id', 5))));
	});

	it('goes by Id alone where there is no time', () => {
		for (const dense of [false, true]) {
			expect(buildPageQuery(byId, { after: { time: '', id: 7 }, dense }, { count: 60 })).toEqual({
				PropertySet: { Properties: ['*'] },
				Criteria: and(greaterThan('Id', 7)),
				Orders: [ascending('Id')],
				Count: 60,
				FirstResultIndex: 0,
			});
		}
	});

	it('asks for each record once where a condition may match several times', () => {
		const place = { after, dense: false };
		expect(buildPageQuery({ ...byTime, distinct: true }, place, { count: 60 }).Distinct).toBe(true);
		expect(buildPageQuery(byTime, place, { count: 60 })).not.toHaveProperty('Distinct');
	});
});

it('a query for the newest changes sorts them newest first, and asks for their keys alone if wanted', () => {
	expect(buildNewestQuery(byTime, { count: 9, keysOnly: true, skip: 3 })).toMatchObject({
		PropertySet: { Properties: ['Id', 'At'] },
		// Where a time is empty, nothing has changed.
		Criteria: { Conditions: [{ PropertyName: 'At', Operator: 'GreaterOrEqual' }] },
		Orders: [descending('At'), descending('Id')],
		Count: 9,
		FirstResultIndex: 3,
	});
	expect(buildNewestQuery(byId, { count: 9 })).toMatchObject({
		PropertySet: { Properties: ['*'] },
		Orders: [descending('Id')],
		FirstResultIndex: 0,
	});
	const { PropertySet } = buildNewestQuery(byId, { count: 9, keysOnly: true });
	expect(PropertySet).toEqual({ Properties: ['Id'] });
});

it('a query for the last row before a time compares whole seconds, and asks for its key alone', () => {
	const criteria = and(equal('Name', 'x'));
	const asked = buildLastRowQuery({ ...byId, criteria }, 'Made', time);
	expect(asked).toMatchObject({
		PropertySet: { Properties: ['Id'] },
		Orders: [descending('Id')],
		Count: 1,
	});
	const text = JSON.stringify(asked.Criteria);
	expect(text).toContain(JSON.stringify(lessThan('Made', '2026-01-31T17:30:10')));
	expect(text).toContain('"Name"');
});

it('a key has the UTC time of its row, or none in a feed by Id', () => {
	const row = { Id: 7, At: '2026-01-31T18:30:10.12+01:00' };
	expect(readKey(byTime, row)).toEqual(after);
	expect(readKey(byId, row)).toEqual({ time: '', id: 7 });
	expect(getBeginning(byId)).toEqual({ time: '', id: 0 });
	expect(getBeginning(byTime).time < '1900-01-02').toBe(true);
});

it.each([
	[byTime, { Id: 7 }, "without 'At'"],
	[byTime, { Id: '7', At: time }, 'without an Id'],
	[byId, {}, 'without an Id'],
])('a row without a key is refused', (feed, row, words) => {
	expect(() => readKey(feed, row)).toThrow(words);
});
