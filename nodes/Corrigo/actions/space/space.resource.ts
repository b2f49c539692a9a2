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
	command.field('StartDate', 'startDate', 'From when the space is that of the customer'),
];

const shownForNewUnit = [
	command.field(
		'IfUnitAlreadyExists',
		'ifUnitAlreadyExists',
		'What to do if the building has a unit of that name',
		{ default: 'Reuse', ...OF_NEW_UNIT },
	),
];

const unitShown: readonly MemberField[] = [
	unit.field('UnitName', 'unitName', 'What the new unit is called', {
		required: true,
		placeholder: 'e.g. Suite 210',
		...OF_NEW_UNIT,
	}),
	unit.template('UnitFloorPlan', 'unitFloorPlan', 'A unit template of the Company', OF_NEW_UNIT),
];

const unitAdded: readonly MemberField[] = [
	unit.template('BuildingFloorPlan', 'buildingFloorPlan', 'A building template'),
	unit.field('BuildingName', 'buildingName', 'The building that the unit is in'),
	unit.template('FloorFloorPlan', 'floorFloorPlan', 'A floor template'),
	unit.field('FloorName', 'floorName', 'The floor that the unit is on'),
	unit.template('SpaceFloorPlan', 'spaceFloorPlan', 'A space template'),
	unit.field('SpaceName', 'spaceName', 'What the space inside the unit is called'),
];

const addressMembers: readonly MemberField[] = [
	address.field('TypeId', 'TypeId', 'Which of the addresses of the unit it is', {
		displayName: 'Address Type',
		default: 'Primary',
	}),
	address.field('City', 'City', 'Name of the town'),
	address.field('Country', 'Country', 'Country, as your Company writes it'),
	address.field('ActorTypeId', 'ActorTypeId', 'Kind of object that the address belongs to', {
		displayName: 'Owner Type',
		default: 'CommLeaseSpace',
	}),
	address.field('State', 'State', 'State or province'),
	address.field('Street', 'Street', 'Street and number'),
	address.field('Street2', 'Street2', 'More of the address, such as the suite'),
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
				{ name: 'New', value: 'new', description: 'Make a unit from an asset template' },
				{ name: 'Existing', value: 'existing', description: 'Use a unit that is there' },
			],
			default: 'new',
		},
		reference('unit', 'unitId', {
			displayName: 'Existing Unit',
			required: true,
			displayOptions: { show: { unit: ['existing'] } },
			description: 'The asset of the unit',
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
		command.field('EndDate', 'endDate', 'Until when the space is that of the customer'),
		command.field('Instructions', 'instructions', 'What whoever works there has to know'),
		command.field('MoveInDate', 'moveInDate', 'When the customer moves in', {
			displayName: 'Move-In Date',
		}),
		command.field('MoveOutDate', 'moveOutDate', 'When the customer moves out', {
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
			description: 'More about the new unit: SerialNumber, TagId, CheckPhone and the like',
		},
	],
	zone: () => CUSTOMER_ZONE,
	body: (context) => ({
		// A string of digits, as the contract has it.
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
	description: 'Where service is delivered to a customer',
	operations: [
		create,
		...operationsOn(subjects.space, 'count', 'delete', 'get', 'getMany', 'update'),
	],
};
