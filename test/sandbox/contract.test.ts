import contract from '../../contract/contract.json';
import { FOREIGN_KEYS } from '../../sandbox/schema/relations';
import { getError, listRows, sharedClient } from './client';

/** Creates, reads and queries every entity of the contract over HTTP, with all its members. */

interface Entity {
	key?: readonly string[];
	lock: boolean;
	softDelete: boolean;
	fields: Readonly<Record<string, string>>;
}

const all: ReadonlyArray<[string, Entity]> = Object.entries(contract.entities);
const enumerations: Readonly<Record<string, readonly string[]>> = contract.enumerations;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d\d)?$/;

/** Entities without a plain create: they have a command, or are read-only. */
const NOT_CREATABLE: ReadonlySet<string> = new Set([
	...['Actor', 'ApInvoiceStatus', 'Contract', 'Invoice', 'Space', 'TimeCard', 'WoActionLog'],
	...['WoLastAction', 'WoPriority', 'WorkOrder', 'WorkOrderCost', 'WorkZone'],
]);

/** Members whose sample values must fit other members, or must be unique. */
const SAMPLE_OVERRIDES: Readonly<Record<string, object>> = {
	AssetTree: { ParentId: 10_001 },
	CustomField2: { Descriptor: { Id: 701 }, ObjectId: 50_001, ObjectTypeId: 'WO' },
	WoItem: { SortOrderIdx: 99 },
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

const isOf: Readonly<Record<string, (value: unknown) => boolean>> = {
	string: (value) => typeof value === 'string',
	integer: Number.isInteger,
	number: Number.isFinite,
	boolean: (value) => typeof value === 'boolean',
	datetime: (value) => INSTANT.test(String(value)),
};

/** Members that every reference has. */
const listKeys = (type: string): readonly string[] => {
	if (type === 'Actor') return ['Id', 'TypeId'];
	return type in contract.entities ? ['Id'] : [];
};

function typeErrors(name: string, type: string, value: unknown): string[] {
	const wrong = [`${name} is no ${type}: ${JSON.stringify(value)}`];
	if (type in isOf) return isOf[type](value) ? [] : wrong;
	if (type in enumerations) return enumerations[type].includes(String(value)) ? [] : wrong;
	if (type.endsWith('[]')) {
		return Array.isArray(value)
			? value.flatMap((one, index) => typeErrors(`${name}[${index}]`, type.slice(0, -2), one))
			: wrong;
	}
	if (!isObject(value) || !listKeys(type).every((key) => key in value)) return wrong;
	return listMembers(type).flatMap(([inner, of]) =>
		inner in value ? typeErrors(`${name}.${inner}`, of, value[inner]) : [],
	);
}

/** Members of an entity or value object with their types, including members that every entity has. */
function listMembers(name: string): Array<[string, string]> {
	const entity = all.find(([known]) => known === name)?.[1];
	const values: Readonly<Record<string, Readonly<Record<string, string>>>> = contract.valueObjects;
	if (!entity) return Object.entries(values[name] ?? {});
	return [
		['Id', 'integer'],
		...Object.entries(entity.fields),
		...(entity.lock ? [['ConcurrencyId', 'integer'] as [string, string]] : []),
		...(entity.softDelete ? [['IsRemoved', 'boolean'] as [string, string]] : []),
	];
}

const isScalar = (type: string): boolean => type in isOf || type in enumerations;

/** Members that need a record of the first kind of actor. */
const REFERENCED_ENTITIES: Readonly<Record<string, string>> = { ActorId: 'Employee' };

const client = sharedClient({ workOrders: 5, customers: 3 });

const anyId = (entity: string): number => client.store.rows(entity)[0]?.Id ?? 1;

/** A value that fits the type and the existing records. */
function sample(name: string, type: string): unknown {
	if (type in enumerations) return enumerations[type][1];
	const target = REFERENCED_ENTITIES[name] ?? FOREIGN_KEYS[name];
	const scalars: Record<string, unknown> = {
		string: 'text',
		integer: target ? anyId(target) : 1,
		number: 1.5,
		boolean: true,
		datetime: '2026-01-31T12:00:00.1234567Z',
		MoneyValue: { CurrencyTypeId: 'USD', Value: 1.5 },
		Actor: { Id: 1, TypeId: 'Employee', DisplayAs: 'Somebody' },
	};
	return scalars[type] ?? { Id: anyId(type) };
}

const buildSample = (name: string, { fields }: Entity): Record<string, unknown> => ({
	...Object.fromEntries(
		Object.entries(fields).flatMap(([member, type]) =>
			type.endsWith('[]') ? [] : [[member, sample(member, type)]],
		),
	),
	...SAMPLE_OVERRIDES[name],
});

async function made(name: string, entity: Entity): Promise<number> {
	const members = buildSample(name, entity);
	const answer = await client.create(name, members);
	if (NOT_CREATABLE.has(name)) {
		expect(getError(answer)[0]).toBe(400);
		expect(['CUSTOM_COMMAND_ERROR', 'ERROR_CODE_1000']).toContain(getError(answer)[1]);
		return client.store.insert(name, members).Id;
	}
	expect(answer.data).toEqual({
		EntitySpecifier: {
			EntityType: name,
			Id: expect.any(Number) as number,
			...(entity.lock ? { ConcurrencyId: expect.any(Number) as number } : {}),
		},
	});
	return entity.key ? anyId(name) : Number(answer.data.EntitySpecifier.Id);
}

it.each(all)(
	'every member of %s is written, read and queried by its type',
	async (name, entity) => {
		const id = await made(name, entity);
		const { key = ['Id'] } = entity;
		const idMember = key.includes('Id') ? 'Id' : key[0];
		const shown = Number(client.store.existing(name, id)[idMember]);

		const one = await client.read(name, shown);
		const own = listMembers(name).filter(([, type]) => !type.endsWith('[]'));
		expect(Object.keys(one).filter((member) => !own.some(([known]) => known === member))).toEqual(
			[],
		);
		for (const common of ['ConcurrencyId', 'IsRemoved']) {
			expect([common, common in one]).toEqual([
				common,
				common === 'IsRemoved' ? entity.softDelete : entity.lock,
			]);
		}
		// A read leaves out empty references, never a scalar that was set.
		const [here, left] = [true, false].map((is) => own.filter(([member]) => member in one === is));
		expect(left.filter(([, type]) => isScalar(type))).toEqual([]);
		expect(here.flatMap(([member, type]) => typeErrors(member, type, one[member]))).toEqual([]);

		const paths = listMembers(name).map(([member, type]) =>
			isScalar(type) || type === 'MoneyValue' ? member : `${member}.*`,
		);
		const answer = await client.queryWhere(name, ['Id', 'Equal', shown], {
			PropertySet: { Properties: paths },
		});
		expect(answer.status).toBe(200);
		const [row] = listRows(answer);
		expect(row.Id).toBe(shown);
		const types = new Map(listMembers(name));
		expect(
			Object.entries(row).flatMap(([member, value]) =>
				typeErrors(`${name}.${member}`, types.get(member) ?? 'nothing it has', value),
			),
		).toEqual([]);

		const odd = await client.call('GET', `base/${name}/${shown}?properties=NoSuchMember`);
		expect(getError(odd)).toEqual([400, 'ERROR_CODE_1002']);
	},
);
