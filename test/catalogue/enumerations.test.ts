import {
	listEnumerationOptions,
	enumerations,
	isEnumerationName,
	type EnumerationName,
} from '../../nodes/Corrigo/catalogue/enumerations';

const all = Object.keys(enumerations) as EnumerationName[];

const getLabel = (enumeration: EnumerationName, member: string): string | undefined =>
	listEnumerationOptions(enumeration).find(({ value }) => value === member)?.name;

it('enumerations have their members in the declared order', () => {
	expect(enumerations.ActorType[13]).toBe('WO');
	expect(enumerations.WOType[4]).toBe('Request');
});

describe('the choices of an enumeration', () => {
	it.each(all)('%s has one option per member, each with its own label', (enumeration) => {
		const options = listEnumerationOptions(enumeration);
		expect(options.map(({ value }) => value)).toEqual(
			enumerations[enumeration].filter((member) => !['Unknown', 'Uknown'].includes(member)),
		);
		const labels = options.map(({ name }) => name);
		expect(new Set(labels).size).toBe(labels.length);
		for (const label of labels) expect(label).toMatch(/^[A-Z][A-Za-z0-9 ()/+-]*$/);
	});

	const readable: Array<[EnumerationName, string, string]> = [
		['WorkOrderStatus', 'OnHold', 'On Hold'],
		['WOType', 'PMRM', 'PMRM'],
		['PTEType', 'PTE', 'Permission to Enter (PTE)'],
		['WOActionType', 'APInvStatus', 'AP Invoice Status'],
		['WOActionType', 'ApGlAccountChanged', 'AP GL Account Changed'],
		['WOActionType', 'OnSiteByChanged', 'On-Site-By Changed'],
		['ContactAddrType', 'EMail1', 'Email 1'],
		['BillStatus', 'ReadyToBeBilled_Billed', 'Ready to Be Billed + Billed'],
		['QuoteStatus', 'WaitingForApproval', 'Waiting for Approval'],
		['ActorType', 'CommLeaseSpace', 'Space'],
		['ActorType', 'WO', 'Work Order'],
		['TaskSelfHelpType', 'YouTube', 'YouTube'],
		['WoScheduleOptions', 'SkipAcknowledgeBy', 'Skip Acknowledge-By'],
	];
	it.each(readable)('%s.%s reads %j', (enumeration, member, label) =>
		expect(getLabel(enumeration, member)).toBe(label),
	);

	it('leaves out the unset member in both spellings', () => {
		expect(getLabel('WorkOrderStatus', 'Unknown')).toBeUndefined();
		expect(getLabel('TimeCardAction', 'Uknown')).toBeUndefined();
	});
});

it.each(['', 'workorderstatus', 'WorkOrder', 'constructor', '__proto__'])(
	'%j is not the name of an enumeration',
	(name) => expect(isEnumerationName(name)).toBe(false),
);
