import { getMemberTypes, REQUEST_ONLY } from '../catalogue/entities';
import { getNoun } from '../catalogue/views';
import { addArticle, extendLabel, quote, ValidationError } from '../values/errors';
import { requireName } from '../values/json';
import { findUnknownName, spellNames } from '../values/memberNames';
import { readMembers, type ValueReader } from '../values/members';
import { type JsonObject, replaceMember } from '../values/objects';
import { suggestNames } from '../values/spellings';

/** Brings JSON of a record into the form of the contract: nested, and in its spelling. */
export function nestNames(field: string, entity: string, json: JsonObject): JsonObject {
	const spelled = spellNames(field, entity, json);
	// A command may say `$type` of what it carries, a record of itself may not.
	for (const name of Object.keys(spelled)) requireName(field, name);
	// The address of a record names its entity. Corrigo returns this member, but does not write it.
	const isKnown = Object.keys(getMemberTypes(entity)).length > 0;
	return isKnown ? replaceMember(spelled, 'EntityType', undefined) : spelled;
}

/** Every way in that takes JSON reads it here; names are in the contract's spelling. */
export const readSpelled = (
	reader: ValueReader,
	field: string,
	owner: string,
	json: JsonObject,
): JsonObject =>
	readMembers(owner, json, {
		// A message about the Id of a reference names the reference.
		getLabel: (path) => extendLabel(field, ...path.replace(/\.Id$/, '').split('.').filter(Boolean)),
		...reader,
	});

/** Reads the members of a command or record from JSON that a person has written. */
export const readJson = (reader: ValueReader, field: string, owner: string, json: JsonObject) =>
	readSpelled(reader, field, owner, spellNames(field, owner, json));

/** Corrigo ignores unknown names here, so this check is the only one that catches a typing error. */
export function readKnownJson(
	reader: ValueReader,
	field: string,
	owner: string,
	json: JsonObject,
	noun = getNoun(owner),
): JsonObject {
	const spelled = spellNames(field, owner, json);
	const unknown = findUnknownName(owner, spelled);
	if (unknown === undefined) return readSpelled(reader, field, owner, spelled);
	throw new ValidationError(
		`'${field}' has ${quote(unknown.path)}, which is not a field of ${addArticle(noun)}`,
		suggestNames(unknown.name, listNames(unknown.owner)) ?? 'Leave it out.',
		{
			forAuthor: "For fields that are newer than this node, use 'Execute' of the Command resource.",
		},
	);
}

const listNames = (owner: string): string[] =>
	Object.keys(getMemberTypes(owner)).filter((name) => !REQUEST_ONLY.includes(name));
