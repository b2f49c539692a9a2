/** Words that a native speaker would stumble over, in forms and messages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const root = join(__dirname, '..', '..');

const FORBIDDEN = [
	/\btold of\b/,
	/\bhand(s|ed|ing)? out\b/,
	/\bcalled so\b/,
	/\b(made|makes|make) (out|up)\b/,
	/\bseldom\b/,
	/\bat the books\b/,
	/\bstands? in\b/,
	/\bso many\b/,
	/\b(go|goes|going) by\b/,
	/\bput off\b/,
	/\busual\b/,
	/\bbeside\b/,
	/\bnothing fits\b/,
	/\bwithout complaint\b/,
	/\bin place of\b/,
	/\bwhoever\b/,
	/\bwhat people call\b/,
	// One spelling
	/\be-mail/,
	/\blabour\b/,
	/\bauthoris/,
	/\brecognis/,
];

/** Every text in the code of the package, with its place. */
function* texts(): Generator<{ place: string; text: string }> {
	for (const folder of ['nodes', 'credentials']) {
		const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
		for (const file of files.filter((name) => name.endsWith('.ts'))) {
			const path = join(folder, file);
			const source = ts.createSourceFile(
				path,
				readFileSync(join(root, path), 'utf8'),
				ts.ScriptTarget.Latest,
			);
			const found: Array<{ place: string; text: string }> = [];
			const visit = (node: ts.Node): void => {
				if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
					const { line } = source.getLineAndCharacterOfPosition(node.pos);
					found.push({ place: `${path}:${line + 1}`, text: node.text });
				}
				ts.forEachChild(node, visit);
			};
			visit(source);
			yield* found;
		}
	}
}

it('forms and messages have no words that the style forbids', () => {
	const all = [...texts()];
	expect(all.length).toBeGreaterThan(1000);
	const offenders = all.filter(({ text }) =>
		FORBIDDEN.some((word) => word.test(text.toLowerCase())),
	);
	expect(offenders).toEqual([]);
});
