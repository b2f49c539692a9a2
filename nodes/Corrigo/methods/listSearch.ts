import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { commands } from '../catalogue/commands';
import { entities } from '../catalogue/entities';
import { pickerOfKind, type Picker } from '../catalogue/pickers';
import { kinds } from '../catalogue/views';
import { listOf } from '../form/references';
import { search, searchRecords } from './pickers';
import { propertySearches } from './properties';
import { valueSearches } from './values';

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

async function searchEntities(this: ILoadOptionsFunctions, filter?: string) {
	return found(entities, filter);
}

async function searchCommands(this: ILoadOptionsFunctions, filter?: string) {
	return found(commands, filter);
}

const searchOf = (picker: Picker) =>
	async function (this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
		return await search.call(this, picker, filter, paginationToken);
	};

export const listSearch = {
	...Object.fromEntries(kinds.map((kind) => [listOf(kind), searchOf(pickerOfKind(kind))])),
	...propertySearches,
	...valueSearches,
	searchCommands,
	searchEntities,
	searchRecords,
};
