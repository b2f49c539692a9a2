/** The examples that the forms show, above all those in *Fields (JSON)*, pasted without changes. */
import { getMemberTypes } from '../../../nodes/Corrigo/catalogue/entities';
import { resources } from '../../../nodes/Corrigo/actions/resources';
import { subjects } from '../../../nodes/Corrigo/form/subjects';
import { triggerFields } from '../../../nodes/Corrigo/trigger/triggerForm';
import { byId, byName, shareCompany } from '../../support/company';

const { n8n, records, requests } = shareCompany();

const forms = resources.flatMap(({ value: resource, operations }) =>
	operations.flatMap(({ value: operation, fields }) => {
		const field = fields.find(({ name }) => name === 'fieldsJson');
		return field ? [{ resource, operation, shown: String(field.placeholder) }] : [];
	}),
);

it('every form with fields in JSON shows an example', () => {
	expect(forms).not.toHaveLength(0);
	const place = 'without an example (give the entity a row in catalogue/examples.ts)';
	expect({ [place]: forms.filter(({ shown }) => !shown.includes('":')) }).toEqual({ [place]: [] });
});

it.each(forms)(
	'the example works: $resource:$operation, $shown',
	async ({ resource, operation, shown }) => {
		const { entity = 'Contact' } = subjects[resource as keyof typeof subjects] as {
			entity?: string;
		};
		const [{ Id }] = records.rows(entity);
		const fieldsJson = shown.replace(/^e\.g\. /, '');
		const fields = JSON.parse(fieldsJson) as Record<string, unknown>;
		const run = await n8n.run(`${resource}:${operation}`, {
			...(resource === 'record' && { entity: byName(entity) }),
			...(operation === 'update' && { id: byId(Id) }),
			...(operation === 'upsert' && { matchOn: Object.keys(fields)[0] }),
			fieldsJson,
		});
		const place = 'refused (catalogue/examples.ts has what an example contains)';
		expect({ [place]: [run.error?.message, run.error?.description] }).toEqual({
			[place]: [undefined, undefined],
		});
		expect(run.hints).toEqual([]);

		const [{ json }] = run.items;
		expect(operation === 'update' ? json.Id === Id : Number(json.Id) > Id).toBe(true);
		const body = requests.sent().find(({ path }) => path.includes('/base/'))?.body;
		const nested = Object.entries(fields).map(([path, value]) => {
			const [name, member] = path.split('.');
			return [name, member === undefined ? value : { [member]: value }];
		});
		const sent = { ...Object.fromEntries(nested), ...(operation === 'update' && { Id }) } as object;
		expect(body).toMatchObject({ Entity: sent });
	},
);

const readExample = (fields: typeof triggerFields, label: string): string => {
	const field = fields.find(({ displayName }) => displayName === label);
	const mode = field?.modes?.find(({ name }) => name === 'name');
	return String(mode?.placeholder).replace(/^e\.g\. /, '');
};

it('the example of a date field is a date', () => {
	const example = readExample(triggerFields, 'Date Field');
	expect(getMemberTypes('WorkOrder')).toMatchObject({ [example]: 'datetime' });
});

it('the example of a meter keeps a history', async () => {
	const { operations = [] } = resources.find(({ value }) => value === 'asset') ?? {};
	const { fields = [] } = operations.find(({ value }) => value === 'getReadings') ?? {};
	const [{ AssetId }] = records.rows('AssetAttribute');
	await n8n.succeed('asset:getReadings', {
		id: byId(AssetId),
		attribute: byName(readExample(fields, 'Meter')),
	});
});
