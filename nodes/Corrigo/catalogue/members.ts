import { commands, type CommandMember, type CommandName } from './commands';
import {
	findEntityMemberType,
	entities,
	type EntityName,
	type MemberName,
	type OwnerName,
	type Path,
	getEntity,
	indexTypes,
	isCollection,
	toRowType,
} from './entities';
import type { ActorType, enumerations } from './enumerations';
import { createTable } from './table';

export type { ActorType } from './enumerations';

/** These members say which record or version is meant. The service ignores the case of names. */
export const isIdentity = (name: string): boolean => /^(Concurrency)?Id$/i.test(name);

/**
 * No output and no error shows the value of such a member, whatever the case of its name. Commands
 * that the catalogue does not know have others than the entities, such as `NewPassword`, and forms
 * label them with spaces.
 */
export const isSecret = (name: string): boolean =>
	SECRET_NAME.test(name) && !ABOUT_SECRET.test(name);

const WRITE_ONLY = ['location.parentid'];

/** Answers never contain these members, so only creates and explicit updates set them. */
export const isWriteOnly = (owner: string, name: string): boolean =>
	isSecret(name) || WRITE_ONLY.includes(`${owner}.${name}`.toLowerCase());

/** A text with one of these words may hold a secret, wherever it stands. */
export const mentionsSecret = (text: string): boolean => SECRET_MENTION.test(text);

const SECRET_WORDS = [
	...['password', 'passwd', 'passphrase', 'passcode', 'passkey', 'pwd', 'secret', 'token'],
	String.raw`(?:api|access|private|signing|encryption)[\W_]{0,3}key`,
	String.raw`(?:access|alarm|door|gate|auth)[\W_]{0,3}code`,
].join('|');
const SECRET_MENTION = new RegExp(String.raw`${SECRET_WORDS}|\b(?:pin|otp)\b`, 'i');

const SECRET_NAME = new RegExp(
	String.raw`${SECRET_WORDS}|pin[\W_]?(?:code|s)?[\W_\d]{0,9}$|^(?:otp|credentials?|authorization)$`,
	'i',
);

/** Switches, dates and rules that are about a secret, such as *Must Reset Password*. */
const ABOUT_SECRET =
	/must|force|reset|change|expire|expiration|policy|length|required|enabled|attempt|count/i;

/** Members with links to files, which anybody can open, and their label. */
export const FILE_LINKS = ['DocUrl', 'Doc URL'];

/** Returns the spelling that n8n needs in order to hide the member. */
export const findFileLink = (name: string): string | undefined =>
	FILE_LINKS.find((one) => one.toLowerCase() === name.toLowerCase());

/** A label may name what its field is part of: `Entity > DocUrl`. */
export const isFileLink = (name: string): boolean =>
	FILE_LINKS.some((one) => name.toLowerCase().endsWith(one.toLowerCase()));

/** The content of a file may be large. The member that holds a `Blob` has the name of its type. */
export const isFileContent = (owner: string, name: string): boolean =>
	owner === 'Blob' && name === 'Body';

type AnyMember =
	| CommandMember<CommandName>
	| { [Owner in OwnerName]: MemberName<Owner> }[OwnerName];

/** Values of these members. A member that only others have does not compile, even in a spread. */
export type ValuesOf<Member extends string> = { [Name in Member]?: unknown } & {
	[Name in Exclude<AnyMember, Member>]?: never;
};

const typesByCommand = new Map(
	commands.map(({ name, fields }) => [name.toLowerCase(), indexTypes(fields)]),
);

/** Finds the type at the end of a dotted path in an entity, a command or a value object. */
export function findMemberType(owner: string, path: string): string | undefined {
	const types = typesByCommand.get(owner.toLowerCase());
	if (types === undefined) return findEntityMemberType(owner, path);
	const [member, ...rest] = path.split('.');
	const type = types.get(member.toLowerCase());
	if (type === undefined || rest.length === 0) return type;
	return findEntityMemberType(toRowType(type), rest.join('.'));
}

/** Returns the type at the end of a path, of one row if it is a collection; empty if unknown. */
export const getInnerType = (owner: string, path: string): string =>
	toRowType(getWrittenType(owner, path));

/** Returns the member at the end of a path, and what owns it. */
export function splitPath(
	owner: string,
	path: string,
): { owner: string; names: string[]; member: string } {
	const names = path.split('.');
	const member = names.pop() ?? '';
	return {
		owner: names.length === 0 ? owner : getInnerType(owner, names.join('.')),
		names,
		member,
	};
}

/** Entities with an actor type can have custom fields that the contract does not list. */
export function getWrittenType(owner: string, path: string): string {
	const known = findMemberType(owner, path);
	if (known !== undefined) return known;
	const [collection, ...inner] = path.split('.');
	if (collection !== 'CustomFields' || getEntity(owner)?.actorTypes === undefined) return '';
	const type = 'CustomField2' satisfies EntityName;
	return inner.length === 0 ? `${type}[]` : (findMemberType(type, inner.join('.')) ?? '');
}

/** Returns undefined if the member is not a collection. */
export function findRowType(owner: string, collection: string): string | undefined {
	const type = getWrittenType(owner, collection);
	return isCollection(type) ? toRowType(type) : undefined;
}

/** `UiTypeId` of actions that came through the API. */
export const API_UI_TYPE: (typeof enumerations)['UIType'][number] = 'IntegrationWS';

/**
 * Types without custom fields that differ from the names of their entities. The rows of entities list
 * those with custom fields.
 */
const others = {
	CustomerInvoice: 'Invoice',
	Estimate: 'WoEstimate',
	MhOrder: 'ReplenishmentOrder',
	Quote: 'WoQuote',
	Supplier: 'Employee',
} satisfies { readonly [Type in ActorType]?: EntityName };

const entityByType: ReadonlyMap<string, string> = new Map([
	...entities.flatMap(({ name, actorTypes = [] }) =>
		actorTypes.map((type) => [type, name] as const),
	),
	...Object.entries(others),
]);

/** Some types belong to no known entity. */
export const findActorEntity = (type: string): string | undefined =>
	entityByType.get(type) ?? getEntity(type)?.name;

/** Finds the member with the type of the record behind an Id: `ActorTypeId` for `ActorId`. */
export function findTypeMember(owner: string, path: string): string | undefined {
	const found = path.replace(/Id$/i, 'TypeId');
	return found !== path && findMemberType(owner, found) === 'ActorType' ? found : undefined;
}

/** Simplified records explain `StatusId` by `Status`, and `WoId` by `WorkOrder`. */
export function getSiblingName(member: string): string {
	const name = member.endsWith('Id') ? member.slice(0, -2) : member;
	return name === 'Wo' ? 'WorkOrder' : name;
}

/** Describes a collection with one row of each kind, such as one address of each type. */
interface RowKinds<By = string, Value = string> {
	/** Path in a row to its kind. */
	by: By;
	value: Value;
	/** Members that belong to the value, such as its currency. */
	details: readonly Value[];
	/** Kind of a row that names none. */
	fallback?: string;
}

const rowKinds = createTable<RowKinds | undefined>({
	Address2: { by: 'TypeId', value: 'Street', details: [], fallback: 'Primary' },
	ContactInfo: { by: 'AddrTypeId', value: 'Address', details: ['IsAlert', 'IsReport'] },
	AssetAttribute: { by: 'Descriptor.Id', value: 'Value', details: ['CurrencyTypeId'] },
	CustomField2: { by: 'Descriptor.Id', value: 'Value', details: ['CurrencyTypeId'] },
} satisfies { readonly [Owner in OwnerName]?: RowKinds<Path<Owner>, MemberName<Owner>> });

export const findRowKinds = (type: string): RowKinds | undefined => rowKinds[type];

const descriptors = createTable<EntityName | undefined>({
	AssetAttribute: 'AttributeDescriptor',
	CustomField2: 'CustomFieldDescriptor',
});

/** Each Company defines the kinds of such rows: the entity says how each is named and typed. */
export const findDescriptorEntity = (type: string): EntityName | undefined => descriptors[type];
