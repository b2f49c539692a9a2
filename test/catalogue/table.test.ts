import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../nodes/Corrigo');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);

const INHERITED = ['constructor', 'toString', 'valueOf', '__proto__', 'isPrototypeOf'];

/** An unknown name of the same form. */
const toUnknown = (name: string) => name.replace(/o/g, 'q').replace(/O/g, 'Q');

type Ask = (...names: string[]) => unknown;

function describeAnswer(ask: Ask, names: string[]): string {
	try {
		const answer = JSON.stringify(ask(...names), (_, one: unknown) =>
			typeof one === 'function' ? `function ${one.name}` : one,
		);
		return (answer ?? 'nothing').replace(/q/g, 'o').replace(/Q/g, 'O');
	} catch {
		return 'refused';
	}
}

const ways: ReadonlyArray<(name: string) => string[]> = [
	(name) => [name, name],
	(name) => ['WorkOrder', name],
	(name) => [name, 'WorkOrder'],
	(name) => ['WorkOrder', `Customer.${name}`],
];

const modules = files.filter((file) => /^(catalogue|columns)\/|typedTexts/.test(file));

it.each(modules)('%s takes a name that every object has for an unknown one', (file) => {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a list of all modules would miss the next one
	const exported = Object.entries(require(join(ROOT, file)) as Record<string, unknown>);
	for (const [name, ask] of exported.filter(([, one]) => typeof one === 'function')) {
		for (const build of ways) {
			for (const inherited of INHERITED) {
				const [answer, expected] = [inherited, toUnknown(inherited)].map((one) =>
					describeAnswer(ask as Ask, build(one)),
				);
				expect([name, inherited, answer]).toEqual([name, inherited, expected]);
			}
		}
	}
});

it('every table inherits nothing', () => {
	const others = files.flatMap((file) =>
		[
			...readFileSync(join(ROOT, file), 'utf8').matchAll(
				/^(?:export )?const (\w+): [^=]*Record<string,/gm,
			),
		].map(([, name]) => `${file}: ${name}`),
	);
	// n8n takes its methods from a plain object.
	expect(others).toEqual(['methods/listSearch.ts: listSearch']);
});
