/** ServiceNow's Table API, as far as the example uses it: encoded queries, and the rules for a change. */
import { UserError, type IDataObject } from 'n8n-workflow';

const OPERATORS: Record<string, (value: string, wanted: string) => boolean> = {
	'=': (value, wanted) => value === wanted,
	IN: (value, wanted) => wanted.split(',').includes(value),
	// Every row was changed just now.
	RELATIVEGT: () => true,
};

/** The rows of a table that meet an encoded query. References are known by the names of their records. */
export const findRows = (rows: IDataObject[], query: string) =>
	query.split('^').reduce((found, clause) => {
		const [, column, operator, wanted] =
			/^([a-z_]+)(?:\.name)?(=|IN|RELATIVEGT)(.*)$/.exec(clause) ?? [];
		const meets = OPERATORS[operator];
		if (!meets) throw new UserError(`The stand-in for ServiceNow does not know "${clause}"`);
		return found.filter((row) => meets(String(row[column] ?? ''), wanted));
	}, rows);

/** Changes a row, unless a rule of incidents refuses that. */
export function changeRow(row: IDataObject, members: IDataObject) {
	const { state, close_code: code, close_notes: notes } = { ...row, ...members };
	if (state === '6' && !(code && notes)) {
		throw new UserError(
			'Data Policy Exception: Resolution code and Resolution notes are mandatory',
		);
	}
	return Object.assign(row, members);
}
