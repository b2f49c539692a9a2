import { enumerationOptions } from '../../catalogue/enumerations';
import { memberLabel } from '../../catalogue/enumerations/labels';
import { STATUS_ACTIONS } from '../../catalogue/statusActions';
import type { Form } from '../../form/form';
import { ValidationError, type JsonObject } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import type { RecordNames } from '../../protocol/names';
import { oneOf } from '../../protocol/values';
import type { EventName, EventType } from '../events';
import type { Feed } from '../feed';
import { AUTHOR_MEMBERS, authorsIn, isBy } from './authors';
import { listOf } from './form';

export interface AttachedPlan {
	feed: Feed;
	/** Returns whether an employee whose changes are ignored made the change. */
	isIgnored: (row: JsonObject) => boolean;
}

/** Builds the plan for a feed of actions, notes or documents. */
export function attachedPlan(
	form: Form,
	context: RecordNames,
	name: EventName,
	event: EventType,
): AttachedPlan {
	const { entity = '', time, paths = [], author = '' } = event;
	const types = actionTypesOf(form, name, event);
	const authors = authorsIn(form, context);
	return {
		feed: {
			entity,
			time,
			properties: ['*', ...paths, ...AUTHOR_MEMBERS.map((member) => `${author}.${member}`)],
			...(types.length > 0 ? { criteria: and(isIn('TypeId', types)) } : {}),
		},
		isIgnored: (row) => isBy(authors, row[author]),
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
