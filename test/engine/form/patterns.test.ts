/** What a language model that builds workflows reads about the node. */
import { patterns, typeDefContent } from '../../../nodes/Corrigo/actions/patterns';
import type { Row } from '../../../sandbox';
import { getId, jsonOf, shareCompany } from '../../support/company';

const { n8n, records } = shareCompany({ workOrders: 1000 });

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
