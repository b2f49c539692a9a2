import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { commands } from '../catalogue/commands';
import { entities } from '../catalogue/entities';
import { pickerOfKind, type Picker } from '../catalogue/pickers';
import { kinds } from '../catalogue/views';
import { listOf } from '../form/references';
import { search, searchRecords } from './pickers';
import { labeled, propertySearches } from './properties';
import { valueSearches } from './values';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

const searchIn = (all: ReadonlyArray<{ name: string; label: string }>): ListSearch =>
	async function (filter = '') {
		const wanted = filter.trim().toLowerCase();
		const found = all.filter(({ name, label }) =>
			`${label} ${name}`.toLowerCase().includes(wanted),
		);
		return { results: found.map(({ name, label }) => labeled(label, name)) };
	};

const searchOf = (picker: Picker): ListSearch =>
	async function (filter, paginationToken) {
		return await search(this, picker, filter, paginationToken);
	};

export const listSearch = {
	...Object.fromEntries(kinds.map((kind) => [listOf(kind), searchOf(pickerOfKind(kind))])),
	...propertySearches,
	...valueSearches,
	searchCommands: searchIn(commands),
	searchEntities: searchIn(entities),
	searchRecords,
};
