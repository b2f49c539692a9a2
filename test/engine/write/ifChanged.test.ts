/** The option If Changed: a record that somebody else has changed is not overwritten. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { cases } from '../../cases';
import {
	byId,
	byName,
	jsonOf,
	shareCompany,
	some,
	rejection,
	errorsOf,
	filledIn,
} from '../../support/company';

const company = shareCompany({ workOrders: 10 });
const { n8n, records, requests } = company;

type Rule = 'overwrite' | 'fail' | 'skip';
type More = Parameters<typeof n8n.run>[2];

/** Each item has a record as it was read, and the PO number or Dba to write. */
const VERSION = '={{ $json.ConcurrencyId }}';
const buildOptions = (ifChanged: Rule, more: object) => ({
	ifChanged,
	expectedVersion: VERSION,
	...more,
});

const asItems = (jsons: object[]) => jsons.map((json) => ({ json: json as IDataObject }));

const update = async (
	ifChanged: Rule,
	jsons: object[],
	options: object = {},
	more: More = { onError: 'continueErrorOutput' },
) =>
	await n8n.run(
		'workOrder:update',
		{
			id: byId('={{ $json.Id }}'),
			fieldsJson: '={{ ({ ...$json.pasted, PoNumber: $json.wanted }) }}',
			options: buildOptions(ifChanged, options),
		},
		{ items: asItems(jsons), ...more },
	);

const read = (index = 0) => {
	const { Id, ConcurrencyId } = records.rows('WorkOrder')[index];
	return { Id, ConcurrencyId, wanted: 'mine' };
};

describe('an update', () => {
	it('of a record that somebody has changed fails, and says what it holds now', async () => {
		const [one, other] = [read(), { ...read(1), Before: { PoNumber: 'old', Duration: 1 } }];
		for (const { Id } of [one, other]) records.change('WorkOrder', Id, { PoNumber: 'theirs' });
		const run = await update('fail', [one, other, read(2)]);
		const error = ({ Id, ConcurrencyId }: typeof one) =>
			`Changed since it was read: work order ${String(records.get('WorkOrder', Id)?.Number)}, to version ${Number(ConcurrencyId) + 1} from ${ConcurrencyId}. Nothing was written`;
		const advice = 'Read the record again, and decide by what it holds.';
		expect(run.errorItems.map(({ json }) => [json.error, json.message])).toEqual([
			[error(one), `Now 'PO Number' is "theirs". ${advice}`],
			[error(other), `Now 'PO Number' is "theirs" (it was "old"). ${advice}`],
		]);
		expect(jsonOf(run.items)).toEqual([some({ Id: read(2).Id })]);
		expect(requests.paths()).toEqual(['POST query/WorkOrder', 'PUT base/WorkOrder']);
	});

	it('of a record that somebody has changed is skipped, and says what it holds now', async () => {
		const item = read();
		const { ConcurrencyId, Id } = records.change('WorkOrder', item.Id, { PoNumber: 'theirs' });
		const run = await update('skip', [item, { ...item, Before: { PoNumber: 'old' } }]);
		const skipped = {
			Id,
			ConcurrencyId,
			Outcome: 'skipped',
			Now: { PoNumber: 'theirs' },
		};
		expect(jsonOf(run.items)).toEqual([
			skipped,
			{ ...skipped, ChangedSince: { PoNumber: { From: 'old', To: 'theirs' } } },
		]);
		expect(requests.writes()).toEqual([]);
	});

	it.each(['ConcurrencyId', 'concurrencyid'])(
		'without the option has the version in Fields (JSON) once, as Corrigo spells it: %s',
		async (name) => {
			const fieldsJson = { [name]: 3, PoNumber: 'mine' } as IDataObject;
			await n8n.run('workOrder:update', { id: byId(read().Id), fieldsJson });
			expect(requests.bodies().map(({ Entity }) => Entity)).toEqual([
				{ Id: read().Id, ConcurrencyId: 3, PoNumber: 'mine' },
			]);
		},
	);

	it.each([
		[1, false],
		[4, false],
		[1, true],
	])(
		'does not take what this run has written for a change, %i at a time, with a host that compares versions: %s',
		async (parallelRequests, imposeConcurrencyId) => {
			company.sandbox.set({ imposeConcurrencyId });
			const item = read();
			const items = ['a', 'b', 'c'].map((wanted) => ({ ...item, wanted }));
			const run = await update('fail', items, { advanced: { parallelRequests } });
			expect(run.errorItems).toEqual([]);
			expect(records.rows('WorkOrder')[0]).toMatchObject({ PoNumber: 'c' });
		},
	);

	it('sees a change by somebody else between two items of one run', async () => {
		const item = read();
		const running = update('skip', [item, { ...read(1), wanted: 'x' }, item]);
		await company.sandbox.waitFor(
			({ method, body }) => method === 'PUT' && JSON.stringify(body).includes('"x"'),
		);
		records.change('WorkOrder', item.Id, { PoNumber: 'theirs' });
		const { items } = await running;
		expect(jsonOf(items)[2]).toMatchObject({ Outcome: 'skipped', Now: { PoNumber: 'theirs' } });
	});

	it('says in a dry run that it would leave the record as it is', async () => {
		const item = read();
		const { Number: number } = records.change('WorkOrder', item.Id, { PoNumber: 'theirs' });
		const run = await update('skip', [item], { dryRun: 'always' });
		expect(jsonOf(run.items)).toEqual([
			some({
				Outcome: 'skipped',
				Summary: `Would leave work order ${String(number)} as it is, as it was changed since it was read`,
			}),
		]);
	});

	it('writes nothing where the version may not be read', async () => {
		requests.fault(rejection('/query/', { ErrorCode: '', ErrorMessage: 'You may not' }));
		const run = await update('skip', [read()]);
		expect(errorsOf(run)).toEqual([
			"'If Changed' compares versions, but work order records may not be read",
		]);
		expect(requests.writes()).toEqual([]);
	});

	it.each([
		['', "'Expected Concurrency ID' is empty: its expression gives nothing"],
		[undefined, "'Expected Concurrency ID' is empty: its expression gives nothing"],
		['five', `'Expected Concurrency ID' must be a whole number, 0 or more, but it is "five"`],
		[1.5, `'Expected Concurrency ID' must be a whole number, 0 or more, but it is "1.5"`],
		[-1, `'Expected Concurrency ID' must be a whole number, 0 or more, but it is "-1"`],
	])('is refused before anything is sent if the version is %j', async (version, message) => {
		const items = [read(1), { ...read(), ConcurrencyId: version }];
		expect(await n8n.refusal(update('skip', items, {}, {}))).toBe(`${message} [item 1]`);
	});

	it('is refused for records without a version', async () => {
		const parameters = {
			entity: byName('Location'),
			id: byId(records.rows('Location')[0].Id),
			fieldsJson: { Name: 'x' },
			options: { ifChanged: 'fail', expectedVersion: 1 },
		};
		const { message } = await n8n.refuse('record:update', parameters);
		expect(message).toBe("'If Changed' compares versions, but asset records have none");
	});
});

describe('custom fields that are records of their own', () => {
	const space = (rule: Rule) => {
		const field = `CustomFields.${records.addField('CommLeaseSpace', 'Floor')}`;
		const [{ Id, ConcurrencyId }] = records.rows('Space');
		const fields = filledIn({ Instructions: 'mine', [field]: 'mine' });
		const options = { ifChanged: rule, expectedVersion: ConcurrencyId };
		return n8n.run('space:update', { id: byId(Id), fields, options });
	};

	// Promise: *If Changed* overwrites no change of others
	it.each<Rule>(['fail', 'skip'])(
		'are refused before anything is written, as their changes raise no version: %s',
		async (rule) => {
			const { error } = await space(rule);
			expect(error?.message).toBe(
				"'If Changed' compares versions, which do not show who changed custom fields of space records",
			);
			expect(requests.writes()).toEqual([]);
		},
	);

	it.each(['space:update', 'asset:create', 'asset:upsert'])(
		'are refused in JSON, as Corrigo would ignore them: %s',
		async (operation) => {
			const CustomFields = [{ Descriptor: { Id: 711 }, Value: 'mine' }];
			const { message } = await n8n.refuse(operation, {
				id: byId(records.rows('Space')[0].Id),
				matchOn: 'Name',
				fieldsJson: { Name: 'x', CustomFields },
			});
			expect(message).toMatch(
				/^'Fields \(JSON\)' has CustomFields, which are not part of (space|asset) records$/,
			);
		},
	);
});

// Promise: *If Changed* overwrites no change of others
it('of many records, exactly those are written that nobody else has changed', async () => {
	const version = fc.constantFrom('', 'ConcurrencyId', 'concurrencyid');
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
			fc.constantFrom<Rule[]>('fail', 'skip'),
			version,
			async (others, rule, name) => {
				company.fresh();
				const pasted = name === '' ? {} : { [name]: 1 };
				const items = others.map((_, index) => ({ ...read(index), pasted }));
				others.forEach((isChanged, index) => {
					if (isChanged)
						records.change('WorkOrder', items[index].Id, { PoNumber: `theirs ${index}` });
				});
				const run = await update(rule, items);
				const orders = records.rows('WorkOrder').slice(0, others.length);
				expect(orders.map(({ PoNumber }) => PoNumber)).toEqual(
					others.map((isChanged, index) => (isChanged ? `theirs ${index}` : 'mine')),
				);
				const mine = items.filter((_, index) => !others[index]);
				expect(requests.bodies()).toEqual(
					mine.map(({ Id, ConcurrencyId }) =>
						some({
							Properties: ['PoNumber'],
							Entity: { Id, PoNumber: 'mine', ConcurrencyId },
						}),
					),
				);
				const left = others.filter(Boolean).length;
				const skipped = jsonOf(run.items).filter(({ Outcome }) => Outcome === 'skipped');
				const expected = rule === 'fail' ? [left, 0] : [0, left];
				expect([run.errorItems.length, skipped.length]).toEqual(expected);
				expect(requests.sent()).toHaveLength(1 + others.length - left);
			},
		),
		{ numRuns: cases(6, 50) },
	);
});

describe('where the host compares versions', () => {
	beforeEach(() => company.sandbox.set({ imposeConcurrencyId: true }));

	// Promise: *If Changed* overwrites no change of others
	it.each<Rule>(['fail', 'skip'])(
		'a change between the read and the write counts: %s',
		async (rule) => {
			const [first, second] = [read(), read(1)];
			const running = update(rule, [first, second]);
			await company.sandbox.waitFor(({ method }) => method === 'PUT');
			records.change('WorkOrder', second.Id, { PoNumber: 'theirs' });
			const run = await running;
			expect(records.rows('WorkOrder')[1]).toMatchObject({ PoNumber: 'theirs' });
			if (rule === 'fail') {
				expect(run.errorItems[0].json.error).toMatch(/^Changed since it was read: /);
			} else {
				expect(jsonOf(run.items)[1]).toMatchObject({
					Outcome: 'skipped',
					Now: { PoNumber: 'theirs' },
				});
			}
		},
	);

	it('a pasted record overwrites where that is chosen, whatever version it had', async () => {
		const { Id, ConcurrencyId } = records.change('WorkOrder', read().Id, { PoNumber: 'theirs' });
		const pasted = { ConcurrencyId: Number(ConcurrencyId) - 1 };
		const { errorItems } = await update('overwrite', [{ ...read(), pasted }]);
		expect(errorItems).toEqual([]);
		expect(records.get('WorkOrder', Id)).toMatchObject({ PoNumber: 'mine' });
	});
});

describe('an upsert', () => {
	const upsert = async (ifChanged: Rule, jsons: object[], options: object = {}) =>
		await n8n.run(
			'customer:upsert',
			{
				matchOn: 'TenantCode',
				fieldsJson: '={{ $json.fields }}',
				options: buildOptions(ifChanged, options),
			},
			{ items: asItems(jsons), onError: 'continueErrorOutput' },
		);
	const customer = (Dba: string) => {
		const { TenantCode, ConcurrencyId, Id } = records.rows('Customer')[0];
		return { Id, ConcurrencyId, fields: { TenantCode, Dba } };
	};
	const fresh = (Dba = 'new') => ({ fields: records.newCustomer(Dba) });

	it('skips a record that somebody has changed, unless there is nothing to write', async () => {
		const item = customer('mine');
		records.change('Customer', item.Id, { Dba: 'theirs' });
		const run = await upsert('skip', [item, customer('mine'), customer('theirs')]);
		expect(jsonOf(run.items)).toEqual([
			some({ Outcome: 'skipped', Now: { Dba: 'theirs' } }),
			some({ Outcome: 'updated', Changed: ['Dba'] }),
			some({ Outcome: 'updated' }),
		]);
		const again = await upsert('skip', [{ ...item, fields: customer('theirs').fields }]);
		expect(jsonOf(again.items)).toEqual([some({ Outcome: 'unchanged' })]);
	});

	it('fails for a record that somebody has changed, and for one that is gone', async () => {
		const item = customer('mine');
		records.change('Customer', item.Id, { Dba: 'theirs' });
		const gone = { ...fresh(), ConcurrencyId: 3 };
		const run = await upsert('fail', [item, gone]);
		expect(errorsOf(run)).toEqual([
			expect.stringMatching(/^Changed since it was read: /),
			'There is no customer with TenantCode "N-9"',
		]);
		expect(jsonOf((await upsert('skip', [gone])).items)).toEqual([some({ Outcome: 'missing' })]);
		expect(requests.writes()).toEqual([]);
	});

	it('creates a record that was not known, and changes it later in the run', async () => {
		const run = await upsert('fail', [fresh(), fresh('changed')]);
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items).map(({ Outcome }) => Outcome)).toEqual(['created', 'updated']);
	});

	it('does not change a record that is there against what was known', async () => {
		const { fields } = customer('mine');
		const run = await upsert('skip', [{ fields }]);
		expect(jsonOf(run.items)).toEqual([some({ Outcome: 'skipped' })]);
		expect(errorsOf(await upsert('fail', [{ fields }]))).toEqual([
			`'Expected Concurrency ID' is empty, but there is customer "${String(records.rows('Customer')[0].DisplayAs)}". Nothing was written`,
		]);
	});
});
