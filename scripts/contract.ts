/** The facts of the contract as constants, whose names the compiler can check in the code. */
import { inspect } from 'node:util';

import contract from '../contract/contract.json';

export const CONTRACT_MODULE = 'nodes/Corrigo/catalogue/contract.ts';

const toLiteral = (value: unknown) =>
	inspect(value, { breakLength: Infinity, compact: true, depth: null, maxArrayLength: null });

/** Each row has one line, so that a change of the contract changes one line. */
const toRows = (facts: object) =>
	Object.entries(facts).map(([name, row]) => `\t${toLiteral({ [name]: row }).slice(2, -2)},\n`);

const toConstant = ([name, facts]: [string, object]) =>
	Array.isArray(facts)
		? `\nexport const ${name} = ${toLiteral(facts)} as const;\n`
		: `\nexport const ${name} = {\n${toRows(facts).join('')}} as const;\n`;

export const contractModule = () =>
	'/** This is a generated file: `npx gulp generate` writes it from contract/contract.json. */\n' +
	Object.entries(contract).map(toConstant).join('');
