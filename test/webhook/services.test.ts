/** Which service pushes what, as Corrigo publishes it. */
import type { INodePropertyOptions } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { events, isPushed, listEventNames } from '../../nodes/Corrigo/trigger/events';
import { findPushing } from '../../nodes/Corrigo/webhook/services';

const { properties } = new CorrigoWebhookTrigger().description;
const listOptions = (name: string) =>
	properties.find((one) => one.name === name)?.options as INodePropertyOptions[];

it.each(listEventNames(isPushed))('%s says which service pushes it', (name) => {
	const { description } = listOptions('event').find(({ value }) => value === name) ?? {};
	expect(description).toMatch(
		{
			both: /Pushed by both services\.$/,
			older: /Pushed by the Event Service only\.$/,
			some: /Neither service .+: use Corrigo Trigger for these\.$/,
			neither: /use Corrigo Trigger\.$/,
			unknown: /not published\.$/,
		}[findPushing(events[name])],
	);
});

it('several events say the same of each as the menu', () => {
	const several = listOptions('events');
	// The menu also has the texts of n8n's panel.
	const menu = listOptions('event').filter(({ value }) =>
		several.some((one) => one.value === value),
	);
	expect(menu.map(({ name, value, description }) => ({ name, value, description }))).toEqual(
		several,
	);
});

/** The actions that Corrigo publishes for *Corrigo Webhook*, by the labels of the form. */
const PUBLISHED = [
	...[
		'Assign',
		'Attention (Flag Set)',
		'AP Invoice Status',
		'Cancel',
		'Complete',
		'Cost Status',
		'Create',
	],
	...['Estimate Approved', 'Estimate Rejected', 'Flag Cleared', 'Note', 'On Hold', 'Pick Up'],
	...['Reopen', 'Scheduled Start Changed', 'Start', 'Stop', 'Verified'],
];

it('an action says if Corrigo Webhook does not push it', () => {
	const pushed = listOptions('actionTypes').filter(({ description }) => description === undefined);
	expect(pushed.map(({ name }) => name).sort()).toEqual([...PUBLISHED].sort());
	const older = listOptions('actionTypes').filter(({ description = '' }) =>
		description.includes('Event Service only'),
	);
	expect(older.map(({ name }) => name)).toEqual([
		...['Owner Changed', 'Quote Approved', 'Quote Rejected', 'Quote Requested', 'Quote Submitted'],
	]);
});

it('what nobody pushes points to Corrigo Trigger', () => {
	expect(findPushing(events.workOrderDeadline)).toBe('neither');
	expect(findPushing({ ...events.workOrderCompleted, actionTypes: ['PriorityChanged'] })).toBe(
		'neither',
	);
});
