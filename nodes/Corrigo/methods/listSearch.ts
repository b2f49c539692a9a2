import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { commands } from '../catalogue/commands';
import { entities } from '../catalogue/entities';
import { getRecordPicker, type Picker } from '../catalogue/pickers';
import { recordTypes } from '../catalogue/views';
import { getListMethod } from '../form/references';
import { search, searchRecords } from './pickers';
import { toChoice, propertySearches } from './properties';
import { valueSearches } from './values';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

const buildCatalogueSearch = (all: ReadonlyArray<{ name: string; label: string }>): ListSearch =>
	async function (filter = '') {
		const wanted = filter.trim().toLowerCase();
		const found = all.filter(({ name, label }) =>
			`${label} ${name}`.toLowerCase().includes(wanted),
		);
		return { results: found.map(({ name, label }) => toChoice(label, name)) };
	};

const buildPickerSearch = (picker: Picker): ListSearch =>
	async function (filter, paginationToken) {
		return await search(this, picker, filter, paginationToken);
	};

export const listSearch = {
	...Object.fromEntries(
		recordTypes.map((kind) => [getListMethod(kind), buildPickerSearch(getRecordPicker(kind))]),
	),
	...propertySearches,
	...valueSearches,
	searchCommands: buildCatalogueSearch(commands),
	searchEntities: buildCatalogueSearch(entities),
	searchRecords,
};
