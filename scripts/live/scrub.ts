/**
 * Replaces everything that tells about a Company by stand-ins: the same one for the same value in
 * the whole recording. Only what is named here or published stays.
 */
import { errorCodes } from '../../nodes/Corrigo/catalogue/errorCodes';
import {
	isDateMember,
	isEnumeration,
	isInterfaceName,
	isMessageWord,
	isNumberMember,
	listNameWords,
	mayStay,
	toNameWord,
} from './vocabulary';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export interface Exchange {
	method: string;
	url: string;
	body: Json;
	/** Absent if there was no answer. */
	status?: number;
	headers: Record<string, string>;
	answer: Json;
}

/** The values that stayed as they were, by kind. */
export type Kept = Map<string, Set<string | number>>;

export interface Scrubbed {
	exchanges: Exchange[];
	kept: Kept;
}

/** The first pass finds the values, so that no stand-in is the value of something else. */
export function scrub(exchanges: readonly Exchange[]): Scrubbed {
	const found = new Scrubber();
	for (const exchange of exchanges) found.scrubExchange(exchange);
	const scrubber = new Scrubber(found);
	return {
		exchanges: exchanges.map((exchange) => scrubber.scrubExchange(exchange)),
		kept: scrubber.kept,
	};
}

const DATE =
	/^(?:0001|1[6-9]\d\d|2\d\d\d|9999)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,7})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const HTTP_DATE =
	/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;
const CONTENT_TYPE =
	/^(?:application\/(?:json|problem\+json|xml|octet-stream)|text\/(?:plain|html|xml))(?:; ?charset=(?:utf-8|iso-8859-1))?$/i;
const ID_MEMBER = /(?:^|[a-z])I[dD]s?$|^ids?$|Orderid$|^FlagsTo|^Assignees$/;
const MESSAGE_MEMBER = /^(?:Error|Exception)?Message(?:Detail)?$|^error_description$|^StackTrace$/;
const CODE = /^ERROR_CODE_\d{1,4}$/;
const SCHEME = /^(?:Basic|Bearer|Digest|Negotiate|NTLM)(?: |$)/;
const DIGITS = /^\d+$/;
const COORDINATE = /latitude|longitude/i;

/** Whole numbers from here on may be phone numbers. */
const LARGE = 1e6;
/** The checks look for this ID because no record has it. */
const UNUSED_ID = 2_147_483_647;
const MAX_ENUMERATION_NUMBER = 999;

/** Letters of stand-ins; the last one only fills. */
const LETTERS = 'abcdefghi';
const FILLER = 'z';
const MIN_LENGTH = 8;

const toLengthClass = (length: number) =>
	Math.max(MIN_LENGTH, 2 ** Math.ceil(Math.log2(Math.max(1, length))));

function toLetters(index: number): string {
	const rest = Math.floor(index / LETTERS.length);
	return (rest === 0 ? '' : toLetters(rest)) + LETTERS[index % LETTERS.length];
}

/** Tells which characters the text has, as hosts differ in what they keep. */
function getMark(text: string): string {
	if (/[\u0100-\uffff]/.test(text)) return 'ł';
	return /[\u0080-\u00ff]/.test(text) ? 'é' : '';
}

function parseNested(text: string): Json | undefined {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text) as Json;
	} catch {
		return undefined;
	}
}

/**
 * The values of a condition are of the kind of its property, and amounts are known by their currency;
 * any other `Value` may be that of a custom field.
 */
function toKind(member: string, row: { [member: string]: Json }): string {
	const { PropertyName, CurrencyTypeId, Descriptor } = row;
	if (!/^Values?$/.test(member)) return member;
	if (typeof PropertyName === 'string') return PropertyName.split('.').at(-1) ?? '';
	return CurrencyTypeId === undefined || Descriptor !== undefined ? '' : 'MoneyValue';
}

class Scrubber {
	readonly kept: Kept = new Map();
	private readonly texts = new Map<string, string>();
	private readonly ids = new Map<number, number>();
	private readonly taken = new Set<string>();
	/** Words of names in the data, which may also be words of the service's messages. */
	private readonly nameWords: Set<string>;
	private counter = 0;

	constructor(found?: Scrubber) {
		this.nameWords = found?.nameWords ?? new Set();
		if (found === undefined) return;
		this.taken = new Set([...found.texts.keys(), ...[...found.ids.keys()].map(String)]);
		// Stand-ins keep the order of the IDs, and mostly their number of digits.
		let next = 101;
		for (const id of [...found.ids.keys()].sort((a, b) => a - b)) {
			const least = 10 ** (String(Math.trunc(Math.abs(id))).length - 1) + 1;
			next = id > 0 ? Math.max(next, least) : next;
			while (this.taken.has(String(next))) next++;
			this.ids.set(id, next++);
		}
	}

	scrubExchange({ method, url, body, status, headers, answer }: Exchange): Exchange {
		return {
			method,
			url: this.scrubUrl(url),
			body: this.scrubJson(body),
			...(status === undefined ? {} : { status }),
			headers: this.scrubHeaders(headers),
			answer: typeof answer === 'string' ? this.scrubBody(answer) : this.scrubJson(answer),
		};
	}

	private keep<T extends string | number>(kind: string, value: T): T {
		this.kept.set(kind, (this.kept.get(kind) ?? new Set()).add(value));
		return value;
	}

	private scrubJson(value: Json, member = ''): Json {
		if (typeof value === 'string') return this.scrubText(value, member);
		if (typeof value === 'number') return this.scrubNumber(value, member);
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) return value.map((one) => this.scrubJson(one, member));
		return Object.fromEntries(
			Object.entries(value).map(([key, one]) => [
				this.scrubKey(key),
				this.scrubJson(one, toKind(key, value)),
			]),
		);
	}

	private scrubKey(key: string): string {
		return isInterfaceName(key) ? this.keep('Members', key) : this.replaceText(key);
	}

	private scrubNumber(value: number, member: string): number {
		if (value === 0 || value === UNUSED_ID) return value;
		const isNamed = isEnumeration(member) && Math.abs(value) <= MAX_ENUMERATION_NUMBER;
		const isId = ID_MEMBER.test(member) && member !== 'ConcurrencyId' && !isNamed;
		if (isId || (Number.isInteger(value) && Math.abs(value) >= LARGE)) return this.replaceId(value);
		// House numbers, custom fields and the bytes of a file have no member that is a number everywhere.
		const stays = isNamed || (isNumberMember(member) && !COORDINATE.test(member));
		return stays ? this.keep(`Numbers of ${member}`, value) : 0;
	}

	private replaceId(id: number): number {
		const standIn = this.ids.get(id) ?? id;
		this.ids.set(id, standIn);
		return standIn;
	}

	private scrubText(text: string, member: string): string {
		if (text.trim() === '') return text;
		if (mayStay(member, text)) return this.keep('Published words', text);
		if (isDateMember(member) && DATE.test(text)) return this.keep('Dates', text);
		const isCode = member === 'ErrorCode' && (text in errorCodes || CODE.test(text));
		if (isCode) return this.keep('Error codes', text);
		if (member === 'CompanyVersion' && /^\d+(?:\.\d+)+$/.test(text))
			return this.keep('Version', text);
		const nested = parseNested(text);
		if (nested !== undefined) return JSON.stringify(this.scrubJson(nested, member));
		if (MESSAGE_MEMBER.test(member)) return this.scrubMessage(text);
		if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return this.scrubUrl(text);
		return this.replaceText(text, member);
	}

	/** A body that is no JSON is a page of a proxy or a plain message. */
	private scrubBody(text: string): string {
		const nested = parseNested(text);
		return nested === undefined ? this.scrubMessage(text) : JSON.stringify(this.scrubJson(nested));
	}

	/** Quoted parts are values; other words stay where the service is known to use them, and no name does. */
	private scrubMessage(text: string): string {
		return text.replace(
			/(['"])(.+?)\1|[\p{L}\p{N}\p{M}\p{So}_]+/gu,
			(part, quote?: string, inner?: string) => {
				if (quote !== undefined && inner !== undefined) {
					const value =
						isInterfaceName(inner) && !this.isInName(inner)
							? this.keep('Words of messages', inner)
							: this.scrubText(inner, '');
					return quote + value + quote;
				}
				if (isMessageWord(part) && !this.isInName(part))
					return this.keep('Words of messages', part);
				return this.getStandIn(part);
			},
		);
	}

	private isInName(word: string): boolean {
		return this.nameWords.has(toNameWord(word));
	}

	private scrubUrl(text: string): string {
		let url: URL;
		try {
			url = new URL(text);
		} catch {
			return this.replaceText(text);
		}
		const scheme = /^https?:$/.test(url.protocol) ? url.protocol : 'other:';
		const path = url.pathname.split('/').map((part) => this.scrubSegment(part));
		const search = [...url.searchParams]
			.map(
				([key, value]) => `${this.scrubKey(key)}=${encodeURIComponent(this.scrubText(value, key))}`,
			)
			.join('&');
		return `${scheme}//${this.replaceText(url.host)}.example${path.join('/')}${search && `?${search}`}`;
	}

	private scrubSegment(part: string): string {
		if (part === '') return part;
		if (isInterfaceName(part) || /^v\d{1,2}$/.test(part))
			return this.keep('Parts of addresses', part);
		let text = part;
		try {
			text = decodeURIComponent(part);
		} catch {
			// A stray % is part of the text.
		}
		return encodeURIComponent(this.replaceText(text, 'Id'));
	}

	private scrubHeaders(headers: Record<string, string>): Record<string, string> {
		const scrubbed: Record<string, string> = {};
		for (const [name, value] of Object.entries(headers)) {
			const key = name.toLowerCase();
			const stays =
				(key === 'content-type' && CONTENT_TYPE.test(value)) ||
				(key === 'date' && HTTP_DATE.test(value)) ||
				(key === 'retry-after' && (/^\d{1,5}$/.test(value) || HTTP_DATE.test(value)));
			if (stays) scrubbed[key] = this.keep(`Header ${key}`, value);
			else if (key === 'location') scrubbed[key] = this.scrubText(value, '');
			else if (key === 'www-authenticate' && SCHEME.test(value))
				scrubbed[key] = this.keep('Header www-authenticate', value.split(' ')[0]);
		}
		return scrubbed;
	}

	private replaceText(text: string, member = ''): string {
		for (const word of listNameWords(text)) this.nameWords.add(word);
		return this.getStandIn(text, member);
	}

	private getStandIn(text: string, member = ''): string {
		// The ID of a record may be a text or a part of an address.
		if (DIGITS.test(text)) {
			const id = Number(text);
			if (id === 0) return text;
			const isId = String(id) === text && (ID_MEMBER.test(member) || this.ids.has(id));
			if (isId && Number.isSafeInteger(id)) return String(this.replaceId(id));
		}
		const standIn = this.texts.get(text) ?? this.createStandIn(text);
		this.texts.set(text, standIn);
		return standIn;
	}

	private createStandIn(text: string): string {
		for (;;) {
			const standIn = this.toStandIn(text, this.counter++);
			if (!this.taken.has(standIn)) return standIn;
		}
	}

	private toStandIn(text: string, index: number): string {
		// A phone number, or another number that is a text; only fillers are zeros.
		if (/^\+?[\d\s()/.-]{3,}$/.test(text) && /\d/.test(text)) {
			const digits = `9${index.toString(9).replace(/\d/g, (digit) => String(Number(digit) + 1))}`;
			return (text.startsWith('+') ? '+' : '') + digits.padEnd(toLengthClass(text.length), '0');
		}
		const start = getMark(text) + toLetters(index) + FILLER;
		return /^\S+@\S+\.\S+$/.test(text)
			? `${start}@mail.example`
			: start.padEnd(toLengthClass(text.length), FILLER);
	}
}
