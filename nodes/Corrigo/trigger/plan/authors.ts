import { findActorEntity } from '../../catalogue/members';
import { type Target, getRecordTarget } from '../../catalogue/targets';
import type { Form } from '../../form/form';

import { isObject, ValidationError } from '../../values/checks';
import type { RecordNames } from '../../values/names';

/** The changes of this employee are ignored. */
export interface Author {
	id: number;
	name: string;
}

/** The author of a change is read with these members. */
export const AUTHOR_MEMBERS = ['Id', 'TypeId', 'DisplayAs'] as const;

const LABEL = 'Ignore Changes By';
const employeeById: Target = {
	entity: 'Employee',
	by: ['Id'],
	read: ['DisplayAs'],
	includeRemoved: true,
};

export const readAuthors = (form: Form, { resolveId, findRows }: RecordNames): Author[] =>
	form.rows('ignoreChangesBy').map(({ employee }) => {
		const id = resolveId(LABEL, employee, getRecordTarget('employee'));
		const [found] = findRows(employeeById, id);
		if (found !== undefined) return { id, name: String(found.DisplayAs) };
		throw new ValidationError(
			`'${LABEL}': no employee has the ID ${id}`,
			"Choose an employee from the list. The operation 'Check Access' of the Corrigo node names the users of the API.",
		);
	});

/**
 * Returns whether one of the employees made the change. IDs are unique only within one type of
 * record, and the log may show the API user as the system, so the name must match if the type
 * differs.
 */
export const isIgnoredAuthor = (authors: readonly Author[], made: unknown): boolean =>
	isObject(made) &&
	authors.some(
		({ id, name }) =>
			made.Id === id &&
			(findActorEntity(String(made.TypeId)) === 'Employee' || made.DisplayAs === name),
	);
