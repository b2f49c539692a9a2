/** What a language model that builds workflows reads about the node. */
import { patterns, typeDefContent } from '../../../nodes/Corrigo/actions/patterns';
import type { Row } from '../../../sandbox';
import { getId, jsonOf, shareCompany } from '../../support/company';

const { n8n, records } = shareCompany({ workOrders: 520 });

it.each(patterns)('the pattern to $title works', async ({ input, parameters }) => {
	const [{ Number: number }] = records.rows('WorkOrder');
	const { Id: site } = records.find('Customer', { DisplayAs: 'Contoso Pharmacy' });
	const { Id } = records.rows('WorkOrder').find(({ Customer }) => getId(Customer) === site) as Row;
	records.change('WorkOrder', Id, { StatusId: 'Open', Priority: { Id: 1 } });
	const json = 'number' in input ? { ...input, number: String(number) } : input;

	const run = await n8n.engine.run({ parameters, items: [{ json }] });

	expect(run.error).toBeUndefined();
	expect(jsonOf(run.items)).not.toEqual([]);
});

it('the pattern that lists emergencies lists the open ones of the site, and no others', async () => {
	const [{ input, parameters }] = patterns.filter(({ title }) => title.includes('emergencies'));
	const { Id: site } = records.find('Customer', { DisplayAs: 'Contoso Pharmacy' });
	const isOfSite = ({ Customer }: Row) => getId(Customer) === site;
	const other = records.rows('WorkOrder').find((row) => !isOfSite(row)) as Row;
	const [wanted, done, ...rest] = records.rows('WorkOrder').filter(isOfSite);
	const change = (StatusId: string, priority: number, rows: Row[]) =>
		rows.map(({ Id }) => records.change('WorkOrder', Id, { StatusId, Priority: { Id: priority } }));
	change('Open', 1, [wanted, other]);
	change('Completed', 1, [done]);
	change('Open', 3, rest);

	const { items } = await n8n.engine.run({ parameters, items: [{ json: input }] });

	expect(rest).not.toEqual([]);
	expect(jsonOf(items)).toMatchObject([{ Id: wanted.Id }]);
});

it('the pattern that creates work orders creates one for each ticket, also when it runs again', async () => {
	const [{ input, parameters }] = patterns;
	const request = { parameters, items: [{ json: input }] };

	const [first, second] = [await n8n.engine.run(request), await n8n.engine.run(request)];

	const [{ Id }] = jsonOf(first.items);
	expect(jsonOf(second.items)).toMatchObject([{ Id, AlreadyExisted: true }]);
});

it('each pattern is shown for its operation, with all of its parameters', () => {
	for (const [index, { title, parameters }] of patterns.entries()) {
		const { content, displayOptions } = typeDefContent[index];
		const { resource, operation } = parameters;
		expect(displayOptions).toEqual({ show: { resource: [resource], operation: [operation] } });
		expect(content).toContain(title);
		expect(content).toContain(JSON.stringify(parameters));
	}
});
