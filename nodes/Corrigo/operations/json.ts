import { getMemberTypes, REQUEST_ONLY } from '../catalogue/entities';
import { findRowType } from '../catalogue/members';
import { getNoun } from '../catalogue/views';
import { addArticle, extendLabel, quote, ValidationError } from '../values/errors';
import {
	findUnknownName,
	readMembers,
	spellNames,
	spellPath,
	type ValueReader,
} from '../values/members';
import type { JsonObject } from '../values/objects';
import { suggestNames } from '../values/spellings';
import { nestPaths } from '../wire/requests';

/** Brings JSON of a record into the form of the contract: nested, and in its spelling. */
export const nestNames = (field: string, entity: string, json: JsonObject): JsonObject =>
	spellNames(
		field,
		entity,
		// A collection may be given by its kinds, whose labels are not names of members.
		nestPaths(field, json, (name) => findRowType(entity, spellPath(entity, name)) !== undefined),
	);

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
		suggestNames(unknown.name, listNames(unknown.owner)) ??
			"For fields that are newer than this node use 'Execute' of the Command resource.",
	);
}

const listNames = (owner: string): string[] =>
	Object.keys(getMemberTypes(owner)).filter((name) => !REQUEST_ONLY.includes(name));
