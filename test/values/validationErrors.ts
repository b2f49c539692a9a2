import { ValidationError, quote } from '../../nodes/Corrigo/values/errors';

/** The ValidationError; any other result fails the test. */
export function validationError(check: () => unknown): ValidationError {
	try {
		const passed = check();
		throw new Error(`${quote(passed)} passed`);
	} catch (error) {
		expect(error).toBeInstanceOf(ValidationError);
		return error as ValidationError;
	}
}

export const validationMessage = (check: () => unknown): string => validationError(check).message;

export function expectRefused(check: () => unknown, field: string, shown: string) {
	const text = validationMessage(check);
	expect(text).toContain(`'${field}'`);
	expect(text).toContain(shown);
}
