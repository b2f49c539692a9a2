import fc from 'fast-check';

import { scrub, type Exchange, type Json } from '../../scripts/live/scrub';
import { isInterfaceName, isMessageWord, isPublished } from '../../scripts/live/vocabulary';
import { cases } from '../cases';

const exchange = (changes: Partial<Exchange>): Exchange => ({
	method: 'POST',
	url: 'https://am.corrigo.test/api/v1/query/WorkOrder',
	body: {},
	status: 200,
	headers: {},
	answer: {},
	...changes,
});
const scrubAnswer = (answer: Json) => scrub([exchange({ answer })]).exchanges[0].answer;

const letters = (alphabet: string) =>
	fc.string({ unit: fc.constantFrom(...alphabet), minLength: 5, maxLength: 12 });
const word = letters('abcdefABCDEFö');
const digits = letters('123456789');
const isSecret = (text: string) =>
	!isPublished(text) && !isInterfaceName(text) && !isMessageWord(text);

const secretText = fc
	.oneof(
		word,
		fc.tuple(word, word).map((names) => names.join(' ')),
		fc.tuple(word, word).map(([name, host]) => `${name}@${host}.test`),
		digits.map((phone) => `+1 ${phone} ${phone}`),
		fc.tuple(digits, word).map(([number, name]) => `${name}${number}`),
		fc.uuid(),
		word.map((name) => `eyJ${Buffer.from(name).toString('base64url')}.e30.${name}`),
		letters('АБВ漢字'),
	)
	.filter(isSecret);

const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** The ways in which an answer, or what is around it, may contain a text. */
const places: Record<string, (secret: string) => Partial<Exchange>> = {
	value: (secret) => ({ answer: { Data: { DisplayAs: secret } } }),
	list: (secret) => ({ answer: [[secret], { Unknown: [secret] }] }),
	key: (secret) => ({ answer: { [secret]: { [`${secret}Id`]: true } } }),
	nested: (secret) => ({ answer: { Body: JSON.stringify({ [secret]: [{ a: secret }] }) } }),
	nestedTwice: (secret) => ({
		answer: { Body: JSON.stringify({ Body: JSON.stringify([secret]) }) },
	}),
	address: (secret) => {
		const text = encodeURIComponent(secret);
		return { answer: { DocUrl: `https://u:p@files.test/${text}?a=${text}#${text}` } };
	},
	host: () => ({ url: 'https://bakery-host.test:8443/api/v1/base/WorkOrder/1' }),
	path: (secret) => ({ url: `https://a.test/${encodeURIComponent(secret)}/cmd` }),
	error: (secret) => ({
		status: 400,
		answer: { ErrorCode: 'ERROR_CODE_6', ErrorMessage: `No order '${secret}' of ${secret}.` },
	}),
	errorCode: (secret) => ({ answer: { ErrorCode: secret } }),
	page: (secret) => ({ status: 502, answer: `<html><b title="${secret}">${secret}</b></html>` }),
	base64: (secret) => ({
		answer: { Blob: { Body: toBase64(secret) }, Name: toBase64(`:${secret}`) },
	}),
	headers: (secret) => ({
		headers: {
			'Set-Cookie': secret,
			Location: `/${encodeURIComponent(secret)}`,
			'WWW-Authenticate': `Bearer realm="${secret}"`,
			'Content-Type': `text/${secret}`,
			'Retry-After': secret,
			Date: secret,
			[`X-${secret}`]: '1',
		},
	}),
	request: (secret) => ({
		body: {
			client_secret: secret,
			QueryExpression: { Criteria: { Conditions: [{ PropertyName: 'Number', Values: [secret] }] } },
		},
	}),
	path2: (secret) => ({ body: { PropertySet: { Properties: [`WorkOrder.${secret}`] } } }),
};

/** The forms in which a text would be recognized. */
const listForms = (secret: string) => [
	secret,
	encodeURIComponent(secret),
	JSON.stringify(secret).slice(1, -1),
	toBase64(secret).replace(/=+$/, ''),
	toBase64(`:${secret}`).slice(2).replace(/=+$/, '').slice(0, -1),
];

// Promise: Recordings contain no secret
it('no stand-in lets a secret, a name or a text through, wherever it is', () => {
	fc.assert(
		fc.property(
			fc.array(fc.tuple(secretText, fc.constantFrom(...Object.keys(places))), {
				minLength: 1,
				maxLength: 6,
			}),
			(placed) => {
				const { exchanges, kept } = scrub(
					placed.map(([secret, place]) => exchange(places[place](secret))),
				);
				const written = JSON.stringify([exchanges, [...kept].map(([kind, all]) => [kind, ...all])]);
				for (const form of placed.flatMap(([secret]) => listForms(secret))) {
					expect(written).not.toContain(form);
				}
				expect(written).not.toMatch(/bakery-host|corrigo\.test|u:p@/);
			},
		),
		{ numRuns: cases(200, 1_000) },
	);
});

it('every reference still resolves, wherever it is', () => {
	const id = fc.integer({ min: 1, max: 2_000_000_000 });
	const ids = fc.uniqueArray(id, { minLength: 2, maxLength: 9 });
	fc.assert(
		fc.property(ids, (all) => {
			const buildBody = (one: number) => ({
				Conditions: [{ PropertyName: 'WorkZone.Id', Operator: 'In', Values: [one] }],
			});
			const buildAnswer = (one: number) => ({
				Data: { Id: one, WorkOrderId: one, ActorId: String(one), FlagsToSet: [one] },
				Body: JSON.stringify({ Customer: { Id: one } }),
				ErrorMessage: `WorkOrder with Id ${one} is not found.`,
			});
			const buildUrl = (one: number) => `https://a.test/api/v1/base/WorkOrder/${one}`;
			const { exchanges } = scrub(
				all.map((one) =>
					exchange({ url: buildUrl(one), body: buildBody(one), answer: buildAnswer(one) }),
				),
			);
			const standIns = exchanges.map(({ url, body, answer }) => {
				const standIn = (answer as ReturnType<typeof buildAnswer>).Data.Id;
				expect(url.endsWith(new URL(buildUrl(standIn)).pathname)).toBe(true);
				expect([body, answer]).toEqual([buildBody(standIn), buildAnswer(standIn)]);
				return standIn;
			});
			expect(new Set(standIns).size).toBe(all.length);
			expect(all.filter((id) => standIns.includes(id))).toEqual([]);
			// Rows stay in the order of their IDs.
			const order = (numbers: number[]) =>
				numbers.map((_, index) => index).sort((a, b) => numbers[a] - numbers[b]);
			expect(order(standIns)).toEqual(order(all));
		}),
		{ numRuns: cases(100, 300) },
	);
});

it('equal values have one stand-in, and different values different ones', () => {
	fc.assert(
		fc.property(fc.uniqueArray(secretText, { minLength: 2, maxLength: 30 }), (values) => {
			const standIns = scrubAnswer([...values, ...values]) as string[];
			expect(standIns.slice(0, values.length)).toEqual(standIns.slice(values.length));
			expect(new Set(standIns).size).toBe(values.length);
		}),
		{ numRuns: 200 },
	);
});

it('numbers, dates, members of enumerations and known words stay', () => {
	const numbers = { Count: 4001, Duration: 12.5, ConcurrencyId: 17, UiTypeId: 1 };
	const amount = { Amount: { Value: -3, CurrencyTypeId: 'USD' } };
	const dates = { DtCreated: '2022-03-25T12:30:00', DueDateUtc: '2022-03-08T09:13:19.1214815' };
	const more = { StartDate: '2022-03-15T16:30:00Z', EndDate: '2022-03-15' };
	const members = { StatusId: 'OnHold', TypeId: 'Request', NoteTypeId: 'Public' };
	const nothing = { Data: null, IsRemoved: false, Body: '', Items: [], Asset: {} };
	const probes = { Values: ['n8n Check Access', 2_147_483_647, '%'] };
	const refusal = { ErrorCode: 'ERROR_CODE_9999', TimeStamp: '2022-03-15T16:30:00Z' };
	const words = { ErrorMessage: "There are no such entityType as 'WorkOrder'" };
	for (const answer of [numbers, amount, dates, more, members, nothing, probes, refusal, words]) {
		expect(scrubAnswer(answer)).toEqual(answer);
	}
});

it.each<[string, string, RegExp]>([
	['a short text', 'Bakery', /^[a-y]{1,3}z+$/],
	['a text with accents', 'Café Royal', /^é/],
	['a text beyond Latin-1', 'パン屋', /^ł/],
	['an email address', 'ann@bakery.test', /^[a-z]+@mail\.example$/],
	['a phone number', '+1 (555) 0100', /^\+\d+$/],
	[
		'a link',
		'https://bakery.test/a b?key=1',
		/^https:\/\/[a-z]+\.example\/[a-z]+\?[a-z]+=[a-z0-9]+$/,
	],
])('%s stays one', (_, text, expected) => {
	expect(scrubAnswer([text])).toEqual([expect.stringMatching(expected)]);
});

it('a stand-in has about the length of its value', () => {
	const lengths = (texts: string[]) => (scrubAnswer(texts) as string[]).map(({ length }) => length);
	expect(lengths(['ab', 'c'.repeat(40), 'd'.repeat(4000)])).toEqual([8, 64, 4096]);
});

/** Many values tell about a Company, and published words may hide its names. */
function expectNothingOf(secret: RegExp, changes: Partial<Exchange>): void {
	const { exchanges, kept } = scrub([exchange(changes)]);
	const [{ headers, body, answer }] = exchanges;
	const words = [...kept].map(([, all]) => [...all]);
	expect(JSON.stringify([headers, body, answer, words])).not.toMatch(secret);
}

// Promise: Recordings contain no secret
it.each<[string, Json, RegExp]>([
	[
		'coordinates',
		{
			...{ Latitude: 52.1, InLongitude: 52.1, LatitudeStart: 52.1, GpsLat: -52.1 },
			Body: '{"Longitude":52.1}',
		},
		/52\.1/,
	],
	['phone numbers as numbers', { Amount: 15_550_100, ValueInt: 5_550_100, Weber: 50_100 }, /50100/],
	['bytes of a file', { type: 'Buffer', data: [87, 101, 98], Body: [87, 101, 98] }, /87/],
	['a number in the place of a text', { Zip: 10_437, PoNumber: [10_437] }, /10437/],
	['a number that looks like a date', { Number: '5550-10-01', A: '2022-55-01' }, /55/],
	[
		'names that are parts of members',
		{ Bill: 1, Mark: 2, ErrorMessage: '\'Bill\' and "Trade" of Bill Trade' },
		/Bill|Mark|Trade/,
	],
	[
		'names split over keys and around signs',
		{
			We: { ber: 'We' },
			ErrorMessage: 'W-eb.er, We\u200bber, We%62er, \\u0057eber, &#87;eber',
		},
		/[Ww]e(?!z)|eber|ber/,
	],
	[
		'quoted names in camel case',
		{ ErrorMessage: "No customer 'BillTrade' or \"WorkMark\" or 'WestField'" },
		/Bill|Mark|West|Field/,
	],
	['keys made of published parts', { BillTrade: 1, WorkMark: { Id: 1 } }, /Bill|Mark/],
	[
		'a custom field whose text is a published word, or a number, or a date',
		{
			CustomFields: [
				{ Descriptor: { Id: 7 }, Value: 'Landmark' },
				{ Descriptor: { Id: 7 }, Value: 4242 },
				{ Descriptor: { Id: 7 }, Value: 4343, CurrencyTypeId: 'USD' },
				{ Descriptor: { Id: 7 }, Value: '1971-02-03' },
			],
		},
		/Landmark|4242|4343|1971/,
	],
	[
		'numbers in the place of addresses',
		{ Address: 55_501, Street: 55_502, ContactAddresses: [{ Address: 55_503 }] },
		/5550/,
	],
	[
		'enumeration members in the place of texts',
		{ DisplayAs: 'Request', ValueStr: 'OnHold', Comment: 'Public', Unknown: 'New' },
		/Request|OnHold|Public|New/,
	],
	['pictures', { ErrorMessage: 'No order of 🥐' }, /🥐/],
	['names inside IDs', { Id: 'weber-12', WorkOrderId: '12/weber' }, /weber|12/],
	[
		'a link with a signature',
		{ DocUrl: 'https://f.test/weber/12.pdf?sig=a%2Fb%3D&se=2031&X-Amz-Date=weber#weber' },
		/weber|sig|Amz|2031|f\.test|a%2Fb/,
	],
	[
		'addresses of other schemes',
		{
			Url: 'mailto:ann@weber.test',
			Value: 'tel:+15550100',
			SendTo: 'sip://weber:5060/ann',
		},
		/weber|ann|555|5060/,
	],
	['an error code that is a text', { ErrorCode: 'WEBER_BAKERY_5550100' }, /5550100/],
	[
		'free texts with known words',
		{ Message: 'Ann', StackTrace: 'at C:\\weber\\Ann.cs:line 5550100' },
		/Ann|weber|5550100/,
	],
])('nothing stays of %s in an answer', (_, answer, secret) => expectNothingOf(secret, { answer }));

// Promise: Recordings contain no secret
it.each<[string, Partial<Exchange>, RegExp]>([
	[
		'names that are published words',
		{
			answer: {
				FirstName: 'Bill',
				LastName: 'Cash',
				Customer: { DisplayAs: 'Box' },
				Body: 'Weather',
			},
			body: {
				PropertyName: 'Customer.DisplayAs',
				Values: ['Landmark', 'Landlord'],
			},
		},
		/Bill|Cash|Box|Weather|Landmark|Landlord/,
	],
	[
		'the realm of a login',
		{ headers: { 'WWW-Authenticate': 'Basic realm="Work Order"' } },
		/Work Order/,
	],
	[
		'headers',
		{
			headers: {
				From: 'ann@weber.test',
				Location: '/api/v1/base/WorkOrder/12?name=weber',
				'WWW-Authenticate': 'Bearer realm="weber", error_description="no ann"',
				'Content-Disposition': 'attachment; filename="weber.pdf"',
				Date: 'Ann, 12 Web 2026 12:00:00 GMT',
				ETag: 'W/"weber"',
			},
		},
		/weber|ann|Ann|Web/,
	],
])('nothing stays of %s', (_, changes, secret) => expectNothingOf(secret, changes));

/** Words that messages may have unless they are part of a name in the data. */
const nameWord = fc.constantFrom(
	...['Page', 'Long', 'Able', 'Price', 'Field', 'Order', 'Contact', 'Service', 'Bill'],
);

const namePlaces: Record<string, (name: string) => Json> = {
	name: (name) => ({ DisplayAs: name }),
	'name in small letters': (name) => ({ DisplayAs: name.toLowerCase() }),
	'name in capital letters': (name) => ({ DisplayAs: name.toUpperCase() }),
	'custom field': (name) => ({ CustomFields: [{ Descriptor: { Id: 7 }, Value: name }] }),
	key: (name) => ({ [`${name}.`]: 1 }),
	'JSON in a text': (name) => ({ Body: JSON.stringify([name]) }),
	'long text': (name) => ({ Comment: `${'called about the leak, '.repeat(4)}ask for ${name}.` }),
	'mail address': (name) => ({ Address: `${name.replace(' ', '.')}@mail.test` }),
	'mail address in a text': (name) => ({
		Comment: `${'called about the leak, '.repeat(4)}${name.toLowerCase().replace(' ', '@')}.com`,
	}),
	link: (name) => ({ DocUrl: `https://files.test/${encodeURIComponent(name)}/1.pdf` }),
	'link in a text': (name) => ({
		Comment: `${'called about the leak, '.repeat(4)}www.${name.replace(' ', '/')}`,
	}),
};

const spellings: ReadonlyArray<(name: string) => string> = [
	(name) => name,
	(name) => name.toLowerCase(),
	(name) => name.toUpperCase(),
	(name) => name.replace(' ', '.'),
	(name) => `'${name}'`,
	(name) => `'${name.split(' ')[0]}' and "${name.split(' ')[1]}"`,
];

// Promise: Recordings contain no secret
it.each(Object.entries(namePlaces))(
	'a name that the data has as a %s leaves sentences in any spelling',
	(_, build) => {
		const names = fc.tuple(nameWord, nameWord).map((words) => words.join(' '));
		fc.assert(
			fc.property(names, fc.constantFrom(...spellings), fc.boolean(), (name, spell, isFirst) => {
				const rows = exchange({ answer: build(name) });
				const refused = exchange({
					answer: { ErrorMessage: `User ${spell(name)} may not read it` },
				});
				const { exchanges } = scrub(isFirst ? [refused, rows] : [rows, refused]);
				const { answer } = exchanges[isFirst ? 0 : 1];
				const said = (answer as { ErrorMessage: string }).ErrorMessage;
				expect(said).toMatch(/^User .+ not read it$/);
				const words = said
					.slice('User '.length)
					.toLowerCase()
					.match(/\p{L}+/gu);
				for (const word of name.toLowerCase().split(' ')) expect(words).not.toContain(word);
			}),
			{ numRuns: cases(60, 300) },
		);
	},
);

it('a name of words such as No and An leaves sentences as it is spelled in the data', () => {
	const ErrorMessage = 'No order: user No An is not allowed in it';
	const rows = exchange({ answer: { DisplayAs: 'No An', Comment: 'It is not' } });
	const { exchanges } = scrub([rows, exchange({ answer: { ErrorMessage } })]);
	const { answer } = exchanges[1];
	expect(answer).toEqual({
		ErrorMessage: expect.stringMatching(
			/^\w+z order: user \w+z \w+z is not allowed in it$/,
		) as string,
	});
});
