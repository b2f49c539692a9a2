import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, sharedDesk } from './desk';

const desk = sharedDesk();

const rows = (entity: string) => desk.sandbox.store.rows(entity);
const filledIn = (value: IDataObject) =>
	({ mappingMode: 'defineBelow', value, schema: [] }) as unknown as INodeParameters;
const lastBody = () => desk.sent().at(-1)?.body as { Command: IDataObject; Entity: IDataObject };

describe('the label of a member', () => {
	it('is taken in a condition, in any case, and so are those of several', async () => {
		const expected = rows('WorkOrder').filter(({ StatusId }) =>
			['InProgress', 'OnHold'].includes(String(StatusId)),
		);
		expect(expected.length).toBeGreaterThan(1);
		const run = await desk.run('workOrder:getMany', {
			returnAll: true,
			conditions: {
				values: [{ property: 'StatusId', operator: 'In', value: 'in progress, On Hold' }],
			},
		});
		expect(run.items.map(({ json }) => json.Id)).toEqual(expected.map(({ Id }) => Id));
	});

	it('is taken in the members of a command, as its own dropdown shows it', async () => {
		const order = rows('WorkOrder').find(({ StatusId }) => StatusId === 'InProgress');
		const run = await desk.run('workOrder:assign', {
			id: byId(order?.Id),
			assignees: { values: [{ employee: byId(301) }] },
			mode: '={{ "make primary" }}',
			additionalFields: { expectedStatus: '={{ "IN PROGRESS" }}' },
		});
		expect(run.error).toBeUndefined();
		expect(lastBody().Command).toMatchObject({ Mode: 'Primary', StatusId: 'InProgress' });
	});

	it('is taken in a column', async () => {
		const [{ Id }] = rows('Location');
		const run = await desk.run('asset:update', {
			id: byId(Id),
			fields: filledIn({ TypeId: 'room or area' }),
		});
		expect(run.error).toBeUndefined();
		expect(lastBody().Entity).toEqual({ Id, TypeId: 'RoomArea' });
	});

	it.each([
		['workOrder:getMany', { conditions: [{ property: 'StatusId', operator: 'Equal' }] }],
		['asset:update', { fields: 'TypeId' }],
	])(
		'that is none is refused by %s before anything is sent, with the members',
		async (name, form) => {
			const run = await desk.run(name, {
				id: byId(1),
				...('fields' in form
					? { fields: filledIn({ [form.fields as string]: 'Finished' }) }
					: { conditions: { values: [{ ...form.conditions?.[0], value: 'Finished' }] } }),
			});
			expect(run.error?.message).toMatch(/must be one of \w+, \w+, .*, but it is "Finished"/);
			expect(desk.sandbox.requests).toEqual([]);
		},
	);
});
