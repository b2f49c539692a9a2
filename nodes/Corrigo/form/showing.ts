import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ValidationError, formatList, quote } from '../values/errors';
import type { JsonObject } from '../values/objects';

type Choice = INodePropertyOptions['value'];

/** What a field needs of another one, its control, in order to be shown. */
interface Demand {
	label: string;
	control: INodeProperties;
	controlLabel: string;
	fitting: Choice[];
	/** Fields that share a name, such as that of a record of several kinds, differ in what they mean. */
	isAmbiguous: boolean;
}

const listChoices = ({ type, options = [] }: INodeProperties): Choice[] =>
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

/** Several fields may share a name, and at most one of them is shown. */
function listDemands(fields: readonly INodeProperties[], name: string, path: string): Demand[] {
	const variants = fields.filter((one) => one.name === name);
	const isAmbiguous = new Set(variants.map(({ displayName }) => displayName)).size > 1;
	return fields.flatMap((control) => {
		if (control.type !== 'boolean' && control.type !== 'options') return [];
		const choices = listChoices(control);
		const fitting = choices.filter((one) =>
			variants.some((field) => allows(field, control.name, one)),
		);
		const decides = variants.some((one) =>
			choices.some((choice) => !allows(one, control.name, choice)),
		);
		if (!decides || (fitting.length === choices.length && !isAmbiguous)) return [];
		const [label, controlLabel] = [variants[0], control].map((one) => path + one.displayName);
		return [{ label, control, controlLabel, fitting, isAmbiguous }];
	});
}

function requireFitting({ label, controlLabel, fitting }: Demand, chosen: unknown): void {
	if (fitting.some((one) => one === chosen)) return;
	throw new ValidationError(
		`'${label}' has no effect while '${controlLabel}' is ${quote(chosen)}`,
		`Leave out '${label}', or choose for '${controlLabel}': ${formatList(fitting)}.`,
	);
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
): JsonObject {
	const complete = { ...given };
	const waiting = Object.keys(given);
	for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
		for (const demand of listDemands(fields, name, path)) {
			const { control, fitting } = demand;
			if (control.name in complete) {
				requireFitting(demand, complete[control.name]);
			} else if (fitting.length === 1) {
				[complete[control.name]] = fitting;
				waiting.push(control.name);
			} else {
				decideOther(demand);
			}
		}
	}
	return complete;
}

/** A fixed field may leave it to others which of several values shows it, unless these change what it means. */
export function requireOneMeaning({ label, controlLabel, isAmbiguous }: Demand): void {
	if (!isAmbiguous) return;
	throw new ValidationError(
		`'${label}' means something else with each value of '${controlLabel}'`,
		`Fix '${controlLabel}', too.`,
	);
}

/** A field that nobody has filled in has the value of a new node. */
export function requireDefault(demand: Demand): void {
	requireFitting(demand, demand.control.default);
}
