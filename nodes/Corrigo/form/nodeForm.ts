import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';

import { type LocatorValue, type JsonObject, isLocator } from '../values/objects';
import { hasExpression, isFromModel, omitEmptyColumns, refuseEmptyExpression } from './expressions';
import { normalizeModelInput, omitNothing } from './modelInput';

const listChoices = (value: unknown): LocatorValue[] => {
	if (isLocator(value)) return hasExpression(value) ? [] : [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(listChoices)
		: [];
};

const getChoiceKey = ({ value, cachedResultName }: LocatorValue) =>
	JSON.stringify([value, cachedResultName]);

/** The form of a node as it was filled in, with expressions that have a value for each item. */
export class NodeForm {
	/** Kept here because n8n copies the node for each access. */
	private readonly parameters: INodeParameters;
	private readonly asksModel: boolean;
	/** Values of fields that are equal for all items. */
	private readonly sharedValues = new Map<string, unknown>();
	private readonly choices: ReadonlySet<string>;

	constructor(
		private readonly caller: IExecuteFunctions,
		/** The fields of the operation. */
		private readonly fields: readonly INodeProperties[],
	) {
		this.parameters = caller.getNode().parameters;
		this.asksModel = /\$fromAI/i.test(JSON.stringify(this.parameters));
		this.choices = new Set(listChoices(this.parameters).map(getChoiceKey));
	}

	/** n8n evaluates and copies a field each time it is read, so a reader does it once. */
	createReader(item: number) {
		const own = new Map<string, unknown>();
		return (name: string, fallback?: unknown): unknown => {
			const known = this.sharedValues.has(name) ? this.sharedValues : own;
			if (known.has(name)) return known.get(name);
			const input: unknown = this.caller.getNodeParameter(name, item, fallback as string);
			const raw = this.parameters[name];
			const given = this.asksModel ? normalizeModelInput(name, raw, input) : input;
			refuseEmptyExpression(this.fields, this.parameters, name, given);
			const value = omitEmptyColumns(this.fields, this.parameters, name, given);
			(hasExpression(raw) ? own : this.sharedValues).set(name, value);
			return value;
		};
	}

	/**
	 * Returns the name that a list showed for the record chosen in it. n8n keeps that name after an
	 * expression replaces the choice, so only values chosen in the form have one.
	 */
	getShownName(input: unknown): string | undefined {
		const isChosen = isLocator(input) && this.choices.has(getChoiceKey(input));
		return isChosen && input.cachedResultName ? input.cachedResultName : undefined;
	}

	/** Leaves out empty members of JSON that a model has filled in. */
	omitModelNothing(name: string, json: JsonObject): JsonObject {
		return isFromModel(this.parameters[name]) ? (omitNothing(json) as JsonObject) : json;
	}
}
