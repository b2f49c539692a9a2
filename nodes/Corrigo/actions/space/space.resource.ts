import { reference } from '../../form/references';
import { subjects } from '../../form/subjects';
import { jsonObject, type JsonObject } from '../../protocol/checks';
import { oneOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import type { Resource } from '../../run/operation';
import { recordIn } from '../../run/resolve';
import { operationsOn } from '../operations';
import {
	addedMembers,
	inputsFor,
	formFields,
	membersIn,
	shownMembers,
	type MemberField,
} from '../operations/members';
import { commandOperation } from '../operations/command';
import { CUSTOMER_ZONE } from '../operations/zones';

const COMMAND = 'SpaceCreateCommand';
const command = inputsFor(COMMAND);
const unit = inputsFor('NewUnitSpecifier');
const address = inputsFor('Address2');

const OF_NEW_UNIT = { displayOptions: { show: { unit: ['new'] } } };

const shown = [
	command.field('StartDate', 'startDate', 'First day on which the customer occupies the space'),
];

const shownForNewUnit = [
	command.field(
		'IfUnitAlreadyExists',
		'ifUnitAlreadyExists',
		'What to do if the building already has a unit with this name',
		{ default: 'Reuse', ...OF_NEW_UNIT },
	),
];

const unitShown: readonly MemberField[] = [
	unit.field('UnitName', 'unitName', 'Name of the new unit', {
		required: true,
		placeholder: 'e.g. Suite 210',
		...OF_NEW_UNIT,
	}),
	unit.template('UnitFloorPlan', 'unitFloorPlan', 'Asset template of the unit', OF_NEW_UNIT),
];

const unitAdded: readonly MemberField[] = [
	unit.template('BuildingFloorPlan', 'buildingFloorPlan', 'Asset template of the building'),
	unit.field('BuildingName', 'buildingName', 'Building that contains the unit'),
	unit.template('FloorFloorPlan', 'floorFloorPlan', 'Asset template of the floor'),
	unit.field('FloorName', 'floorName', 'Floor of the unit'),
	unit.template('SpaceFloorPlan', 'spaceFloorPlan', 'Asset template of the space'),
	unit.field('SpaceName', 'spaceName', 'Name of the space inside the unit'),
];

const addressMembers: readonly MemberField[] = [
	address.field('TypeId', 'TypeId', 'Purpose of the address', {
		displayName: 'Address Type',
		default: 'Primary',
	}),
	address.field('City', 'City', 'City or town'),
	address.field('Country', 'Country', 'Country as your Company spells it'),
	address.field('ActorTypeId', 'ActorTypeId', 'Type of record that the address belongs to', {
		displayName: 'Owner Type',
		default: 'CommLeaseSpace',
	}),
	address.field('State', 'State', 'State or province'),
	address.field('Street', 'Street', 'Street and number'),
	address.field('Street2', 'Street2', 'Second address line, such as the suite'),
	address.field('Zip', 'Zip', 'Postal code'),
];

const UNIT_INFO = 'Unit Info (JSON)';
const UNITS = ['new', 'existing'] as const;

const create = commandOperation({
	value: 'create',
	action: 'Create a space',
	description: 'Create a space for a customer, with its unit',
	command: COMMAND,
	fields: [
		reference('customer', 'customer', { required: true }),
		{
			displayName: 'Unit',
			name: 'unit',
			type: 'options',
			options: [
				{ name: 'New', value: 'new', description: 'Create a unit from an asset template' },
				{ name: 'Existing', value: 'existing', description: 'Use an existing unit' },
			],
			default: 'new',
			description: 'Whether the space is in a new or an existing unit',
		},
		reference('unit', 'unitId', {
			displayName: 'Existing Unit',
			required: true,
			displayOptions: { show: { unit: ['existing'] } },
			description: 'Asset that is the unit',
		}),
		...formFields([...unitShown, ...shownForNewUnit, ...shown]),
		{
			displayName: 'Address',
			name: 'address',
			type: 'collection',
			placeholder: 'Add address field',
			default: {},
			description: 'Street address of the new unit',
			...OF_NEW_UNIT,
			options: formFields(addressMembers),
		},
	],
	added: [
		command.field('EndDate', 'endDate', 'Last day on which the customer occupies the space'),
		command.field('Instructions', 'instructions', 'Instructions for technicians'),
		command.field('MoveInDate', 'moveInDate', 'Day on which the customer moves in', {
			displayName: 'Move-In Date',
		}),
		command.field('MoveOutDate', 'moveOutDate', 'Day on which the customer moves out', {
			displayName: 'Move-Out Date',
		}),
	],
	addedFields: [
		...formFields(unitAdded),
		{
			displayName: UNIT_INFO,
			name: 'unitInfo',
			type: 'json',
			default: '{}',
			description: 'Other properties of the new unit, such as SerialNumber, TagId and CheckPhone',
		},
	],
	zone: () => CUSTOMER_ZONE,
	body: (context) => ({
		// The contract declares this ID as a string.
		CustomerId: String(recordIn(context, 'customer', 'Customer', 'customer')),
		...shownMembers(context, shown),
		...unitOf(context),
	}),
});

function unitOf(context: ItemContext): JsonObject {
	if (oneOf('Unit', context.param('unit', 'new'), UNITS) === 'existing') {
		return { UnitId: recordIn(context, 'unit', 'Existing Unit', 'unitId') };
	}
	return { ...shownMembers(context, shownForNewUnit), NewUnitSpecifier: newUnitOf(context) };
}

function newUnitOf(context: ItemContext): JsonObject {
	const street = addedMembers(context, context.collection('address'), addressMembers);
	const { unitInfo = {} } = context.collection('additionalFields');
	const info = jsonObject(UNIT_INFO, unitInfo);
	return {
		...membersIn(context, { members: unitShown, added: unitAdded }),
		...(Object.keys(street).length > 0
			? { StreetAddress: { ActorTypeId: 'CommLeaseSpace', ...street } }
			: {}),
		...(Object.keys(info).length > 0 ? { UnitInfo: info } : {}),
	};
}

export const space: Resource = {
	name: 'Space',
	value: 'space',
	description: 'Spaces that customers occupy',
	operations: [
		create,
		...operationsOn(subjects.space, 'count', 'delete', 'get', 'getMany', 'update'),
	],
};
