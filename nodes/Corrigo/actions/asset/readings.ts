import type { INodeExecutionData } from 'n8n-workflow';

import { keepsHistory, requireAttribute, toValue, VALUE_PATHS } from '../../compare/customFields';
import { buildField } from '../../form/fields';
import { buildReferenceField, subjects } from '../../form/subjects';
import { createFieldBuilder } from '../../operations/members';
import { buildSharedRead } from '../../operations/read/sharedRead';
import { buildFormCreate } from '../../operations/write/formCreate';
import { loadRecordsById, lookUp, type Requester } from '../../records/query';
import { toItem, type ResolvingForm } from '../../run/context';
import { createEmptyError, quote, ValidationError } from '../../values/errors';
import { type JsonObject, readPath, toRows } from '../../values/objects';
import { normalize } from '../../values/input';
import { and, equal } from '../../wire/criteria';
import { readValue } from '../../operations/write/described';
import {
	requireModel,
	requireModelAttributes,
	settleValues,
} from '../../operations/write/settling';
import { NUMBER, TEXT } from '../../operations/specimens';

/** Corrigo publishes no more than a switch, so several rows of one attribute are assumed. */
const BETA =
	'Beta: how Corrigo keeps a history is not published. Each value is assumed to be a record of its own.';

const attributeField = buildReferenceField(
	'attribute',
	'attribute',
	{
		displayName: 'Meter',
		required: true,
		description: 'The meter of the asset, or another attribute that keeps a history',
	},
	'Run Hours',
);

const valueField = buildField('value', 'string', 'New value, of the type that the attribute has', {
	required: true,
	placeholder: 'e.g. 1250',
});

function readHistory(form: ResolvingForm): JsonObject {
	const label = form.getLabel(attributeField);
	const input = form.getInput(attributeField);
	const descriptor = requireAttribute(label, input, form.run.resolver.findRows);
	if (keepsHistory(descriptor)) return descriptor;
	throw new ValidationError(
		`'${label}' is ${quote(descriptor.Name)}, which keeps no history`,
		"Read it with 'Get', and change it with 'Update'.",
	);
}

const readingFields = createFieldBuilder('AssetAttribute');

const ASSET = 'Asset';

export const addReading = buildFormCreate({
	value: 'addReading',
	action: 'Add reading to asset',
	description: `Add a value to an attribute that keeps a history, such as a meter. ${BETA}`,
	entity: 'AssetAttribute',
	output: () => ({
		...{ Id: 1, AssetId: 1, Asset: { Id: 1, Name: TEXT } },
		...{ Descriptor: { Id: 1, Name: TEXT }, Value: TEXT },
	}),
	shown: [
		readingFields.reference('AssetId', 'id', 'asset', { displayName: ASSET, required: true }),
		attributeField,
		valueField,
	],
	buildRecord: (context, members) => {
		const label = context.getLabel(valueField);
		const value = context.getInput(valueField);
		if (context.isEmpty(valueField)) throw createEmptyError(label);
		const attribute = readHistory(context);
		context.run.names.note('AttributeDescriptor', attribute.Id, attribute.Name);
		const open = { Attributes: [readValue(context.run, attribute, label, value)] };
		const { Attributes } = settleValues(context.run, label, 'Location', open, undefined);
		const [row] = toRows(Attributes);
		const model = requireModel(context.run, ASSET, Number(members.AssetId));
		requireModelAttributes(context.run, context.getLabel(attributeField), model, [row]);
		return { ...members, ...row };
	},
});

export const getReadings = buildSharedRead(subjects.asset, {
	value: 'getReadings',
	action: 'Get readings of asset',
	description: `Retrieve the values of an attribute that keeps a history, oldest first. ${BETA}`,
	address: 'POST /query',
	output: () => ({ Id: 1, Asset: { Id: 1, Name: TEXT }, Attribute: TEXT, Value: NUMBER }),
	fields: [attributeField],
	readSettings: readHistory,
	load: loadReadings,
	toItems: (rows) => rows.map(toReading),
});

/** Assets without a reading are in the result, those that do not exist are not. */
async function loadReadings(
	requester: Requester,
	ids: number[],
	{ Id }: JsonObject,
): Promise<Map<number, JsonObject[]>> {
	const rows = {
		entity: 'AssetAttribute',
		by: ['AssetId'],
		properties: VALUE_PATHS,
		where: and(equal('Descriptor.Id', Id)),
	};
	const found = await lookUp(requester, rows, ids);
	const assets = await loadRecordsById(requester, 'Location', ids, { properties: ['Name'] });
	return new Map(
		[...assets].map(([id, { Name }]) => [
			id,
			(found.get(normalize(id)) ?? []).map((row) => ({ ...row, Asset: { Id: id, Name } })),
		]),
	);
}

const toReading = (row: JsonObject): INodeExecutionData =>
	toItem({
		Id: row.Id,
		Asset: row.Asset,
		Attribute: readPath(row, 'Descriptor.Name'),
		Value: toValue(row),
	});
