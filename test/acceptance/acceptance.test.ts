/** The acceptance tests that data connectors must pass, over all entities of the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import {
	entities,
	getEntity,
	getMemberTypes,
	getKeyProperties,
} from '../../nodes/Corrigo/catalogue/entities';
import { DEFAULT_TOKEN_URL, regions } from '../../nodes/Corrigo/catalogue/regions';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { cases } from '../cases';
import {
	byId,
	byName,
	connectEngine,
	jsonOf,
	openCompany,
	withShortPauses,
	type Company,
} from '../support/company';
import type { Engine } from '../support/engine';
import { fill } from './company';
import { watchNetwork } from './network';

let company: Company;
let trigger: Engine;
let network: ReturnType<typeof watchNetwork>;

beforeAll(async () => {
	network = watchNetwork();
	company = await openCompany({ workOrders: 20 });
	fill(company.sandbox);
	trigger = connectEngine(company.sandbox, { corrigoTrigger: CorrigoTrigger });
});

afterAll(async () => {
	network.stop();
	await company.close();
});

const names = entities.map(({ name }) => name);

/** Entities whose members no page of the service documents. */
const unpublished = entities.filter(({ fields }) => Object.keys(fields).length === 0);

/** Entities whose records need more than an Id as their key, which no trigger can follow. */
const shared = entities.filter(({ key }) => key !== undefined);

/** Entities for which the node does the same are of one kind: the first two of each are tried with all operations. */
const kinds = new Map<string, string[]>();
for (const { name, display, fields, key, lock, softDelete, refuses = {} } of entities) {
	const members = [display !== undefined, Object.keys(fields).length > 0];
	const kind = JSON.stringify([key, lock, softDelete, Object.keys(refuses), members]);
	kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
}
const examples = [...kinds.values()].flatMap((alike) => alike.slice(0, cases(2, alike.length)));

/** Returns all rows, read in several pages. */
const returnAll = async (entity: string) => {
	const advanced = { pageSize: Math.ceil(company.records.rows(entity).length / 3) };
	const options = { includeRemoved: true, advanced };
	const form = { entity: byName(entity), returnAll: true, options };
	return jsonOf((await company.n8n.succeed('record:getMany', form)).items);
};

/** Writes to another table between two reads, as another user would. */
const elsewhere = async (entity: string, text: string) => {
	const other = entity === 'Team' ? 'Portfolio' : 'Team';
	await company.n8n.succeed('record:update', {
		entity: byName(other),
		id: byId(1),
		fieldsJson: { DisplayAs: text },
	});
};

const isPublished = (entity: string) => !unpublished.some(({ name }) => name === entity);

const getColumns = async (entity: string) => {
	const parameters = { resource: 'record', operation: 'update', entity: byName(entity) };
	return (await company.n8n.engine.mappingColumns('getColumns', { parameters })).fields;
};

describe.each(names)('%s', (entity) => {
	let rows: IDataObject[];

	beforeAll(async () => {
		const form = { entity: byName(entity), returnAll: true, options: { includeRemoved: true } };
		rows = jsonOf((await company.n8n.succeed('record:getMany', form)).items);
	});

	it('has the keys and members of the catalogue, and no others', () => {
		expect(rows.length).toBe(company.sandbox.store.count(entity));
		const key = getKeyProperties(entity) ?? ['Id'];
		const keys = rows.map((row) => key.map((name) => row[name]));
		expect(keys.flat()).not.toContain(undefined);
		expect(new Set(keys.map(String)).size).toBe(rows.length);
		// Members that only requests have are left out, and collections, which are returned on request.
		const shown = Object.entries(getMemberTypes(entity)).flatMap(([name, type]) =>
			['PerformDeletion', 'IsNew'].includes(name) || type.endsWith('[]') ? [] : [name],
		);
		expect([...new Set(rows.flatMap(Object.keys))].sort()).toEqual(shown.sort());
	});

	it('is chosen from a list by what it is about, and written by columns with labels of their own', async () => {
		// All records that can be deleted have been.
		const operation = getEntity(entity)?.softDelete ? 'restore' : 'get';
		const { results } = await company.n8n.engine.listSearch('searchRecords', {
			parameters: { resource: 'record', operation, entity: byName(entity) },
		});
		const ids = rows.map(({ Id }) => String(Id));
		expect(results.length).toBeGreaterThan(0);
		for (const { name, value } of results) {
			expect(ids).toContain(value);
			if (isPublished(entity)) expect([`ID ${value}`, String(value)]).not.toContain(name);
		}
		const labels = (await getColumns(entity)).map(({ displayName }) => displayName);
		expect(new Set(labels).size).toBe(labels.length);
	});
});

describe.each(examples)('all operations on %s', (entity) => {
	let rows: IDataObject[];

	beforeAll(async () => {
		[rows] = await Promise.all([returnAll(entity), elsewhere(entity, 'one')]);
	});

	// Promise: Two *Get Many* in a row return the same
	it('return equal rows after writes to another table', async () => {
		const [again] = await Promise.all([returnAll(entity), elsewhere(entity, 'two')]);
		expect(rows.length).toBe(company.sandbox.store.count(entity));
		expect(again).toEqual(rows);
	});

	it('count the rows, and return one by its ID', async () => {
		const options = { includeRemoved: true };
		const [counted, got] = await Promise.all([
			company.n8n.run('record:getMany', { return: 'count', entity: byName(entity), options }),
			company.n8n.run('record:get', { entity: byName(entity), id: byId(rows[0].Id) }),
		]);
		expect(jsonOf(counted.items)).toEqual([{ Count: rows.length }]);
		expect(jsonOf(got.items)).toEqual([rows[0]]);
	});

	it('write by the columns, or are refused with advice', async () => {
		const { refuses, key = ['Id'] } = getEntity(entity) ?? {};
		// An ID does not say which of several rows to write.
		if (!key.includes('Id')) return;
		const [row] = rows;
		const fields = await getColumns(entity);
		const column = fields.find(({ id }) => !['', 0, undefined].includes(row[id] as string));
		const fieldsJson = JSON.stringify(column ? { [column.id]: row[column.id] } : { DisplayAs: '' });
		const form = { entity: byName(entity), id: byId(row.Id), fieldsJson };
		const { error, items } = await company.n8n.run('record:update', form);
		if (refuses?.update) expect(error?.description).toContain(refuses.update);
		else if (!isPublished(entity)) expect(error?.message).toContain('does not expose');
		else expect([column?.id, error, items[0]?.json.Id]).toEqual([column?.id, undefined, row.Id]);
	});

	it('return nothing at a second poll without changes, or explain why it cannot be polled', async () => {
		const parameters = { event: 'record', entity: byName(entity) };
		const activation = await trigger.poll('corrigoTrigger', { parameters });
		if (shared.some(({ name }) => name === entity)) {
			expect(activation.error?.message).toContain('changes cannot be told apart');
			return;
		}
		const { staticData } = activation;
		const second = await trigger.poll('corrigoTrigger', { parameters, staticData });
		for (const { error, items } of [activation, second]) {
			expect([error, items]).toEqual([undefined, null]);
		}
	});
});

it('only two entities lack an Id of their own, and only two have no published members', () => {
	expect(shared.map(({ name }) => name).sort()).toEqual(['Actor', 'AssetTree']);
	expect(unpublished.map(({ name }) => name).sort()).toEqual(['PmItem', 'PmSchedule']);
});

describe('secrets', () => {
	/** Names that sound like secrets but are none. */
	const HARMLESS: Record<string, string> = {
		tokenUrl: 'the address of the token server',
		issuedFor: 'a digest, from which no secret can be read',
	};

	const all = (fields: INodeProperties[]): INodeProperties[] =>
		fields.flatMap((field) => [
			field,
			...((field.options ?? []) as Array<INodeProperties | INodePropertyCollection>).flatMap(
				(inner) => ('values' in inner ? all(inner.values) : 'type' in inner ? all([inner]) : []),
			),
		]);

	// Promise: No form shows a secret. Nothing that n8n stores contains a secret or token
	it('are password fields in every form', () => {
		const forms = [
			new CorrigoApi().properties,
			new Corrigo().description.properties,
			new CorrigoTrigger().description.properties,
		].flatMap(all);
		const sounding = forms.filter(({ name, displayName }) =>
			/secret|token|passw|api.?key|credential|issued/i.test(`${name} ${displayName}`),
		);
		const unmarked = sounding.filter(({ typeOptions }) => typeOptions?.password !== true);
		const shown = 'fields to make password fields, unless HARMLESS says why they hold no secret';
		expect({ [shown]: unmarked.map(({ name }) => name).sort() }).toEqual({
			[shown]: Object.keys(HARMLESS).sort(),
		});
		expect(sounding.length).toBeGreaterThan(unmarked.length);
	});
});

describe('the network', () => {
	const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

	// Promise: Only the hosts of the credential are contacted
	it('is used only to reach the servers of the credential, in all tests of this file', async () => {
		await returnAll('Contact');
		const own = Object.values(company.sandbox.world.urls).map((url) => new URL(url).host);
		const strangers = [...network.hosts].filter((host) => !host.startsWith('127.0.0.1:'));
		expect(strangers).toEqual([]);
		expect([...network.hosts]).toEqual(expect.arrayContaining(own.slice(0, 3)));
	});

	it.each(Object.entries(regions))(
		'connections of region %s are those that the README names',
		async (region, { locatorUrl }) => {
			const before = new Set(network.hosts);
			const { tokenUrl } = company.sandbox.credentials;
			for (const own of [DEFAULT_TOKEN_URL, tokenUrl]) {
				const data = { locatorUrl: '', region, tokenUrl: own };
				const credentials = { ...company.sandbox.credentials, ...data };
				await withShortPauses(connectEngine({ credentials }, { corrigo: Corrigo }).testCredential);
			}
			const asked = [...network.hosts].filter((host) => !before.has(host) && !host.includes(':'));
			const wanted = [DEFAULT_TOKEN_URL, locatorUrl].map((url) => new URL(url).hostname);
			for (const host of wanted) expect(readme).toContain(`\`${host}\``);
			expect([...asked, new URL(DEFAULT_TOKEN_URL).hostname]).toEqual(
				expect.arrayContaining(wanted),
			);
			for (const host of asked) {
				expect(wanted).toContain(host);
				network.hosts.delete(host);
			}
		},
	);
});
