import { entityOfType } from '../../catalogue/actors';
import type { Target } from '../../catalogue/targets';
import type { Form } from '../../form/form';
import { targetOfKind } from '../../form/references';
import { isObject, ValidationError } from '../../protocol/checks';
import type { RecordNames } from '../../protocol/names';

/** An employee whose changes are left out. */
export interface Author {
	id: number;
	name: string;
}

/** The members that are read of an author of a change. */
export const AUTHOR_MEMBERS = ['Id', 'TypeId', 'DisplayAs'] as const;

const LABEL = 'Ignore Changes By';
const employeeById: Target = {
	entity: 'Employee',
	by: ['Id'],
	read: ['DisplayAs'],
	includeRemoved: true,
};

export const authorsIn = (form: Form, { idOf, rowsOf }: RecordNames): Author[] =>
	form.rows('ignoreChangesBy').map(({ employee }) => {
		const id = idOf(LABEL, employee, targetOfKind('employee'));
		const [found] = rowsOf(employeeById, id);
		if (found !== undefined) return { id, name: String(found.DisplayAs) };
		throw new ValidationError(
			`'${LABEL}': no employee has the ID ${id}`,
			"Choose an employee from the list. The operation 'Check Access' of the Corrigo node names the users of the API.",
		);
	});

/**
 * Whether one of the employees made a change. IDs are unique only among records of one kind, and the log
 * may show the user of the API as the system, so with another kind the name must be the same as well.
 */
export const isBy = (authors: readonly Author[], made: unknown): boolean =>
	isObject(made) &&
	authors.some(
		({ id, name }) =>
			made.Id === id &&
			(entityOfType(String(made.TypeId)) === 'Employee' || made.DisplayAs === name),
	);
