import { getCommand, isReadOnlyCommand, commands } from '../../nodes/Corrigo/catalogue/commands';
import { entities } from '../../nodes/Corrigo/catalogue/entities';
import { findMemberType } from '../../nodes/Corrigo/catalogue/members';
import { isKnownType } from './types';
import { startCpuTime } from '../support/cpu';

describe('commands', () => {
	it('have names that differ in more than their case, in which each is known', () => {
		expect(commands.filter((command) => getCommand(command.name) !== command)).toEqual([]);
	});

	it.each(commands.map((command) => [command.name, command] as const))(
		'%s has only known types, and the members that it requires or writes with',
		(_, { fields, required, writesWith }) => {
			expect(Object.values(fields).filter((type) => !isKnownType(type))).toEqual([]);
			const named = [...required, writesWith ?? []].flat();
			expect(named.filter((field) => !Object.keys(fields).includes(field))).toEqual([]);
		},
	);

	it('have unique labels, sorted', () => {
		const labels = commands.map(({ label }) => label);
		expect(new Set(labels).size).toBe(labels.length);
		expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')));
	});

	it('may be repeated only if they change nothing', () => {
		// A lost answer repeats these commands, so an entry of the contract is not enough.
		const place = 'read only (if the facts say that a command changes nothing, list it here too)';
		const reading = commands.flatMap(({ name, reads }) => (reads ? [name] : [])).sort();
		expect({ [place]: reading }).toEqual({
			[place]: [
				'AssetMatchByTaskCodeCommand',
				'ConvertMoneyValuesCommand',
				'CreateWoPrintoutCommand',
				'GetCompanyWsdkUrlCommand',
				'GetCustomerByAssetCommand',
				'GetDocDownloadUrlCommand',
				'GetLicensedProvidersRoutine',
				'GetPreferredAssigneesRoutine',
				'GetProcedureStepsDocumentsRoutine',
				'RetrieveWithCurrencyTypeCommand',
				'UserSignInInfoCommand',
				'WoLastModificationCommand',
				'WoScheduleRoutine',
			],
		});
	});

	it('require the member that says which record they act on, if they act on one and it is known', () => {
		const list = (one: null | undefined) =>
			commands.flatMap(({ name, subject }) => (subject === one ? [name] : [])).sort();
		const place = 'act on no record (give the command a subject, or list it here too)';
		expect({ [place]: list(null), unknown: list(undefined) }).toEqual({
			[place]: [
				'AssetMatchByTaskCodeCommand',
				'ConvertMoneyValuesCommand',
				'CreateCommand',
				'GetCompanyWsdkUrlCommand',
				'GetLicensedProvidersRoutine',
				'GetPreferredAssigneesRoutine',
				'SpaceCreateCommand',
				'UserSignInInfoCommand',
				'WoCreateCommand',
				'WorkZoneCreateCommand',
			],
			unknown: ['CompositeCommand', 'WorkZoneDefaultCommand'],
		});
		const others = commands.filter(({ subject }) => typeof subject === 'string');
		for (const { name, subject = '', required } of others) {
			expect({ name, required }).toEqual({ name, required: expect.arrayContaining([subject]) });
		}
	});

	it.each([
		['WoCreateCommand', 'Wo'],
		['SpaceCreateCommand', 'NewSpace'],
		['ApStatusChangeCommand', 'Financial'],
		['VerifyWorkCommand', 'WorkVerification'],
		['SendWorkOrderCommand', 'WorkOrder'],
		['RestoreCommand', 'EntitySpecifier'],
		['GetCompanyWsdkUrlCommand', undefined],
		['WorkZoneDeleteCommand', undefined],
	])('%s answers with %s', (name, answer) => expect(getCommand(name)?.answer).toBe(answer));

	it('exist if an entity recommends them', () => {
		const advice = entities.flatMap(({ refuses = {} }) => Object.values(refuses)).join(' ');
		const advised = advice.match(/\b\w+(?:Command|Routine)\b/g) ?? [];
		expect(advised.length).toBeGreaterThan(8);
		expect(advised.filter((name) => getCommand(name)?.name !== name)).toEqual([]);
	});
});

describe('a command with a switch that makes it write', () => {
	const reads = (body: unknown) => isReadOnlyCommand('GetPreferredAssigneesRoutine', body);

	it.each([
		undefined,
		{},
		{ SpecialtyId: 3 },
		{ UpdateRoundRobin: false },
		{ Country: 'UpdateRoundRobin' },
	])('reads when given %j', (body) => expect(reads(body)).toBe(true));

	it.each([
		{ UpdateRoundRobin: true },
		{ UpdateRoundRobin: 'false' },
		{ UpdateRoundRobin: null },
		{ UpdateRoundRobin: 1 },
		{ updateroundrobin: true, UpdateRoundRobin: false },
		{ Command: { UPDATEROUNDROBIN: true } },
		{ 'Command.UpdateRoundRobin': 'true' },
		{ 'Command[UpdateRoundRobin]': 'true' },
	])('writes when given %j', (body) => expect(reads(body)).toBe(false));
});

describe('the name of a command', () => {
	it('is known in any case', () =>
		expect(getCommand('wocancelcommand')?.name).toBe('WoCancelCommand'));

	it.each(['', 'WoCancel', 'BaseWoActionCommand', 'constructor', '__proto__'])(
		'does not know %j',
		(name) => expect(getCommand(name)).toBeUndefined(),
	);
});

it.each(['constructor', 'toString', '__proto__', 'valueOf.name'])(
	'a command has no member %s',
	(name) => expect(findMemberType('WoCancelCommand', name)).toBeUndefined(),
);

it('tells whether a command only reads within a moment, whatever its body repeats', () => {
	const PostalCode = 'UpdateRoundRobin'.repeat(100_000);
	const readCpuTime = startCpuTime();
	expect(isReadOnlyCommand('GetPreferredAssigneesRoutine', { PostalCode })).toBe(true);
	expect(readCpuTime()).toBeLessThan(2);
});
