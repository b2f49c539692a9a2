import { enumerationOptions } from '../../catalogue/enumerations';
import { memberLabel } from '../../catalogue/enumerations/labels';
import { STATUS_ACTIONS } from '../../catalogue/statusActions';
import type { Form } from '../../form/form';
import { ValidationError } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import { oneOf } from '../../protocol/values';
import type { EventName, EventType } from '../events';
import type { Feed } from '../feed';
import { listOf } from './form';

/** The feed of actions, notes or documents. */
export function attachedFeed(form: Form, name: EventName, event: EventType): Feed {
	const { entity = '', time, paths = [] } = event;
	const types = actionTypesOf(form, name, event);
	return {
		entity,
		time,
		properties: ['*', ...paths],
		...(types.length > 0 ? { criteria: and(isIn('TypeId', types)) } : {}),
	};
}

function actionTypesOf(form: Form, name: EventName, { actionTypes = [] }: EventType) {
	switch (name) {
		case 'workOrderAction': {
			const known = enumerationOptions('WOActionType').map(({ value }) => value);
			const label = (type: string) => memberLabel('WOActionType', type);
			return listOf(form, 'actionTypes').map((type) => oneOf('Actions', type, known, label));
		}
		case 'workOrderEnteredStatus': {
			const statuses = listOf(form, 'statuses');
			if (statuses.length === 0) throw new ValidationError("'Statuses' is empty");
			const known = Object.keys(STATUS_ACTIONS);
			const label = (status: string) => memberLabel('WorkOrderStatus', status);
			return statuses.flatMap((status) => STATUS_ACTIONS[oneOf('Statuses', status, known, label)]);
		}
		default:
			return actionTypes;
	}
}
