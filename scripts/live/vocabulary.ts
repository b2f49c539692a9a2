/** The published words of the interface. They tell nothing about a Company, so a recording keeps them. */
import contract from '../../contract/contract.json';
import { errorCodes } from '../../nodes/Corrigo/catalogue/errorCodes';
import { operators } from '../../nodes/Corrigo/catalogue/operators';

interface Contract {
	entities: Record<string, { fields: Record<string, string> }>;
	valueObjects: Record<string, Record<string, string>>;
	enumerations: Record<string, string[]>;
	commands: Record<string, { members: Record<string, string> }>;
}
const { entities, valueObjects, enumerations, commands } = contract as unknown as Contract;

const memberTypes = [
	...Object.values(entities).map(({ fields }) => fields),
	...Object.values(valueObjects),
	...Object.values(commands).map(({ members }) => members),
].flatMap(Object.entries) as Array<[name: string, type: string]>;

const split = (text: string) => text.trim().split(/\s+/);

/** Members and values of requests and answers around the records, of logins, discovery and batches. */
const ENVELOPE = split(`
	access_token token_type expires_in grant_type client_id client_secret scope error error_description
	client_credentials bearer Bearer invalid_client invalid_request unsupported_grant_type
	Command CommandResult CommandRequest CompanyName CompanyVersion CompanyWsdkUrl ApiType Protocol REST
	HTTPS Url RequestId Entity Entities EntityType EntityId EntitySpecifier Properties PropertySet
	PropertyName PropertyNames QueryExpression Criteria Conditions FilterOperator Filters Operator
	Value Values Orders OrderType Ascending Descending Distinct Count FirstResultIndex Data And Or
	ErrorCode ErrorMessage ErrorInformation ErrorDetails TimeStamp Message MessageDetail
	ExceptionMessage ExceptionType StackTrace InnerException UNHANDLED_EXCEPTION
	Id ID id Wo ConcurrencyId IsRemoved PerformDeletion IsNew UpdatedPropertySet RequestList Requests Responses
	ResponseList BatchRequest BatchResponse Result Results IsSuccess Status StatusCode
	api base query cmd batch Batch OAuth token CorrigoService GetCompanyWsdkUrl
	GetCompanyWsdkUrlCommand Get GetList Query true false null
`);

/** The checks look for these texts because every record, or none, has them. */
const PROBES = new Set(['n8n Check Access', 'ł', '%', '*']);

const words = new Set<string>([
	...Object.keys(entities),
	...Object.keys(valueObjects),
	...Object.keys(commands),
	...Object.keys(errorCodes),
	...memberTypes.map(([name]) => name),
	...Object.values(enumerations).flat(),
	...operators.map(({ name }) => name),
	...ENVELOPE,
	...PROBES,
]);

const isProbe = (text: string) => PROBES.has(text);
export const isPublished = (text: string) => words.has(text) || isProbe(text);

/** Names of the interface itself, without what enumerations list, which may be the name of a person. */
const names = new Set<string>([
	...Object.keys(entities),
	...Object.keys(commands),
	...memberTypes.map(([name]) => name),
	...ENVELOPE,
]);
export const isInterfaceName = (text: string) => names.has(text);

export const isPropertyPath = (text: string) =>
	text.includes('.') && text.split('.').every((part) => part === '*' || names.has(part));

const typesByMember = new Map<string, Set<string>>();
for (const [name, type] of memberTypes) {
	typesByMember.set(name, (typesByMember.get(name) ?? new Set()).add(type));
}

const hasTypes = (member: string, isOne: (type: string) => boolean) => {
	const types = [...(typesByMember.get(member) ?? [])];
	return types.length > 0 && types.every(isOne);
};

const toEnumeration = (type: string): string[] | undefined =>
	enumerations[type.replace(/\[\]$/, '')];

/** All entities and commands with the member give it values of an enumeration. */
export const isEnumeration = (member: string) =>
	hasTypes(member, (type) => toEnumeration(type) !== undefined);

/** A value of an enumeration of the member. A text of people is none, but an `…Id` never holds one. */
const isEnumerationValue = (member: string, text: string) => {
	const types = [...(typesByMember.get(member) ?? [])];
	const isText = types.includes('string') && !member.endsWith('Id');
	return !isText && types.some((type) => toEnumeration(type)?.includes(text) === true);
};

const COUNTS = new Set(['Count', 'FirstResultIndex', 'expires_in', 'MoneyValue']);
export const isNumberMember = (member: string) =>
	COUNTS.has(member) || hasTypes(member, (type) => /^(integer|number)$/.test(type));

export const isDateMember = (member: string) =>
	member === 'TimeStamp' || hasTypes(member, (type) => /^date/.test(type));

/** Members of requests and answers whose texts are names of the interface. */
const NAMING = split(`
	Properties PropertyName PropertyNames EntityType Operator FilterOperator OrderType
	ApiType Protocol grant_type token_type error
`);

/** The word that may stay in this place: a name of the interface, a value of an enumeration, or a probe. */
export const mayStay = (member: string, text: string) =>
	isProbe(text) ||
	isEnumerationValue(member, text) ||
	(NAMING.includes(member) && (isPublished(text) || isPropertyPath(text)));

/** Words of every sentence; only with a capital letter may they be part of a name. */
const FUNCTION_WORDS = new Set(
	split(`
	a after again all already also an and another any are as at be because been before below between
	both but by can cannot does either for from has have if in is it more must no not of on once only
	or other out should such that the their there they this to too until was where which while with
	within without you your
	`),
);

/** Other words of the known error messages of the service and of servers before it. */
const MESSAGE_WORDS = new Set(
	split(`
	able access action active actual admin allowed api argument attachment attempt authorization
	authorized bad base body call category change changed character characters client close closed
	code column command company completed condition conflict contains content count create created
	credentials current custom data database date default delete deleted denied different duplicate
	empty endpoint entity error exceed exceeded exceeds exception exist exists expected expired expose
	external failed field fields file filter first forbidden format found gateway given greater header
	host http id identifier incorrect input integer internal invalid item items json key large length
	less limit limited list long longer lookup match maximum message method minimum missing model
	modified name null number object one open operation operator option order orders page parameter
	parse parsing path permission permissions please position properties property provided query range
	read reason record records reference removed request required requires resource response
	restricted retry role row rows save saved scheme server service set specified specify state status
	string supported system temporarily text time timeout token type unable unauthorized unavailable
	unexpected unhandled unknown unsupported update updated use used user valid value values version
	work wrong zero zone
	`),
);

const isFunctionWord = (word: string) => FUNCTION_WORDS.has(word.toLowerCase());

export const isMessageWord = (word: string) =>
	isFunctionWord(word) ||
	MESSAGE_WORDS.has(word.toLowerCase()) ||
	isInterfaceName(word) ||
	word === 'entityType';

const LETTERS = /[\p{L}\p{M}]+/gu;
const CAPITALIZED = /^\p{Lu}/u;

/** Longer texts are sentences. */
const MAX_NAME_LENGTH = 60;

/** A name may stand elsewhere in another case. */
export const toNameWord = (word: string) => (isFunctionWord(word) ? word : word.toLowerCase());

/** Lists the words of names in a text: of a name, of addresses and links, and what has a capital letter. */
export function listNameWords(text: string): string[] {
	const isName = text.length <= MAX_NAME_LENGTH;
	return text.split(/\s+/).flatMap((part) => {
		const isAddress = /[@./]./.test(part);
		return (part.match(LETTERS) ?? [])
			.filter((word) =>
				isFunctionWord(word)
					? isName && CAPITALIZED.test(word)
					: isName || isAddress || CAPITALIZED.test(word),
			)
			.map(toNameWord);
	});
}
