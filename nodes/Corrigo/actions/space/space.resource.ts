import type { MemberName } from '../../catalogue/entities';
import type { ValuesOf } from '../../catalogue/members';
import { buildField, defineField } from '../../form/fields';
import { buildReferenceField, subjects } from '../../form/subjects';
import { readRecordId, type ResolvingForm } from '../../run/context';
import type { Resource } from '../../run/operation';
import { buildOperations } from '../../operations';
import {
	additionalFields,
	readAddedMembers,
	createFieldBuilder,
	getFormFields,
	readFieldMembers,
	readShownMembers,
} from '../../operations/members';
import { readKnownJson } from '../../operations/json';
import { createValueReader } from '../../operations/write/settling';
import { toNewPart } from '../../operations/write/ownParts';
import { buildCommandOperation } from '../../operations/write/command';
import { createZoneLoader } from '../../operations/write/zones';

const COMMAND = 'SpaceCreateCommand';
const commandFields = createFieldBuilder(COMMAND);
const unitFields = createFieldBuilder('NewUnitSpecifier');
const addressFields = createFieldBuilder('Address2');

const NEW_UNIT_ONLY = { displayOptions: { show: { unit: ['new'] } } };

const customer = buildReferenceField('customer', 'customer', { required: true });

const loadZone = createZoneLoader('Customer', (context) => readRecordId(context, customer));

const unitKind = buildField(
	'unit',
	'options',
	'Whether the space is in a new or an existing unit',
	{
		options: [
			{ name: 'New', value: 'new', description: 'Create a unit from an asset template' },
			{ name: 'Existing', value: 'existing', description: 'Use an existing unit' },
		],
		default: 'new',
	},
);

const existingUnit = buildReferenceField('unit', 'unitId', {
	displayName: 'Existing Unit',
	required: true,
	displayOptions: { show: { unit: ['existing'] } },
	description: 'Asset that is the unit',
});

const shown = [
	commandFields.field(
		'StartDate',
		'startDate',
		'First day on which the customer occupies the space',
	),
];

const shownForNewUnit = [
	commandFields.field(
		'IfUnitAlreadyExists',
		'ifUnitAlreadyExists',
		'What to do if the building already has a unit with this name',
		{ default: 'Reuse', ...NEW_UNIT_ONLY },
	),
];

const unitShown = [
	unitFields.field('UnitName', 'unitName', 'Name of the new unit', {
		required: true,
		placeholder: 'e.g. Suite 210',
		...NEW_UNIT_ONLY,
	}),
	unitFields.template(
		'UnitFloorPlan',
		'unitFloorPlan',
		'Asset template of the unit',
		NEW_UNIT_ONLY,
	),
];

const unitAdded = [
	unitFields.template('BuildingFloorPlan', 'buildingFloorPlan', 'Asset template of the building'),
	unitFields.field('BuildingName', 'buildingName', 'Building that contains the unit'),
	unitFields.template('FloorFloorPlan', 'floorFloorPlan', 'Asset template of the floor'),
	unitFields.field('FloorName', 'floorName', 'Floor of the unit'),
	unitFields.template('SpaceFloorPlan', 'spaceFloorPlan', 'Asset template of the space'),
	unitFields.field('SpaceName', 'spaceName', 'Name of the space inside the unit'),
];

const addressMembers = [
	addressFields.field('TypeId', 'TypeId', 'Purpose of the address', {
		displayName: 'Address Type',
		default: 'Primary',
	}),
	addressFields.field('City', 'City', 'City or town'),
	addressFields.field('Country', 'Country', 'Country as your Company spells it'),
	addressFields.field('ActorTypeId', 'ActorTypeId', 'Type of record that the address belongs to', {
		displayName: 'Owner Type',
		default: 'CommLeaseSpace',
	}),
	addressFields.field('State', 'State', 'State or province'),
	addressFields.field('Street', 'Street', 'Street and number'),
	addressFields.field('Street2', 'Street2', 'Second address line, such as the suite'),
	addressFields.field('Zip', 'Zip', 'Postal code'),
];

const addressField = defineField({
	displayName: 'Address',
	name: 'address',
	type: 'collection',
	placeholder: 'Add address field',
	default: {},
	description: 'Street address of the new unit',
	...NEW_UNIT_ONLY,
	options: getFormFields(addressMembers),
});

const unitInfo = buildField(
	'unitInfo',
	'json',
	'Other fields of the new unit, such as SerialNumber, TagId and CheckPhone',
	{ displayName: 'Unit Info (JSON)' },
);

const create = buildCommandOperation({
	value: 'create',
	action: 'Create space',
	description: 'Create a new space for a customer, with its unit',
	command: COMMAND,
	shown: [
		customer,
		unitKind,
		existingUnit,
		...getFormFields([...unitShown, ...shownForNewUnit, ...shown]),
		addressField,
	],
	added: [
		commandFields.field('EndDate', 'endDate', 'Last day on which the customer occupies the space'),
		commandFields.field('Instructions', 'instructions', 'Instructions for technicians'),
		commandFields.field('MoveInDate', 'moveInDate', 'Day on which the customer moves in', {
			displayName: 'Move-In Date',
		}),
		commandFields.field('MoveOutDate', 'moveOutDate', 'Day on which the customer moves out', {
			displayName: 'Move-Out Date',
		}),
		...getFormFields(unitAdded),
		unitInfo,
	],
	findZone: () => loadZone,
	buildBody: (context) => ({
		// The contract declares this ID as a string.
		CustomerId: String(readRecordId(context, customer)),
		...readShownMembers(context, shown),
		...readUnit(context),
	}),
});

function readUnit(form: ResolvingForm) {
	if (form.read(unitKind) === 'existing') {
		return { UnitId: readRecordId(form, existingUnit) };
	}
	return { ...readShownMembers(form, shownForNewUnit), NewUnitSpecifier: readNewUnit(form) };
}

function readNewUnit(form: ResolvingForm): ValuesOf<MemberName<'NewUnitSpecifier'>> {
	const street = readAddedMembers(form, form.read(addressField), addressMembers);
	const given = form.readAdded(additionalFields, unitInfo) ?? {};
	const reader = createValueReader(form);
	const read = readKnownJson(reader, form.getLabel(unitInfo), 'AssetInfo', given, 'unit');
	const info = toNewPart([{ type: 'Location' }], 'AssetInfo', read) ?? {};
	return {
		...readFieldMembers(form, { shown: unitShown, added: unitAdded }),
		...(Object.keys(street).length > 0
			? { StreetAddress: { ActorTypeId: 'CommLeaseSpace', ...street } }
			: {}),
		...(Object.keys(info).length > 0 ? { UnitInfo: info } : {}),
	};
}

export const space: Resource = {
	value: 'space',
	description: 'Spaces that customers occupy',
	operations: [
		create,
		...buildOperations(subjects.space, 'delete', 'get', 'getMany', 'restore', 'update'),
	],
};
