import { defineRows } from '../../catalogue/targets';
import { ID_ONLY } from '../../form/subjects';
import { createFieldBuilder, readShownMembers } from '../../operations/members';
import { buildCommandOperation, orderIdField } from '../../operations/write/command';
import { requireFirstItem, type ResolvingForm, toItem, readRecordId } from '../../run/context';
import { ValidationError, formatNames } from '../../values/errors';
import { readPath } from '../../values/objects';

export const BETA = 'Beta: how Corrigo does this is not published in full.';

const planFields = createFieldBuilder('GeneratePmWoCommand');

/** Corrigo publishes nothing of a schedule but its Id. */
export const createPlanned = buildCommandOperation({
	value: 'createPlanned',
	action: 'Create planned work order',
	description: `Create the next work order of a schedule for preventive maintenance. ${BETA}`,
	command: 'GeneratePmWoCommand',
	shown: [
		planFields.field(
			'PmScheduleId',
			'schedule',
			'ID of the schedule in Corrigo. How Corrigo lists schedules is not published.',
			{
				displayName: 'Schedule',
				required: true,
				...ID_ONLY,
			},
		),
	],
	buildOutput: async (_, { CommandResult }, { PmScheduleId }) =>
		toItem({ PmScheduleId, ...CommandResult }),
});

const ITEMS = defineRows('WoItem', 'WorkOrderId', ['Asset.Id', 'Asset.Name']);

const chosenItems = createFieldBuilder('AddChildWorkOrderRoutine').references(
	'WoItemIds',
	'childItems',
	'asset',
	{ displayName: 'Items', description: 'Assets of the work order whose items go into the new one' },
);

/** A second child order would take the item from the first one. */
const requireFirstMove = (form: ResolvingForm, id: number): void =>
	requireFirstItem(
		form,
		`moves ${id}`,
		(first) =>
			new ValidationError(
				`'${chosenItems.property.displayName}': item ${first + 1} moves the item ${id} of the work order`,
				'Move each item once.',
			),
	);

export const createChild = buildCommandOperation({
	value: 'createChild',
	action: 'Create child work order',
	description: `Move items of a work order into a new one that belongs to it. ${BETA}`,
	command: 'AddChildWorkOrderRoutine',
	isOfOrder: true,
	shown: [chosenItems],
	buildBody: (context) => {
		const { resolver } = context.run;
		const rows = resolver.findRows(ITEMS, readRecordId(context, orderIdField));
		const { WoItemIds: assets } = readShownMembers(context, [chosenItems]);
		const ids = (assets as number[]).map(resolver.requireKnown).flatMap((asset) => {
			const found = rows.filter((row) => readPath(row, 'Asset.Id') === asset);
			if (found.length > 0) return found.map(({ Id }) => Number(Id));
			const names = formatNames(rows.map((row) => readPath(row, 'Asset.Name')));
			throw new ValidationError(
				`'${chosenItems.property.displayName}': the work order has no item with the asset ${asset}`,
				`Its assets: ${names || 'none'}.`,
			);
		});
		const WoItemIds = [...new Set(ids)];
		for (const id of WoItemIds) requireFirstMove(context, id);
		return { WoItemIds };
	},
});

const dependencyFields = createFieldBuilder('SetWorkOrderDependencyCommand');

const dependent = dependencyFields.reference(
	'DependentWorkOrderId',
	'dependentWorkOrder',
	'workOrder',
	{
		required: true,
		displayName: 'Dependent Work Order',
		description: 'Work order that depends on the one above',
	},
);

export const setDependency = buildCommandOperation({
	value: 'setDependency',
	action: 'Set dependency of work order',
	description: `Make one work order depend on another. ${BETA}`,
	command: 'SetWorkOrderDependencyCommand',
	output: () => ({ Id: 1, DependentWorkOrderId: 1 }),
	shown: [dependent],
	buildBody: (context) => {
		const ids = [orderIdField, dependent.property].map((one) => readRecordId(context, one));
		if (ids[0] !== ids[1]) return {};
		const { displayName } = dependent.property;
		throw new ValidationError(`'${displayName}' is the work order itself`, 'Choose another one.');
	},
	buildOutput: async (_, { CommandResult }, { MainWorkOrderId, DependentWorkOrderId }) =>
		toItem({ Id: MainWorkOrderId, DependentWorkOrderId, ...CommandResult }),
});
