import fc from 'fast-check';

import { hideSecretsInText } from '../../nodes/Corrigo/values/secrets';

it.each([
	['{"Password": "hunter-2", "Id": 1}', '{"Password": (not shown), "Id": 1}'],
	['{"NewPassword":"a\\"b","x":2}', '{"NewPassword":(not shown),"x":2}'],
	['{"Password": "hunt', '{"Password": (not shown)'],
	['Client Secret = abc, Id = 5', 'Client Secret = (not shown), Id = 5'],
	[
		'{"PasswordHash": "abc", "Tokens": "x"}',
		'{"PasswordHash": (not shown), "Tokens": (not shown)}',
	],
	['{"MustResetPassword": true}', '{"MustResetPassword": true}'],
	['The password is needed', 'The password is needed'],
])('hides the values of secrets in %s', (text, shown) => {
	expect(hideSecretsInText(text)).toBe(shown);
});

it.each(['a', ' ', '\\', '"', '\\"', 'password', 'password: ', 'password:"\\', "password:'", ':'])(
	'takes no long time for many repetitions of %j',
	(part) => {
		const start = performance.now();
		hideSecretsInText(part.repeat(100_000));
		expect(performance.now() - start).toBeLessThan(5_000);
	},
);

it('hides a secret whatever its characters are', () => {
	fc.assert(
		fc.property(fc.string({ minLength: 1 }), fc.boolean(), (tail, isNested) => {
			const value = `SECRET${tail}SECRET`;
			const json = JSON.stringify({ Id: 1, Password: value });
			const text = isNested ? JSON.stringify(json) : json;
			expect(hideSecretsInText(text)).not.toContain('SECRET');
		}),
	);
});
