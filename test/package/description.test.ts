/**
 * n8n's own rules for forms. The linter reads literals only, and functions build most of these forms,
 * so the rules are tested on the built package.
 */
import { readFileSync } from 'node:fs';
import type { INodeProperties, INodePropertyMode, INodePropertyOptions } from 'n8n-workflow';
import {
	createSourceFile,
	forEachChild,
	isStringLiteralLike,
	isTemplateExpression,
	ScriptTarget,
	type Node,
} from 'typescript';

import { commands } from '../../nodes/Corrigo/catalogue/commands';
import { entities } from '../../nodes/Corrigo/catalogue/entities';
import { credentials, nodes, parameters, sources, type FormParameter } from './built';

const forms = [
	...nodes.map(({ description, methods }) => ({
		name: description.name,
		properties: description.properties,
		methods,
	})),
	...credentials.map(({ name, properties }) => ({ name, properties, methods: undefined })),
];

const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

const MINOR = /^(a|an|and|as|at|by|for|from|if|in|of|on|or|the|to|with)$/;
const SILENT = /^(is|it|its|that|their|this|whether|enter|)$/;
/** The words of a text that say something. */
const wordsOf = (text: string) =>
	text
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => !MINOR.test(word) && !SILENT.test(word));

/** At its default width the panel cuts titles of 35 characters. */
const MAX_TITLE_LENGTH = 31;

/** How a parameter of a form can break a rule. */
const RULES: Record<string, (property: INodeProperties) => unknown> = {
	// The display name of a notice is its text.
	'writes field names in title case': ({ type, displayName }) =>
		type !== 'notice' &&
		displayName
			.split(/[\s(]+/)
			.some((word, index) => /^[a-z]/.test(word) && (index === 0 || !MINOR.test(word))),
	'says more in a description than the field name does': ({ displayName, description = '' }) => {
		const label = wordsOf(displayName);
		const words = wordsOf(description);
		return words.length > 0 && words.every((word) => label.includes(word));
	},
	'describes every field, or each of its choices': (property) => {
		const { name, type, description, hint } = property;
		const choices = choicesOf(property);
		return !(
			['resource', 'operation'].includes(name) ||
			['collection', 'notice'].includes(type) ||
			description ||
			hint ||
			(choices.length > 0 && choices.every((choice) => choice.description))
		);
	},
	'keeps field names short enough for the panel of the editor': ({ type, displayName }) =>
		type !== 'notice' && displayName.length > MAX_TITLE_LENGTH,
	'starts the description of every switch with "Whether"': ({ type, description }) =>
		type === 'boolean' && !description?.startsWith('Whether '),
	'gives every parameter a default of its type, or none yet': ({
		type,
		default: value,
		options = [],
		...property
	}) => {
		switch (type) {
			case 'boolean':
			case 'string':
				return typeof value !== type;
			case 'number':
				return value !== '' && typeof value !== type;
			case 'options':
				return value !== '' && !options.some((one) => 'value' in one && one.value === value);
			case 'multiOptions':
				return !Array.isArray(value);
			case 'collection':
			case 'fixedCollection':
				return typeof value !== 'object';
			case 'resourceLocator': {
				const { mode } = value as { mode: string };
				return !property.modes?.some(({ name }) => name === mode);
			}
			default:
				return value === undefined;
		}
	},
	'sorts lists of five or more choices or options, and puts Advanced last': (property) => {
		const { type, options = [] } = property;
		const names =
			type === 'collection'
				? (options as INodeProperties[]).map(({ displayName }) => displayName)
				: choicesOf(property).map(({ name }) => name);
		const place = (title: string) => (title === 'Advanced' ? 1 : 0);
		const sorted = [...names].sort((a, b) => place(a) - place(b) || a.localeCompare(b, 'en'));
		return names.length >= 5 && names.join() !== sorted.join();
	},
	'omits articles in the names of actions': (property) =>
		choicesOf(property).some(({ action = '' }) => /\b(a|an|the|its)\b/i.test(action)),
	'has no duplicate choices': (property) => {
		const choices = choicesOf(property);
		return (
			new Set(choices.map(({ name }) => name)).size < choices.length ||
			new Set(choices.map(({ value }) => value)).size < choices.length
		);
	},
	'starts placeholders as n8n requires': ({ type, placeholder }) => {
		const start = type === 'collection' || type === 'fixedCollection' ? 'Add ' : 'e.g. ';
		return placeholder?.startsWith(start) === false;
	},
};

describe.each(forms)('the form of $name', ({ properties, methods }) => {
	const visible = [...parameters(properties)].filter(({ property }) => property.type !== 'hidden');
	const check = (broken: (property: INodeProperties, place: FormParameter) => unknown) => {
		const offenders = visible.filter((place) => broken(place.property, place));
		expect(offenders.map(({ path }) => path)).toEqual([]);
	};

	const texts = visible.flatMap(({ path, property }) => [
		{ path, text: property.description },
		...choicesOf(property).flatMap(({ name, description, action }) => [
			{ path: `${path} = ${name}`, text: description },
			{ path: `${path} = ${name} (action)`, text: action },
		]),
		...(property.modes ?? []).map(({ name, hint }) => ({ path: `${path} by ${name}`, text: hint })),
	]);
	const presentTexts = texts.flatMap(({ path, text }) => (text ? [{ path, text }] : []));
	const checkTexts = (broken: (text: string) => unknown) =>
		expect(presentTexts.filter(({ text }) => broken(text))).toEqual([]);

	it.each(Object.entries(RULES))('%s', (_, broken) => check(broken));

	it('writes ID, URL and JSON in capitals', () => {
		const miscased = /(^|[\s("'])(Id|id|Url|url|Json|json)([\s).,:;"']|$)/;
		check(({ displayName }) => miscased.test(displayName));
		checkTexts((text) => miscased.test(text));
	});

	it('starts texts with a capital letter, and ends them with a period only if they have several sentences', () => {
		checkTexts((text) => !/^[A-Z*"']/.test(text));
		checkTexts((text) => {
			const several = /[.!?] [A-Z*]/.test(text);
			return several !== text.endsWith('.') && !text.includes('<a ');
		});
	});

	it('has no stray spaces, backticks or words of failure in its texts', () => {
		checkTexts((text) => text !== text.trim() || /\s{2}|`/.test(text));
		checkTexts((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text));
	});

	// A rule of n8n's linter: a longer hint breaks the layout of the form.
	it('has no hint of more than 120 characters', () => {
		check(({ hint = '' }) => hint.length > 120);
	});

	it('puts other fields in single quotes where a text names them', () => {
		const titles = visible.flatMap(({ property: { type, displayName } }) =>
			type !== 'notice' && displayName.includes(' ') ? [displayName] : [],
		);
		const texts = [
			...presentTexts,
			...visible.flatMap(({ path, property }) => [
				{ path, text: property.hint ?? '' },
				{ path, text: property.type === 'notice' ? property.displayName : '' },
			]),
		];
		const bare = texts.flatMap(({ path, text }) => {
			const unquoted = text.replace(/(^|[\s(])'[^']+'/g, '');
			return titles.some((title) => unquoted.includes(title)) || /\*[A-Z]/.test(text) ? [path] : [];
		});
		expect(bare).toEqual([]);
	});

	it('names no command, entity or address of the API', () => {
		const names = [...commands, ...entities].map(({ name }) => name);
		const ofApi = names.filter((name) => /[a-z][A-Z]/.test(name));
		const apiName = new RegExp(`\\b(GET|POST|PUT|DELETE) /|\\b(${ofApi.join('|')})\\b`);
		checkTexts((text) => apiName.test(text));
	});

	it('uses the standard texts of n8n for Return All and Limit', () => {
		const standard: Record<string, object> = {
			returnAll: {
				displayName: 'Return All',
				type: 'boolean',
				default: false,
				description: 'Whether to return all results or only up to a given limit',
			},
			limit: {
				displayName: 'Limit',
				type: 'number',
				default: 50,
				typeOptions: { minValue: 1 },
				description: 'Max number of results to return',
			},
		};
		const found = visible.filter(({ property }) => property.name in standard);
		for (const { property } of found) expect(property).toMatchObject(standard[property.name]);
		const limits = found.filter(({ property }) => property.name === 'limit');
		expect(found).toHaveLength(2 * limits.length);
	});

	it('refers only to existing parameters and values in its display conditions', () => {
		check(({ displayOptions }, { siblings }) => {
			const conditions = { ...displayOptions?.show, ...displayOptions?.hide };
			return Object.entries(conditions).some(([name, values]) => {
				const [, slash, wanted] = /^(\/?)(.*)$/.exec(name) ?? [];
				const [first, ...inner] = wanted.split('.');
				const others = inner.reduce(
					(outer, own) =>
						outer.flatMap(({ options = [] }) =>
							(options as INodeProperties[]).filter((one) => one.name === own),
						),
					(slash === '/' ? properties : [...siblings, ...properties]).filter(
						(one) => one.name === first,
					),
				);
				const choices = others.flatMap(choicesOf).map(({ value }) => value);
				return (
					others.length === 0 ||
					(choices.length > 0 &&
						(values as unknown[]).some(
							(value) => typeof value !== 'object' && !choices.includes(value as string),
						))
				);
			});
		});
	});

	it('refers only to existing methods for lists, options and columns', () => {
		const named = visible.flatMap(({ path, property }) => [
			...(property.modes ?? []).map((mode: INodePropertyMode) => ({
				path,
				kind: 'listSearch' as const,
				method: mode.typeOptions?.searchListMethod,
			})),
			{ path, kind: 'loadOptions' as const, method: property.typeOptions?.loadOptionsMethod },
			{
				path,
				kind: 'resourceMapping' as const,
				method: property.typeOptions?.resourceMapper?.resourceMapperMethod,
			},
		]);
		const missing = named.filter(
			({ kind, method }) => method !== undefined && methods?.[kind]?.[method] === undefined,
		);
		expect(missing).toEqual([]);
	});

	it('shows no two parameters of the same name at once', () => {
		const seen = new Set<string>();
		const twice = properties.filter(({ name, displayOptions }) => {
			const key = JSON.stringify([name, displayOptions]);
			return seen.size === seen.add(key).size;
		});
		expect(twice.map(({ name }) => name)).toEqual([]);
	});
});

it('a new node reads unless its resource cannot', () => {
	const [{ properties }] = forms;
	const menus = properties.filter(({ name }) => name === 'operation');
	const starts = menus.filter(({ default: start }) => start !== 'getMany');
	expect(starts.flatMap(({ displayOptions }) => displayOptions?.show?.resource)).toEqual([
		'command',
		'company',
	]);
});

/** n8n's words, and the ones that its linter wants for an upsert. */
const CRUD_WORDS: Record<string, RegExp> = {
	create: /^Create a new /,
	delete: /^Delete an? /,
	get: /^Retrieve an? |^Retrieve the /,
	getMany: /^Retrieve a list of /,
	update: /^Update an? |^Update the /,
	upsert: /^Create a new .*, or update the .* \(upsert\)/,
};

it('describes what every node of n8n can do in the words of n8n', () => {
	const operations = forms[0].properties.filter(({ name }) => name === 'operation');
	const inOtherWords = operations
		.flatMap(choicesOf)
		.filter(
			({ value, description = '' }) => CRUD_WORDS[String(value)]?.test(description) === false,
		);
	expect(inOtherWords).toEqual([]);
});

it('names the fields of files as n8n does', () => {
	const places = forms.flatMap(({ properties }) => [...parameters(properties)]);
	const ofFiles = places.filter(({ property }) => property.name.startsWith('binaryPropertyName'));
	const labels = new Set(ofFiles.map(({ property }) => property.displayName));
	expect([...labels].sort()).toEqual([
		'Input Data Field Name',
		'Input Data Field Names',
		'Output Data Field Name',
	]);
});

it.each(forms)(
	'the form of $name has Search By above all fields that it controls',
	({ properties }) => {
		const names = properties.map(({ name }) => name);
		const controlled = ['filters', 'match', 'conditions', 'criteriaJson'].filter((one) =>
			names.includes(one),
		);
		expect(names.lastIndexOf('searchBy')).toBeLessThan(
			Math.min(Infinity, ...controlled.map((one) => names.indexOf(one))),
		);
	},
);

it('sorts in a collection below the options', () => {
	const { properties } = forms[0];
	const options = properties.map(({ name }) => name).lastIndexOf('options');
	expect(properties[options + 1]).toMatchObject({ name: 'sort', type: 'fixedCollection' });
	expect(properties.filter(({ name }) => name === 'sort')).toHaveLength(1);
});

/** Texts in the sources that have several words: descriptions, notices and messages of errors. */
function* readSentences(): Generator<string> {
	for (const file of sources.filter((one) => one.endsWith('.ts'))) {
		const source = createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest);
		const visit = function* (node: Node): Generator<string> {
			const children: Node[] = [];
			forEachChild(node, (child) => void children.push(child));
			if (isStringLiteralLike(node) || isTemplateExpression(node)) {
				const text = isStringLiteralLike(node) ? node.text : node.getText(source);
				if (/\w \w/.test(text)) yield text;
			}
			for (const child of children) yield* visit(child);
		};
		yield* visit(source);
	}
}

it('no message or text says "error", "problem", "failure" or "mistake"', () => {
	const words = /(?<![\w$.{('])(error|problem|failure|mistake)s?(?![\w.)}'])/i;
	expect([...readSentences()].filter((text) => words.test(text))).toEqual([]);
});

it('only a trigger says what triggers the workflow', () => {
	const actions = nodes.filter(({ description }) => !description.group.includes('trigger'));
	expect(JSON.stringify(actions).match(/triggers? the workflow/g)).toBeNull();
});

it('each event is in the node panel by its own name, in which only abbreviations are capitalized', () => {
	const events = nodes
		.flatMap(({ description }) => description.properties)
		.filter(({ displayName }) => displayName === 'Trigger On')
		.flatMap(choicesOf);
	expect(events.length).toBeGreaterThan(0);
	for (const { name, action = '' } of events) {
		expect(action).toMatch(/^On [^A-Z]*([A-Z]{2}[^A-Z]*)?$/);
		expect(action.toLowerCase()).toBe(`on ${name.toLowerCase()}`);
	}
});

it('the form of each node, which n8n sends to every editor, is smaller than 260 KB (see CONTRIBUTING)', () => {
	const sizes = nodes.map(({ description }) => JSON.stringify(description).length);
	expect(Math.max(...sizes)).toBeLessThan(260_000);
});

describe.each(nodes.map(({ description }) => description))('the node $name', (description) => {
	const resource = description.properties.find(({ name }) => name === 'resource');
	const operations = description.properties.filter(({ name }) => name === 'operation');

	it('is usable as a tool unless it is a trigger', () => {
		expect(description.usableAsTool).toBe(description.group.includes('trigger') ? undefined : true);
	});

	if (resource === undefined) return;

	it('allows no expression for resource and operation', () => {
		for (const { noDataExpression } of [resource, ...operations])
			expect(noDataExpression).toBe(true);
	});

	it('has operations for every resource, each with an action and a description', () => {
		const resources = choicesOf(resource).map(({ value }) => value);
		const shown = operations.flatMap(({ displayOptions }) => displayOptions?.show?.resource);
		expect(shown).toEqual(resources);
		for (const operation of operations) {
			for (const { name, value, action, description: text } of choicesOf(operation)) {
				expect({ name, action, text }).toEqual({
					name: expect.stringMatching(/^[A-Z]/) as unknown,
					action: expect.stringMatching(/^[A-Z][a-z]+ [^A-Z]*([A-Z]{2}[^A-Z]*)?$/) as unknown,
					text: expect.any(String) as unknown,
				});
				if (value === 'getMany') {
					expect({ name, action }).toEqual({
						name: 'Get Many',
						action: expect.stringMatching(/^Get many /) as unknown,
					});
				}
			}
		}
	});
});

it('n8n tells users of the webhook trigger, and of no other node, what to do with its URLs', () => {
	const texts = nodes.map(({ description }) => {
		const { name, eventTriggerDescription, activationMessage, triggerPanel } = description;
		return { name, eventTriggerDescription, activationMessage, triggerPanel };
	});
	const naming = (url: string) => expect.stringContaining(url) as unknown;
	expect(texts).toEqual([
		{ name: 'corrigo' },
		{ name: 'corrigoDesk' },
		{ name: 'corrigoTrigger' },
		{
			name: 'corrigoWebhookTrigger',
			eventTriggerDescription: naming('Test URL'),
			activationMessage: naming('Production URL'),
			triggerPanel: {
				header: 'Receive an event from Corrigo',
				executionsHelp: { inactive: naming('Test URL'), active: naming('Production URL') },
				activationHint: naming('the URL'),
			},
		},
	]);
});

it.each(nodes.filter(({ description }) => description.group.includes('trigger')))(
	'the name of the trigger $description.name ends in "Trigger"',
	({ description: { displayName, defaults } }) => {
		for (const name of [displayName, defaults.name]) expect(name).toMatch(/ Trigger$/);
	},
);
