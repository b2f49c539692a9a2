import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { commands } from '../catalogue/commands';
import { entities } from '../catalogue/entities';

interface Named {
	name: string;
	label: string;
}

const found = (all: readonly Named[], filter = ''): INodeListSearchResult => {
	const wanted = filter.trim().toLowerCase();
	return {
		results: all
			.filter(({ name, label }) => `${label} ${name}`.toLowerCase().includes(wanted))
			.map(
				({ name, label }): INodeListSearchItems => ({
					name: label === name ? name : `${label} (${name})`,
					value: name,
				}),
			),
	};
};

export async function searchEntities(this: unknown, filter?: string) {
	return found(entities, filter);
}

export async function searchCommands(this: unknown, filter?: string) {
	return found(commands, filter);
}
