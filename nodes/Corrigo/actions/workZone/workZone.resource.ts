import { timeZones } from '../../catalogue/times';
import { sortByName } from '../../form/fields';
import type { RecordType } from '../../catalogue/views';
import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import {
	additionalFields,
	createFieldBuilder,
	getFormFields,
	readAddedMembers,
	readShownMembers,
} from '../../operations/members';
import { buildCommandOperation } from '../../operations/write/command';
import { toItem, readRecordId, resolveForm } from '../../run/context';
import type { Resource } from '../../run/operation';
import { getRecordKey } from '../../wire/answers';

const creation = createFieldBuilder('WorkZoneCreateCommand');
const zone = createFieldBuilder('WorkZone');

const shown = [
	zone.field('DisplayAs', 'name', 'Name of the new work zone', { required: true }),
	zone.field('WoNumberPrefix', 'numberPrefix', 'First letters of the numbers of its orders', {
		required: true,
		placeholder: 'e.g. ABC',
	}),
];

const added = [
	zone.field('CurrencyTypeId', 'currency', 'Currency of the work zone', { default: 'USD' }),
	zone.field('Number', 'number', 'Number of the work zone in your Company'),
	zone.field('WoNumberDigits', 'numberDigits', 'How many digits the numbers of its orders have', {
		typeOptions: { minValue: 1 },
		default: 7,
	}),
	zone.field('TimeZone', 'timeZone', 'Time zone of the work zone', {
		type: 'options',
		options: sortByName(
			Object.entries(timeZones).map(([value, name = '']) => ({ name, value: Number(value) })),
		),
		default: 35,
	}),
];

const create = buildCommandOperation({
	value: 'create',
	action: 'Create work zone',
	description: 'Create a new work zone with the assets of a template',
	command: 'WorkZoneCreateCommand',
	shown: [
		...getFormFields(shown),
		creation.reference('AssetTemplateId', 'assetTemplate', 'assetTemplate', {
			required: true,
			description: 'Template of the assets that the work zone gets',
		}),
	],
	added: [
		creation.field(
			'SkipDefaultSettings',
			'skipDefaultSettings',
			'Whether to leave out the settings that new work zones usually get',
			{ default: true },
		),
		...getFormFields(added),
	],
	buildBody: (context) => ({
		WorkZone: {
			...readShownMembers(context, shown),
			...readAddedMembers(context, context.read(additionalFields), added),
		},
	}),
});

/** Corrigo answers with nothing, so the output is built from the input. */
const buildSwitch = (
	command: 'WorkZoneOfflineCommand' | 'WorkZoneOnlineCommand',
	kind: RecordType,
	texts: { value: string; action: string; description: string },
) => {
	const IsOffline = command === 'WorkZoneOfflineCommand';
	const chosen = createFieldBuilder(command).reference('WorkZoneId', 'id', kind, {
		displayName: 'Work Zone',
		required: true,
	});
	return buildCommandOperation({
		...texts,
		command,
		shown: [
			chosen,
			...(IsOffline
				? [
						createFieldBuilder('WorkZoneOfflineCommand').field(
							'DeactivateCustomers',
							'deactivateCustomers',
							'Whether to deactivate the customers of the work zone, too',
						),
					]
				: []),
		],
		changes: async (context) =>
			await resolveForm(context, (one) =>
				getRecordKey('WorkZone', readRecordId(one, chosen.property)),
			),
		buildOutput: async (_, __, { WorkZoneId }) => toItem({ Id: WorkZoneId, IsOffline }),
	});
};

export const workZone: Resource = {
	value: 'workZone',
	operations: [
		create,
		...buildOperations(subjects.workZone, 'get', 'getMany', 'update'),
		buildSwitch('WorkZoneOnlineCommand', 'offlineWorkZone', {
			value: 'bringOnline',
			action: 'Bring work zone online',
			description: 'Use a work zone again that was taken offline',
		}),
		buildSwitch('WorkZoneOfflineCommand', 'workZone', {
			value: 'takeOffline',
			action: 'Take work zone offline',
			description: 'Take a work zone out of use, with its customers if you want',
		}),
	],
};
