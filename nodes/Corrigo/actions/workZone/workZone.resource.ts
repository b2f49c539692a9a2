import { timeZones } from '../../catalogue/times';
import { sortByName } from '../../form/fields';
import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import { createFieldBuilder, getFormFields, readFieldMembers } from '../../operations/members';
import { createKeyResolver } from '../../operations/subject';
import type { Goal } from '../../operations/write/alreadySo';
import { buildCommandOperation } from '../../operations/write/command';
import { toWrittenItem } from '../../operations/output';
import { NAMED } from '../../operations/specimens';
import type { ItemContext } from '../../run/context';
import type { Resource } from '../../run/operation';
import type { JsonObject } from '../../values/objects';

const createFields = createFieldBuilder('WorkZoneCreateCommand');
const zoneFields = createFieldBuilder('WorkZone');

const shown = [
	zoneFields.field('DisplayAs', 'name', 'Name of the new work zone', { required: true }),
	zoneFields.field('WoNumberPrefix', 'numberPrefix', 'First letters of the numbers of its orders', {
		required: true,
		placeholder: 'e.g. ABC',
	}),
];

const added = [
	zoneFields.field('CurrencyTypeId', 'currency', 'Currency of the work zone'),
	zoneFields.field('Number', 'number', 'Number of the work zone in your Company'),
	zoneFields.field(
		'WoNumberDigits',
		'numberDigits',
		'How many digits the numbers of its orders have',
		{
			typeOptions: { minValue: 1 },
		},
	),
	zoneFields.field('TimeZone', 'timeZone', 'Time zone of the work zone', {
		type: 'options',
		options: sortByName(
			Object.entries(timeZones).map(([value, name = '']) => ({ name, value: Number(value) })),
		),
	}),
];

const create = buildCommandOperation({
	value: 'create',
	action: 'Create work zone',
	description: 'Create a new work zone with the assets of a template',
	command: 'WorkZoneCreateCommand',
	shown: [
		...getFormFields(shown),
		createFields.reference('AssetTemplateId', 'assetTemplate', 'assetTemplate', {
			required: true,
			description: 'Template of the assets that the work zone gets',
		}),
	],
	added: [
		createFields.field(
			'SkipDefaultSettings',
			'skipDefaultSettings',
			'Whether to leave out the settings that new work zones usually get',
			{ default: true },
		),
		...getFormFields(added),
	],
	buildBody: (context) => ({
		WorkZone: readFieldMembers(context, { shown, added }),
	}),
});

const offlineFields = createFieldBuilder('WorkZoneOfflineCommand');
const onlineFields = createFieldBuilder('WorkZoneOnlineCommand');

const CHOSEN = { displayName: subjects.workZone.label, required: true };

const reachOffline = (isOffline: boolean): Goal => ({
	entity: 'WorkZone',
	paths: ['IsOffline'],
	isReached: ({ IsOffline }) => (IsOffline === true) === isOffline,
});

const showOffline =
	(IsOffline: boolean) =>
	async (context: ItemContext, _: unknown, { WorkZoneId }: JsonObject) =>
		toWrittenItem(context, 'WorkZone', Number(WorkZoneId), { IsOffline });

const takeOffline = buildCommandOperation({
	value: 'takeOffline',
	action: 'Take work zone offline',
	description: 'Take a work zone out of use, with its customers if you want',
	command: 'WorkZoneOfflineCommand',
	shown: [
		offlineFields.reference('WorkZoneId', 'id', 'workZone', CHOSEN),
		offlineFields.field(
			'DeactivateCustomers',
			'deactivateCustomers',
			'Whether to deactivate the customers of the work zone, too',
		),
	],
	output: () => ({ ...NAMED, IsOffline: true }),
	changes: createKeyResolver(subjects.workZone),
	buildOutput: showOffline(true),
	goal: {
		...reachOffline(true),
		// The work zone does not tell what happened to its customers.
		isReached: ({ IsOffline }, { DeactivateCustomers }) =>
			IsOffline === true && DeactivateCustomers !== true,
	},
});

const bringOnline = buildCommandOperation({
	value: 'bringOnline',
	action: 'Bring work zone online',
	description: 'Use a work zone again that was taken offline',
	command: 'WorkZoneOnlineCommand',
	shown: [onlineFields.reference('WorkZoneId', 'id', 'offlineWorkZone', CHOSEN)],
	output: () => ({ ...NAMED, IsOffline: false }),
	changes: createKeyResolver({ ...subjects.workZone, recordType: 'offlineWorkZone' }),
	buildOutput: showOffline(false),
	goal: reachOffline(false),
});

export const workZone: Resource = {
	value: 'workZone',
	operations: [
		create,
		...buildOperations(subjects.workZone, 'get', 'getMany', 'restore', 'update'),
		bringOnline,
		takeOffline,
	],
};
