import { fieldsModeField, buildMapperFields, buildLocator, buildTextMode } from '../../form/fields';
import {
	parseCommandClass,
	parseJsonObject,
	ValidationError,
	type JsonObject,
	readPath,
	parseId,
} from '../../values/checks';
import { resolveIds } from '../../values/names';
import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import { getCommand } from '../../catalogue/commands';
import { buildCommandBody, listCommandColumns } from '../../columns/commandColumns';
import { toItem, oncePerRun, type ItemContext } from '../../run/context';
import { getIdResolver, resolveForm } from '../../run/resolve';
import type { Resource } from '../../run/operation';
import {
	createZoneSource,
	CUSTOMER_ZONE,
	ORDER_ZONE,
	resolveLocalTimes,
	sendCommand,
	WORK_ZONE,
	type ZoneSource,
} from '../../operations/write/command';
import { isPasted, readInputCells } from '../../operations/write/record';

const BODY = 'Body (JSON)';
const VALUES = 'Values to Send';

function readCommandName(context: ItemContext): string {
	const input = parseCommandClass('Command Name', context.param('commandName', ''));
	return getCommand(input)?.name ?? input;
}

/** Names are looked up only inside `resolveForm`, so the body must be read there. */
const readBody = (context: ItemContext): JsonObject =>
	isPasted(context) ? readJsonBody(context) : readMappedBody(context);

const readJsonBody = (context: ItemContext): JsonObject => {
	const body = parseJsonObject(BODY, context.param('commandBody', ''));
	return resolveIds(readCommandName(context), BODY, body, getIdResolver(context));
};

const loadColumns = oncePerRun((_, name: string) => listCommandColumns(name));

function readMappedBody(context: ItemContext): JsonObject {
	const name = readCommandName(context);
	if (getCommand(name) === undefined) {
		throw new ValidationError(
			`The fields of ${name} are not known`,
			"Check 'Command Name', or set 'Input Mode' to JSON.",
		);
	}
	return buildCommandBody(
		name,
		VALUES,
		readInputCells(context, name, loadColumns(context, name)),
		getIdResolver(context),
	);
}

const toZoneEntry = (path: string, { entity, zone }: ZoneSource): [string, ZoneSource] => [
	path,
	createZoneSource(entity, zone, (context) => parseId(path, readPath(readBody(context), path))),
];

/** Members that determine the time zone of a body; the first one with a value counts. */
const ZONES = [
	toZoneEntry('WorkOrderId', ORDER_ZONE),
	toZoneEntry('WorkOrder.WorkZone.Id', WORK_ZONE),
	toZoneEntry('WorkOrder.Customer.Id', CUSTOMER_ZONE),
	toZoneEntry('CustomerId', CUSTOMER_ZONE),
];

const findZone = (body: JsonObject) =>
	ZONES.find(([path]) => readPath(body, path) !== undefined)?.[1];

export const command: Resource = {
	name: 'Command',
	value: 'command',
	description: 'Any command of the service',
	operations: [
		{
			name: 'Execute',
			value: 'execute',
			action: 'Execute command',
			description: 'Run any command of Corrigo by its class name',
			address: 'POST /cmd',
			fields: [
				{
					displayName: 'Command Name',
					name: 'commandName',
					...buildLocator('searchCommands', {
						displayName: 'By Name',
						name: 'name',
						...buildTextMode('WoCancelCommand'),
					}),
					required: true,
					description: 'Command to run, by its class name',
				},
				fieldsModeField,
				...buildMapperFields(
					{ valuesLabel: VALUES, description: 'Fields of the command' },
					'commandName.value',
				),
				{
					displayName: BODY,
					name: 'commandBody',
					type: 'json',
					default: '{}',
					displayOptions: { show: { fieldsMode: ['json'] } },
					placeholder: 'e.g. { "WorkOrderId": 1234, "Comment": "text" }',
					description: 'Fields of the command as a JSON object. Corrigo ignores unknown names.',
				},
				buildOptions([...WRITE_OPTIONS, 'requestId']),
			],
			each: async (context) => {
				const name = readCommandName(context);
				const body = await resolveForm(context, readBody);
				const command = await resolveLocalTimes(context, name, body, findZone(body));
				return [toItem({ ...(await sendCommand(context, name, command)) })];
			},
		},
	],
};
