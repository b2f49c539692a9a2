import { ValidationError, quote } from '../../nodes/Corrigo/protocol/checks';

/** The message of the ValidationError; any other result fails the test. */
export function validationMessage(check: () => unknown): string {
	try {
		const passed = check();
		throw new Error(`${quote(passed)} passed`);
	} catch (error) {
		expect(error).toBeInstanceOf(ValidationError);
		return (error as ValidationError).message;
	}
}

export function expectRefused(check: () => unknown, field: string, shown: string) {
	const text = validationMessage(check);
	expect(text).toContain(`'${field}'`);
	expect(text).toContain(shown);
}
