import { fieldsModeField, mapperField } from '../../form/columns';
import { locator, textLike } from '../../form/fields';
import { writeOptionsField } from '../../form/options';
import { commandNamed } from '../../catalogue/commands';
import { commandClass, jsonObject, ValidationError, type JsonObject } from '../../protocol/checks';
import { commandBody, commandColumns } from '../../protocol/commandColumns';
import { valueAt } from '../../protocol/kinds';
import { withIds } from '../../protocol/names';
import { positiveId } from '../../protocol/values';
import { itemOf, oncePerRun, type ItemContext } from '../../run/context';
import { idOfIn, named } from '../../run/resolve';
import type { Resource } from '../../run/operation';
import { sendCommand } from '../operations/command';
import { FIELDS, givenCells, isPasted } from '../operations/given';
import {
	CUSTOMER_ZONE,
	onLocalClock,
	ORDER_ZONE,
	WORK_ZONE,
	type ZoneSource,
} from '../operations/zones';

const BODY = 'Body (JSON)';

function commandIn(context: ItemContext): string {
	const given = commandClass('Command Name', context.param('commandName', ''));
	return commandNamed(given)?.name ?? given;
}

const bodyOf = async (context: ItemContext): Promise<JsonObject> =>
	await named(context, (one) => (isPasted(one) ? pastedBody(one) : filledBody(one)));

const pastedBody = (context: ItemContext): JsonObject => {
	const body = jsonObject(BODY, context.param('commandBody', ''));
	return withIds(commandIn(context), BODY, body, idOfIn(context));
};

const columnsFor = oncePerRun((_, name: string) => commandColumns(name));

function filledBody(context: ItemContext): JsonObject {
	const name = commandIn(context);
	if (commandNamed(name) === undefined) {
		throw new ValidationError(
			`The columns of ${name} are not known`,
			"Check 'Command Name', or set 'Input Mode' to JSON.",
		);
	}
	return commandBody(
		name,
		FIELDS,
		givenCells(context, name, columnsFor(context, name)),
		idOfIn(context),
	);
}

const zoneAt = (path: string, source: ZoneSource): [string, ZoneSource] => [
	path,
	{ ...source, idOf: async (context) => positiveId(path, valueAt(await bodyOf(context), path)) },
];

/** Members that determine the time zone of a body; the first one with a value counts. */
const ZONES = [
	zoneAt('WorkOrderId', ORDER_ZONE),
	zoneAt('WorkOrder.WorkZone.Id', WORK_ZONE),
	zoneAt('WorkOrder.Customer.Id', CUSTOMER_ZONE),
	zoneAt('CustomerId', CUSTOMER_ZONE),
];

const zoneIn = (body: JsonObject) => ZONES.find(([path]) => valueAt(body, path) !== undefined)?.[1];

export const command: Resource = {
	name: 'Command',
	value: 'command',
	description: 'Any command of the service',
	operations: [
		{
			name: 'Execute',
			value: 'execute',
			action: 'Execute a command',
			description: 'Run any command of Corrigo by its class name',
			address: 'POST /cmd',
			fields: [
				{
					displayName: 'Command Name',
					name: 'commandName',
					...locator('searchCommands', {
						displayName: 'By Name',
						name: 'name',
						...textLike('WoCancelCommand'),
					}),
					required: true,
					description: 'Command to run, by its class name',
				},
				fieldsModeField,
				mapperField(
					{ valuesLabel: 'Values to Send', description: 'Parameters of the command' },
					'commandName.value',
				),
				{
					displayName: BODY,
					name: 'commandBody',
					type: 'json',
					default: '{}',
					displayOptions: { show: { fieldsMode: ['json'] } },
					placeholder: 'e.g. { "WorkOrderId": 1234, "Comment": "text" }',
					description: 'Parameters of the command as a JSON object. Corrigo ignores unknown names.',
				},
				writeOptionsField('requestId'),
			],
			each: async (context) => {
				const name = commandIn(context);
				const body = await bodyOf(context);
				const command = await onLocalClock(context, name, body, zoneIn(body));
				return [itemOf({ ...(await sendCommand(context, name, command)) })];
			},
		},
	],
};
