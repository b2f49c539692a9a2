/** The facts of the contract as constants, whose names the compiler can check in the code. */
import { inspect } from 'node:util';

import contract from '../contract/contract.json';

export const CONTRACT_MODULE = 'nodes/Corrigo/catalogue/contract.ts';

const toLiteral = (value: unknown) =>
	inspect(value, { breakLength: Infinity, compact: true, depth: null, maxArrayLength: null });

/** Each row has one line, so that a change of the contract changes one line. */
const toRows = (facts: object) =>
	Object.entries(facts).map(([name, row]) => `\t${toLiteral({ [name]: row }).slice(2, -2)},\n`);

/** Other modules of the catalogue add to these facts, and export the whole under the shorter name. */
const CONSTANTS: Readonly<Record<string, string>> = {
	entities: 'entityFacts',
	commands: 'commandFacts',
	timeZones: 'timeZoneNames',
	errorCodes: 'errorCodeNames',
};

const toConstant = ([name, facts]: [string, object]) =>
	`\nexport const ${CONSTANTS[name] ?? name} = ${
		Array.isArray(facts) ? toLiteral(facts) : `{\n${toRows(facts).join('')}}`
	} as const;\n`;

export const contractModule = () =>
	'/** This is a generated file: `npx gulp generate` writes it from contract/contract.json. */\n' +
	Object.entries(contract).map(toConstant).join('');
