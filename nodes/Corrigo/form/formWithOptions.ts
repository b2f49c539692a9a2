import { randomUUID } from 'node:crypto';

import { type JsonObject, isObject } from '../values/objects';
import { Form, parseInput } from './form';
import {
	advancedField,
	optionFields,
	optionsField,
	type OptionName,
	type OptionValue,
	type SwitchName,
} from './options';

/** The form of an operation. */
export class FormWithOptions extends Form {
	/** The form nests advanced options, which makes no difference to operations. */
	get options(): JsonObject {
		const { [advancedField.name]: advanced, ...everyday } = this.read(optionsField);
		return isObject(advanced) ? { ...everyday, ...advanced } : everyday;
	}

	/** Undefined if the option was not added. */
	option<Name extends OptionName>(name: Name): OptionValue<Name> | undefined {
		const { options } = this;
		if (!(name in options)) return undefined;
		return parseInput<(typeof optionFields)[Name]>(optionFields[name], options[name]);
	}

	/** The fallback applies if the option was not added. */
	isOn(name: SwitchName, fallback = false): boolean {
		return this.option(name) ?? fallback;
	}

	/** Identifies the call in Corrigo's log and in messages; generated if the user entered none. */
	getRequestId(): string {
		return String(this.options.requestId ?? '').trim() || randomUUID();
	}

	/** Maximum number of parallel requests. */
	getConcurrency(fallback: number): number {
		return parseInput(optionFields.parallelRequests, this.options.parallelRequests ?? fallback);
	}
}
