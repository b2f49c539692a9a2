import { listEnumerationOptions } from '../../catalogue/enumerations';
import { getMemberLabel } from '../../catalogue/enumerations/labels';
import { STATUS_ACTIONS } from '../../catalogue/statusActions';
import type { Form } from '../../form/form';
import { ValidationError, type JsonObject, parseChoice } from '../../values/checks';
import type { RecordNames } from '../../values/names';
import { and, isIn } from '../../wire/criteria';
import type { EventName, EventType } from '../events';
import type { Feed } from '../feed/feed';
import { AUTHOR_MEMBERS, readAuthors, isIgnoredAuthor } from './authors';
import { readList } from './form';

export interface AttachedPlan {
	feed: Feed;
	/** Returns whether an employee whose changes are ignored made the change. */
	isIgnored: (row: JsonObject) => boolean;
}

/** Builds the plan for a feed of actions, notes or documents. */
export function buildAttachedPlan(
	form: Form,
	context: RecordNames,
	name: EventName,
	event: EventType,
): AttachedPlan {
	const { entity = '', time, paths = [], author = '' } = event;
	const types = readActionTypes(form, name, event);
	const authors = readAuthors(form, context);
	return {
		feed: {
			entity,
			time,
			properties: ['*', ...paths, ...AUTHOR_MEMBERS.map((member) => `${author}.${member}`)],
			...(types.length > 0 ? { criteria: and(isIn('TypeId', types)) } : {}),
		},
		isIgnored: (row) => isIgnoredAuthor(authors, row[author]),
	};
}

function readActionTypes(form: Form, name: EventName, { actionTypes = [] }: EventType) {
	switch (name) {
		case 'workOrderAction': {
			const known = listEnumerationOptions('WOActionType').map(({ value }) => value);
			const getLabel = (type: string) => getMemberLabel('WOActionType', type);
			return readList(form, 'actionTypes').map((type) =>
				parseChoice('Actions', type, known, getLabel),
			);
		}
		case 'workOrderEnteredStatus': {
			const statuses = readList(form, 'statuses');
			if (statuses.length === 0) throw new ValidationError("'Statuses' is empty");
			const known = Object.keys(STATUS_ACTIONS);
			const getLabel = (status: string) => getMemberLabel('WorkOrderStatus', status);
			return statuses.flatMap(
				(status) => STATUS_ACTIONS[parseChoice('Statuses', status, known, getLabel)],
			);
		}
		default:
			return actionTypes;
	}
}
