import { createFieldBuilder } from '../../operations/members';
import { buildCommandOperation, orderIdField } from '../../operations/write/command';
import { readRecordId } from '../../run/resolve';
import { ValidationError } from '../../values/errors';

const BETA = 'Beta: not tried in a live Company yet.';

const planning = createFieldBuilder('GeneratePmWoCommand');

/** Corrigo publishes nothing of a schedule but its Id. */
export const createPlanned = buildCommandOperation({
	value: 'createPlanned',
	action: 'Create planned work order',
	description: `Create the next work order of a schedule for preventive maintenance. ${BETA}`,
	command: 'GeneratePmWoCommand',
	shown: [
		planning.field('PmScheduleId', 'schedule', 'ID of the schedule in Corrigo', {
			displayName: 'Schedule ID',
			required: true,
			typeOptions: { minValue: 1 },
			default: 1,
		}),
	],
});

const dependency = createFieldBuilder('SetWorkOrderDependencyCommand');

const dependent = dependency.reference('DependentWorkOrderId', 'dependentWorkOrder', 'workOrder', {
	required: true,
	displayName: 'Dependent Work Order',
});

export const setDependency = buildCommandOperation({
	value: 'setDependency',
	action: 'Set dependency of work order',
	description: `Let another work order depend on a work order. ${BETA}`,
	command: 'SetWorkOrderDependencyCommand',
	shown: [dependent],
	buildBody: (context) => {
		const ids = [orderIdField, dependent.property].map((one) => readRecordId(context, one));
		if (ids[0] !== ids[1]) return {};
		const { displayName } = dependent.property;
		throw new ValidationError(`'${displayName}' is the work order itself`, 'Choose another one.');
	},
});
