import type { INodeProperties } from 'n8n-workflow';

import { enumerations } from '../../catalogue/enumerations';
import { choices } from '../../descriptions/fields';
import { reference } from '../../descriptions/references';
import {
	dateTime,
	jsonObject,
	oneOf,
	positiveId,
	Refusal,
	type JsonObject,
} from '../../protocol/checks';
import type { Call } from '../call';
import { commandOperation } from '../command/typed';

const text = (displayName: string, name: string, description?: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...(description ? { description } : {}),
});

const day = (displayName: string, name: string): INodeProperties => ({
	displayName,
	name,
	type: 'dateTime',
	default: '',
});

/** Parameter -> member of NewUnitSpecifier. */
const UNIT_TEXTS = {
	buildingFloorPlan: 'BuildingFloorPlan',
	buildingName: 'BuildingName',
	floorFloorPlan: 'FloorFloorPlan',
	floorName: 'FloorName',
	spaceFloorPlan: 'SpaceFloorPlan',
	spaceName: 'SpaceName',
};

/** Parameter -> member of the command, with the name to complain under. */
const DATES = {
	endDate: ['EndDate', 'End Date'],
	moveInDate: ['MoveInDate', 'Move-In Date'],
	moveOutDate: ['MoveOutDate', 'Move-Out Date'],
	startDate: ['StartDate', 'Start Date'],
} as const;

const address: INodeProperties = {
	displayName: 'Address',
	name: 'address',
	type: 'collection',
	placeholder: 'Add address field',
	default: {},
	displayOptions: { show: { unit: ['new'] } },
	options: [
		{
			displayName: 'Address Type',
			name: 'TypeId',
			type: 'options',
			options: choices('StreetAddrType'),
			default: 'Primary',
		},
		text('City', 'City'),
		text('Country', 'Country'),
		{
			displayName: 'Owner Type',
			name: 'ActorTypeId',
			type: 'string',
			default: 'CommLeaseSpace',
			description: 'Kind of object that the address belongs to',
		},
		text('State', 'State'),
		text('Street', 'Street'),
		text('Street 2', 'Street2'),
		text('ZIP', 'Zip'),
	],
};

const fields: INodeProperties[] = [
	reference('customer', 'customer', { required: true }),
	{
		displayName: 'Unit',
		name: 'unit',
		type: 'options',
		options: [
			{ name: 'New', value: 'new', description: 'Make a unit from an asset template' },
			{ name: 'Existing', value: 'existing', description: 'Use a unit that is there' },
		],
		default: 'new',
	},
	reference('asset', 'unitId', {
		displayName: 'Existing Unit',
		required: true,
		displayOptions: { show: { unit: ['existing'] } },
		description: 'The asset of the unit',
	}),
	{
		...text('Unit Name', 'unitName'),
		required: true,
		placeholder: 'e.g. Suite 210',
		displayOptions: { show: { unit: ['new'] } },
	},
	{
		...text('Unit Floor Plan', 'unitFloorPlan', 'Name of a unit template of the Company'),
		displayOptions: { show: { unit: ['new'] } },
	},
	{
		displayName: 'If Unit Already Exists',
		name: 'ifUnitAlreadyExists',
		type: 'options',
		options: choices('DuplicateUnitMode'),
		default: 'Reuse',
		displayOptions: { show: { unit: ['new'] } },
	},
	day('Start Date', 'startDate'),
	address,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options: [
			text('Building Floor Plan', 'buildingFloorPlan', 'Name of a building template'),
			text('Building Name', 'buildingName'),
			day('End Date', 'endDate'),
			text('Floor Floor Plan', 'floorFloorPlan', 'Name of a floor template'),
			text('Floor Name', 'floorName'),
			text('Instructions', 'instructions'),
			day('Move-In Date', 'moveInDate'),
			day('Move-Out Date', 'moveOutDate'),
			text('Space Floor Plan', 'spaceFloorPlan', 'Name of a space template'),
			text('Space Name', 'spaceName'),
			{
				displayName: 'Unit Info (JSON)',
				name: 'unitInfo',
				type: 'json',
				default: '{}',
				description: 'More about the new unit: SerialNumber, TagId, CheckPhone and the like',
			},
		],
	},
];

export const create = commandOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a space',
	description: 'Create a space for a customer, with its unit',
	command: 'SpaceCreateCommand',
	fields,
	body: (call) => {
		const more = call.collection('additionalFields');
		return {
			// A string of digits, as the contract has it.
			CustomerId: String(call.id('Customer', 'customer')),
			...datesOf({ ...more, startDate: call.param('startDate', '') }),
			...(more.instructions ? { Instructions: String(more.instructions) } : {}),
			...unitOf(call, more),
		};
	},
});

function datesOf(values: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(DATES)
			.filter(([name]) => values[name])
			.map(([name, [member, label]]) => [member, dateTime(label, values[name])]),
	);
}

function unitOf(call: Call, more: JsonObject): JsonObject {
	if (call.param('unit', 'new') === 'existing') {
		return { UnitId: positiveId('Existing Unit', call.param('unitId', '')) };
	}
	return {
		IfUnitAlreadyExists: oneOf(
			'If Unit Already Exists',
			call.param('ifUnitAlreadyExists', 'Reuse'),
			enumerations.DuplicateUnitMode,
		),
		NewUnitSpecifier: newUnitOf(call, more),
	};
}

function newUnitOf(call: Call, more: JsonObject): JsonObject {
	const UnitName = call.text('unitName');
	if (UnitName === '') throw new Refusal("'Unit Name' is empty, but a new unit needs one");
	const UnitFloorPlan = call.text('unitFloorPlan');
	const street = call.collection('address');
	const info = jsonObject('Unit Info (JSON)', more.unitInfo ?? {});
	return {
		UnitName,
		...(UnitFloorPlan ? { UnitFloorPlan } : {}),
		...Object.fromEntries(
			Object.entries(UNIT_TEXTS)
				.filter(([name]) => more[name])
				.map(([name, member]) => [member, String(more[name])]),
		),
		...(Object.keys(street).length > 0
			? { StreetAddress: { ActorTypeId: 'CommLeaseSpace', TypeId: 'Primary', ...street } }
			: {}),
		...(Object.keys(info).length > 0 ? { UnitInfo: info } : {}),
	};
}
