import { isObject } from './objects';

export interface LocatorValue {
	mode: string;
	value: unknown;
	/** Text that the list showed for the chosen value. */
	cachedResultName?: string;
}

/** n8n leaves out its mark `__rl` in a new field that a language model fills in. */
export const isLocator = (input: unknown): input is LocatorValue =>
	isObject(input) && typeof input.mode === 'string' && 'value' in input;

/** Fields other than resource locators hold their value directly. */
export const unwrapLocator = (input: unknown): unknown => (isLocator(input) ? input.value : input);
