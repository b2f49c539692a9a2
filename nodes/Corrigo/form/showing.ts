import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	NodeHelpers,
} from 'n8n-workflow';

import { ValidationError, formatList, quote } from '../values/errors';
import type { JsonObject } from '../values/objects';

type Choice = INodePropertyOptions['value'];

/** A given field needs this of another one, its control, in order to be shown. */
interface Demand {
	given: Given;
	control: INodeProperties;
	controlLabel: string;
	fitting: Choice[];
	/** Fields that share a name, such as that of a record of several kinds, differ in what they mean. */
	isAmbiguous: boolean;
}

/** A field that somebody has filled in. */
interface Given {
	name: string;
	label: string;
	/** The author of the workflow has filled it in, and a model reads what is wrong. */
	isFixed: boolean;
}

const listControlValues = ({ type, options = [] }: INodeProperties): Choice[] =>
	type === 'boolean'
		? [false, true]
		: (options as INodePropertyOptions[]).map(({ value }) => value);

const allows = (
	{ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties,
	name: string,
	choice: Choice,
): boolean =>
	(show[name] as unknown[] | undefined)?.includes(choice) !== false &&
	(hide[name] as unknown[] | undefined)?.includes(choice) !== true;

const isShown = (field: INodeProperties, form: JsonObject): boolean =>
	NodeHelpers.displayParameter(form as INodeParameters, field, null, null);

/** Several fields may share a name, and at most one of them is shown. */
export const listVariants = (fields: readonly INodeProperties[], name: string): INodeProperties[] =>
	fields.filter((one) => one.name === name);

export function findField(
	fields: readonly INodeProperties[],
	name: string,
	form: JsonObject,
): INodeProperties | undefined {
	const variants = listVariants(fields, name);
	return variants.find((one) => isShown(one, form)) ?? variants[0];
}

/** A field that is shown and that nobody has filled in has the value of a new node. */
export const addDefaults = (fields: readonly INodeProperties[], given: JsonObject): JsonObject =>
	fields.reduce(
		(form, field) =>
			field.name in form || !isPlain(field.default) || !isShown(field, form)
				? form
				: { ...form, [field.name]: field.default },
		given,
	);

const isPlain = (initial: INodeProperties['default']): boolean =>
	typeof initial === 'string' ? /^[^=]/.test(initial) : typeof initial !== 'object';

function listDemands(
	fields: readonly INodeProperties[],
	name: string,
	given: Given,
	path: string,
): Demand[] {
	const variants = listVariants(fields, name);
	const isAmbiguous = new Set(variants.map(({ displayName }) => displayName)).size > 1;
	return fields.flatMap((control) => {
		if (control.type !== 'boolean' && control.type !== 'options') return [];
		const choices = listControlValues(control);
		const fitting = choices.filter((one) =>
			variants.some((field) => allows(field, control.name, one)),
		);
		const decides = variants.some((one) =>
			choices.some((choice) => !allows(one, control.name, choice)),
		);
		if (!decides || (fitting.length === choices.length && !isAmbiguous)) return [];
		return [{ given, control, controlLabel: path + control.displayName, fitting, isAmbiguous }];
	});
}

/**
 * The control has its value by itself, or because of another given field. Whoever reads the error has
 * filled in what is not fixed, so it names nothing else.
 */
function requireFitting(
	{ given, control, controlLabel, fitting }: Demand,
	chosen: unknown,
	other?: Given,
): void {
	if (fitting.some((one) => one === chosen)) return;
	const isChoice = other === undefined || (other.name === control.name && !other.isFixed);
	const choice = `for '${controlLabel}': ${formatList(fitting)}.`;
	if (given.isFixed) {
		const label = other?.label ?? controlLabel;
		throw isChoice
			? new ValidationError(
					`'${label}' must not be ${quote(chosen)} next to a fixed field`,
					`Choose ${choice}`,
				)
			: new ValidationError(
					`'${label}' would take the effect of a fixed field`,
					`Leave out '${label}'.`,
				);
	}
	const { label } = given;
	if (isChoice) {
		throw new ValidationError(
			`'${label}' has no effect while '${controlLabel}' is ${quote(chosen)}`,
			`Leave out '${label}', or choose ${choice}`,
		);
	}
	const reason = other.isFixed ? 'a fixed field' : `'${other.label}'`;
	throw new ValidationError(`'${label}' has no effect next to ${reason}`, `Leave out '${label}'.`);
}

/**
 * Adds to the given fields those that show them, where only one of their values does. What a given
 * field can never do next to the others is refused.
 */
export function addControls(
	fields: readonly INodeProperties[],
	given: JsonObject,
	path: string,
	decideOther: (demand: Demand) => void,
	fixed: JsonObject = {},
): JsonObject {
	const complete = { ...given };
	const getLabel = (name: string) =>
		path + (fields.find((one) => one.name === name)?.displayName ?? name);
	/** The given field that each field follows from. */
	const causes = new Map(
		Object.keys(given).map((name): [string, Given] => [
			name,
			{ name, label: getLabel(name), isFixed: name in fixed },
		]),
	);
	/** Several values meet these, and a field that comes later may have decided on another one. */
	const open: Demand[] = [];
	for (const [name, cause] of causes) {
		for (const demand of listDemands(fields, name, cause, path)) {
			const { control, fitting } = demand;
			if (control.name in complete) {
				requireFitting(demand, complete[control.name], causes.get(control.name));
			} else if (fitting.length === 1) {
				[complete[control.name]] = fitting;
				causes.set(control.name, cause);
			} else {
				open.push(demand);
			}
		}
	}
	for (const demand of open) {
		const { name } = demand.control;
		if (name in complete) requireFitting(demand, complete[name], causes.get(name));
		else decideOther(demand);
	}
	return complete;
}

/** A fixed field may leave it to others which of several values shows it, unless these change what it means. */
export function requireOneMeaning({ given: { label }, controlLabel, isAmbiguous }: Demand): void {
	if (!isAmbiguous) return;
	throw new ValidationError(
		`'${label}' means something else with each value of '${controlLabel}'`,
		`Fix '${controlLabel}', too.`,
	);
}

/** The control has the value of a new node. */
export function requireDefault(demand: Demand): void {
	requireFitting(demand, demand.control.default);
}
