import { isFileLink, isSecret, mentionsSecret } from '../catalogue/members';
import { isAbsent, isObject } from './objects';
import { cutText, toMessage } from './lines';

/** Many people may see outputs and errors, so they must not contain a password. */
export const HIDDEN = '(not shown)';

interface Details {
	/** Advice that only the author of a workflow can follow, such as what to do with an option. */
	forAuthor?: string;
	/** Labels of the fields that must not be empty, if that is what is wrong. */
	emptyFields?: readonly string[];
}

/** The input cannot be sent. The message names the field and its value; the node adds the item. */
export class ValidationError extends Error {
	readonly advice?: string;
	readonly forAuthor?: string;
	readonly emptyFields: readonly string[];

	constructor(message: string, advice?: string, { forAuthor, emptyFields = [] }: Details = {}) {
		super(toMessage(message));
		this.advice = advice && toMessage(advice);
		this.forAuthor = forAuthor && toMessage(forAuthor);
		this.emptyFields = emptyFields;
		this.name = 'ValidationError';
	}
}

/** n8n gives a node that a language model uses as a tool a type of its own. */
export const isTool = ({ type }: { type: string }): boolean => type.endsWith('Tool');

export const ONLY_FOR_AUTHOR = 'Only the author of this tool can change that.';

/** A model that calls a tool cannot change what its author has set, and must not be told to. */
export function chooseAdvice(node: { type: string }, advice = '', forAuthor = ''): string {
	if (!isTool(node)) return [advice, forAuthor].filter(Boolean).join(' ');
	return advice || (forAuthor && ONLY_FOR_AUTHOR);
}

/** The form adds to the message if an expression gave nothing. */
export const createEmptyError = (label: string, advice?: string, field = label): ValidationError =>
	new ValidationError(`'${label}' is empty`, advice, { emptyFields: [field] });

export const addArticle = (noun: string): string =>
	`${/^(?!uni|use)[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const MAX_QUOTE_LENGTH = 80;

/** Names have no other characters. */
const NAME = /^[\p{L}\p{M}\p{N} .,&'’()/#-]*$/u;

/** The name of what has the value decides whether it may be shown, and so does what the value mentions. */
export function quote(value: unknown, name = ''): string {
	if (isAbsent(value)) return 'empty';
	if (isSecret(name) || isFileLink(name)) return HIDDEN;
	const isJson = isObject(value) || Array.isArray(value);
	const text = isJson ? JSON.stringify(value) : String(value);
	if (mentionsSecret(text) && !NAME.test(text)) return `(${text.length} characters, not shown)`;
	return isJson && text.length <= MAX_QUOTE_LENGTH ? text : quoteText(text);
}

/** Escapes what could end the quotation, so that the rest of the text does not read as the node's own words. */
export const quoteText = (text: string, maxLength = MAX_QUOTE_LENGTH): string =>
	JSON.stringify(cutText(text, maxLength));

const PLAIN = /^[\p{L}\d][\p{L}\d._:@+#/-]*$/u;

/** A plain word needs no quotation marks where nothing else can follow it. */
export const quoteUnlessPlain = (text: string): string =>
	PLAIN.test(text) && text.length <= MAX_QUOTE_LENGTH ? text : quoteText(text);

/** Single quotation marks enclose a label, so no apostrophe of a name in it may end them. */
export const toLabel = (name: unknown): string => String(name).replace(/'/g, '’');

/** Names a value inside a field. Anybody may have given the names. */
export const extendLabel = (label: string, ...names: readonly unknown[]): string =>
	[label, ...names.map((name) => cutText(toLabel(name), MAX_QUOTE_LENGTH))].join(' > ');

/** Joins the first values of a list that may be long. */
export const formatList = (values: readonly unknown[], maxShown = 50): string =>
	values.slice(0, maxShown).join(', ') + (values.length > maxShown ? ', …' : '');

/** Joins names that anybody may have given. */
export const formatNames = (names: readonly unknown[]): string =>
	formatList(names.map((name) => quote(name)));

export function fail(field: string, value: unknown, expected: string, advice?: string): never {
	throw new ValidationError(
		`'${field}' must be ${expected}, but it is ${quote(value, field)}`,
		advice,
		{ emptyFields: isAbsent(value) ? [field] : [] },
	);
}
