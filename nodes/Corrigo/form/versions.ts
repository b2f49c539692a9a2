import type { INodeProperties } from 'n8n-workflow';

/**
 * n8n leaves out of a saved workflow what equals the default, so another default is another meaning:
 * nodes that were saved as version 1 keep theirs. Both versions stand in one form.
 */
export const VERSIONS = [1, 2];
export const NEWEST = 2;

/** The same field, in nodes of one version only. */
export const inVersion = (version: 1 | 2, field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { ...field.displayOptions?.show, '@version': [version] },
	},
});

/** Whether it is there for the sake of saved nodes alone. */
export const isOld = ({ displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.['@version']?.join() === '1';
