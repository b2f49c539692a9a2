import * as contract from './contract';
import { getEntity, type MemberTypes } from './entities';
import { toTitle } from './enumerations/labels';
import { createTable } from './table';

type Facts = typeof contract.commandFacts;

/** The compiler checks names of commands in the code. */
export type CommandName = keyof Facts;

export type CommandMember<Name> = Name extends CommandName
	? keyof Facts[Name]['members'] & string
	: never;

/** Labels other than the words of the class name. */
const labels: { readonly [Name in CommandName]?: string } = {
	WoCreateCommand: 'Create Work Order',
	WoAssignCommand: 'Assign Work Order',
	WoPickUpCommand: 'Pick Up Work Order',
	WoStartCommand: 'Start Work Order',
	WoPauseCommand: 'Pause Work Order',
	WoOnHoldCommand: 'Put Work Order on Hold',
	WoCompleteCommand: 'Complete Work Order',
	WoCancelCommand: 'Cancel Work Order',
	WoReopenCommand: 'Reopen Work Order',
	WoFlagCommand: 'Flag Work Order',
	WoSetFlagsCommand: 'Set Work Order Flags',
	WoClearFlagsCommand: 'Clear Work Order Flags',
	WoMessageCommand: 'Send Work Order Message',
	WoRecallCommand: 'Recall Work Order',
	WoCopyCommand: 'Copy Work Order',
	UpdateWoInductionAndSafetyStatusCommand: 'Update Induction and Safety Status',
	GeneratePmWoCommand: 'Generate PM Work Order',
	WoLastModificationCommand: 'Get Last Modification of Work Order',
	WoScheduleRoutine: 'Compute Work Order Schedule',
	WoAutoAssignRoutine: 'Compute Work Order Assignment',
	ApStatusChangeCommand: 'Change AP Status',
	ApSubmitPaymentCommand: 'Submit AP Payment',
	CostStatusChangeCommand: 'Change Cost Status',
	UpdateInvoiceStateCommand: 'Update Customer Invoice State',
	InvoiceDisputeCommand: 'Dispute Customer Invoice',
	InvoiceRecallCommand: 'Recall Customer Invoice',
	PostPaymentCommand: 'Post Payment',
	SpaceCreateCommand: 'Create Space',
	GetCustomerByAssetCommand: 'Get Customer by Asset',
	AssetMatchByTaskCodeCommand: 'Match Assets by Task Code',
	WorkZoneCreateCommand: 'Create Work Zone',
	WorkZoneDefaultCommand: 'Default Work Zone',
	WorkZoneDeleteCommand: 'Delete Work Zone',
	WorkZoneOnlineCommand: 'Bring Work Zone Online',
	WorkZoneOfflineCommand: 'Take Work Zone Offline',
	PortfolioDeleteCommand: 'Delete Portfolio',
	GetLicensedProvidersRoutine: 'Get Licensed Providers',
	UserOrProviderSuspendCommand: 'Suspend or Reactivate User or Provider',
	UserSignInInfoCommand: 'Get User Sign-In Info',
	TimeCardActionCommand: 'Act on Time Card',
	CreateCommand: 'Create Any Entity',
	UpdateCommand: 'Update Any Entity',
	DeleteCommand: 'Delete Any Entity',
	RestoreCommand: 'Restore Any Entity',
	CompositeCommand: 'Run Several Commands',
	GetCompanyWsdkUrlCommand: 'Get Company Host',
	GetDocDownloadUrlCommand: 'Get Document Download URL',
	GetProcedureStepsDocumentsRoutine: 'Get Documents of Procedure Steps',
	MaterialTransactionCommitCommand: 'Commit Material Transaction',
	RetrieveWithCurrencyTypeCommand: 'Retrieve with Currency Type',
};

interface CommandFacts {
	members: MemberTypes;
	/**
	 * Members that the documentation requires, and the Id of the record that the command acts on: if
	 * the Id is missing, the service answers with a misleading code.
	 */
	required: readonly string[];
	/**
	 * Member that says which record the command acts on, null if it acts on none; unset if that is not
	 * known.
	 */
	subject?: string | null;
	/** The command makes a record. */
	creates?: boolean;
	/**
	 * Member of CommandResult with the object or list that was made, changed or found. Unset if
	 * CommandResult itself is the answer, or if nothing is documented.
	 */
	answer?: string;
	/** The command changes nothing, so it may be repeated after a lost connection. */
	reads: boolean;
	/** Member that turns the command from reading to writing. */
	writesWith?: string;
}

export interface Command extends Omit<CommandFacts, 'members'> {
	name: string;
	label: string;
	fields: MemberTypes;
}

const facts = createTable<CommandFacts>(contract.commandFacts);
const ownLabels = createTable<string | undefined>(labels);

/** Every class of the Commands namespace that can be called, sorted by label. */
export const commands: readonly Command[] = Object.entries(facts)
	.map(([name, { members, ...more }]) => {
		const label = ownLabels[name] ?? toTitle(name.replace(/(Command|Routine)$/, ''));
		return { ...more, name, label, fields: members };
	})
	.sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));

export const getCommand = (name: string): Command | undefined => byName.get(name.toLowerCase());

/** A server may take such a member for the command, and the address for a mere hint. */
export const isTypeName = (member: string): boolean => /^(?:\$|__)type$/i.test(member);

export const namesType = (body: unknown): boolean =>
	/"(?:\$|__)type":/i.test(JSON.stringify(body) ?? '');

/** A command that changes nothing may be repeated, and runs in a dry run. */
export function isReadOnlyCommand(name: string, body: unknown): boolean {
	const { reads = false, writesWith } = getCommand(name) ?? {};
	if (!reads || namesType(body)) return false;
	return writesWith === undefined || !setsMember(JSON.stringify(body) ?? '', writesWith);
}

/** Servers ignore case and accept Command.UpdateRoundRobin, too, so the whole text is searched. */
function setsMember(json: string, member: string): boolean {
	const parts = json.toLowerCase().split('"');
	return parts.some(
		(part, index) =>
			part.includes(member.toLowerCase()) && /^:(?!false[,}])/.test(parts[index + 1] ?? ''),
	);
}

/** Some members of command answers do not have the name of their entity. */
const ANSWER_ENTITIES = createTable<string>({
	Financial: 'WorkOrderCost',
	NewSpace: 'Space',
	Wo: 'WorkOrder',
	WorkVerification: 'WoVerification',
});

/** Some commands answer with a record, whose entity is found here. */
export function findAnswerEntity(name: string): string | undefined {
	const { answer = '' } = getCommand(name) ?? {};
	return getEntity(ANSWER_ENTITIES[answer] ?? answer)?.name;
}
