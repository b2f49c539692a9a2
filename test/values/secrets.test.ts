import { quote } from '../../nodes/Corrigo/values/errors';
import { parseJson } from '../../nodes/Corrigo/values/json';
import { hideSecrets, listSecrets } from '../../nodes/Corrigo/values/secrets';
import { createRedactor } from '../../nodes/Corrigo/values/redaction';
import { isSecret } from '../../nodes/Corrigo/catalogue/members';
import { startCpuTime } from '../support/cpu';

it.each(
	[
		'Password',
		'NewPassword',
		'PasswordHash',
		'Old Password',
		'User.Password',
		'Pwd',
		'user_pwd',
	].concat(
		[
			'PIN',
			'UserPin',
			'PinCode',
			'Pin 2',
			'ApiKey',
			'api_key',
			'API-Key',
			'Secret',
			'ClientSecret',
		],
		['Tokens', 'access_token', 'PrivateKey', 'Passphrase', 'passwd', 'PASSCODE'],
		['PasswordNew', 'Password_New', 'PasswordRepeat', 'UserPasswordText', 'PwdNew', 'PINCode2'],
		['SecretAnswer', 'ApiKeyPrimary', 'AccessTokenV2', 'AccessCode', 'Gate Code', 'AlarmCode'],
		['AuthCode', 'SigningKey', 'EncryptionKey', 'Authorization', 'Credentials', 'Passkey', 'OTP'],
	),
)('%s is secret', (name) => {
	expect([name, name.toLowerCase(), name.toUpperCase()].map(isSecret)).toEqual([true, true, true]);
});

it.each([
	'MustResetPassword',
	'Must Reset Password',
	'ForcePasswordReset',
	'NoPwdExpirationAlert',
	'AuthorizationCode',
	'AuthorizationLimit',
	'DtPwdChange',
	'PwdExpiration',
	'Shipping',
	'Key',
])('%s is not secret', (name) => {
	expect(isSecret(name)).toBe(false);
});

it.each<[string, unknown, unknown]>([
	['a member', { Password: 'x-1', Id: 5 }, { Password: '(not shown)', Id: 5 }],
	['a list', { Tokens: ['x-1', 77] }, { Tokens: '(not shown)' }],
	['an object', { Secret: { Value: 'x-1' } }, { Secret: '(not shown)' }],
	[
		'a condition',
		{ PropertyName: 'User.Password', Operator: 'Equal', Values: ['x-1'] },
		{ PropertyName: 'User.Password', Operator: 'Equal', Values: '(not shown)' },
	],
	['a row', [{ Name: 'PIN', Value: 77 }], [{ Name: 'PIN', Value: '(not shown)' }]],
	[
		'a chosen field',
		{ property: { __rl: true, mode: 'id', value: 'Password' }, value: 'x-1' },
		{ property: { __rl: true, mode: 'id', value: 'Password' }, value: '(not shown)' },
	],
])('hides and lists the secret in %s', (_, value, shown) => {
	expect(hideSecrets(value)).toEqual(shown);
	expect(listSecrets(value)).not.toEqual([]);
	for (const secret of listSecrets(value)) expect(['x-1', '77']).toContain(secret);
	const texts = [JSON.stringify(value), JSON.stringify(JSON.stringify(value))];
	for (const text of texts) {
		expect(new Set(listSecrets({ Comment: text }))).toEqual(new Set(listSecrets(value)));
	}
});

it.each<[string, unknown]>([
	['a condition', { property: 'Id', operator: 'Equal', value: 'Secret' }],
	['a range', { property: 'Number', operator: 'Between', value: 'PIN', valueTo: 'Token' }],
	['criteria', { PropertyName: 'Id', Operator: 'In', Values: ['token', 'Password 5'] }],
	['a custom field', { Descriptor: { Id: 5 }, Value: 'Door code' }],
])('finds no secret where only the value of %s reads like the name of one', (_, value) => {
	expect(listSecrets(value)).toEqual([]);
	expect(hideSecrets(value)).toEqual(value);
});

it('hides both ends of a range of a secret', () => {
	const range = { property: 'PinCode', operator: 'Between', value: 'x-1', valueTo: 'x-2' };
	expect(listSecrets(range).sort()).toEqual(['x-1', 'x-2']);
});

it('lists links to files, but no choices, switches and empty values', () => {
	expect(listSecrets({ docUrl: 'https://x.test/1', DocUrl: 'none' })).toEqual(['https://x.test/1']);
	expect(
		listSecrets({
			Password: '',
			Token: null,
			Secret: true,
			Comment: 'Reset password',
			task: { __rl: true, mode: 'list', value: 5, cachedResultName: 'Reset password' },
		}),
	).toEqual([]);
});

it('reads values of any depth', () => {
	let deep: unknown = { Password: 'x-1' };
	for (let depth = 0; depth < 50_000; depth++) deep = [deep];
	expect(listSecrets(deep)).toEqual(['x-1']);
});

describe('a text that mentions a secret is not quoted', () => {
	it.each([
		'<Password>hunter</Password>',
		'password: hunter two',
		`"Password"${' '.repeat(200)}: "hunter"`,
		'user,pwd\nbob,hunter',
		'name="api-key" value="hunter"',
		JSON.stringify({ Value: 'hunter', Name: 'PIN' }),
	])('%s', (text) => {
		for (const value of [text, [text], { Comment: text }, `${'x'.repeat(90)}${text}`]) {
			expect(quote(value)).toMatch(/^\(\d+ characters, not shown\)$/);
		}
	});

	it.each(['Secret Garden Mall (North)', 'Token & Sons, 5th Ave.', 'Pin-up', 'Shipping: "x"'])(
		'but %s is',
		(name) => {
			expect(quote(name)).toBe(JSON.stringify(name));
		},
	);
});

it.each([
	['{"Id": hunter2}', 'Unexpected character in JSON near position 7'],
	[
		'{"Password": "x", "Status": hunter2, "Other": 5}',
		'Unexpected character in JSON near position 28',
	],
	['hunter2'.repeat(9), 'Unexpected character in JSON near position 0'],
	[`{"Password": "x", "Status": [hunter2`, 'Unexpected character in JSON near position 29'],
	[`{"Password": "hunter2`, 'Unterminated string in JSON at position 21'],
	[`{"Password": "hunter2" "Id": 1}`, /after property value in JSON at position 23/],
])('the fault in %j is named by its place', (text, reason) => {
	const message = (() => {
		try {
			return String(parseJson('Body', text));
		} catch (error) {
			return (error as Error).message;
		}
	})();
	expect(message).toMatch(reason);
	expect(message).not.toMatch(/hunt/);
});

it.each(['a', ' ', '\\', '"', 'password', 'password: ', 'api  ', 'must reset ', '[{', '%', '<'])(
	'takes no long time for a long text of %j',
	(part) => {
		const readCpuTime = startCpuTime();
		const text = part.repeat(2_000_000 / part.length);
		quote(text);
		listSecrets({ Comment: text, [text]: text, Value: text });
		expect(readCpuTime()).toBeLessThan(5);
	},
);

// Promise: No form shows a secret
it('of a link to a file, parts that open it are secret, too', () => {
	const link =
		'https://u:hunter-2-hunter@files.test/a/plan.pdf?se=2031-01-01&sig=Ab%2Fc1234%3D#frag-1234';
	const redact = createRedactor(listSecrets({ DocUrl: link }));
	const parts = ['sig=Ab%2Fc1234%3D', 'Ab/c1234=', 'files.test/a/plan.pdf?se=2031-01-01&sig=Ab%2F'];
	for (const part of [...parts, 'hunter-2-hunter', 'frag-1234', btoa(link)]) {
		expect(redact(`See ${part}`)).toMatch(/^See (sig=|files\.test)?\*\*\*/);
	}
	expect(redact('files.test has plan.pdf until 2031-01-01')).not.toContain('***');
});
