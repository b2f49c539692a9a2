import { ValidationError, quote } from '../../nodes/Corrigo/protocol/checks';

/** The text of the refusal; anything else that is thrown, or nothing, fails the test. */
export function refusal(check: () => unknown): string {
	try {
		const passed = check();
		throw new Error(`${quote(passed)} passed`);
	} catch (error) {
		expect(error).toBeInstanceOf(ValidationError);
		return (error as ValidationError).message;
	}
}

export function expectRefused(check: () => unknown, field: string, shown: string) {
	const text = refusal(check);
	expect(text).toContain(`'${field}'`);
	expect(text).toContain(shown);
}
