import { toAnswer } from '../base/operations';
import { fail } from '../errors';
import type { World } from '../runtime/world';
import { findType } from '../schema';
import { commands } from '../schema/contract';
import { requireKnownArguments } from '../schema/unknownNames';
import type { Json } from '../shapes';
import { Arguments, type Handler } from './command';
import { locateCompany } from './discovery';
import { ENTITY_COMMANDS } from './entities';
import { changeApStatus, changeCostStatus, submitPayment, updateInvoiceState } from './money';
import { createSpace } from './spaceCreate';
import { suggestAssignees } from './suggestAssignees';
import { actOnTimeCard, getTimeCard } from './timeCard';
import { WORK_ORDER_ACTIONS } from './workOrderActions';
import { copy, create, schedule } from './workOrderCreate';
import { addChild, generatePlanned, setDependency } from './workOrderLinks';
import {
	customerOfAsset,
	lastModification,
	print,
	send,
	stepDocuments,
	verify,
} from './workOrderOther';

const COMMANDS: ReadonlyMap<string, Handler> = new Map(
	Object.entries({
		...WORK_ORDER_ACTIONS,
		...ENTITY_COMMANDS,
		WoCreateCommand: create,
		WoCopyCommand: copy,
		WoScheduleRoutine: schedule,
		GetPreferredAssigneesRoutine: suggestAssignees,
		AddChildWorkOrderRoutine: addChild,
		GeneratePmWoCommand: generatePlanned,
		SetWorkOrderDependencyCommand: setDependency,
		GetProcedureStepsDocumentsRoutine: stepDocuments,
		WoLastModificationCommand: lastModification,
		SendWorkOrderCommand: send,
		VerifyWorkCommand: verify,
		CreateWoPrintoutCommand: print,
		ApStatusChangeCommand: changeApStatus,
		ApSubmitPaymentCommand: submitPayment,
		CostStatusChangeCommand: changeCostStatus,
		UpdateInvoiceStateCommand: updateInvoiceState,
		GetTimeCardCommand: getTimeCard,
		TimeCardActionCommand: actOnTimeCard,
		SpaceCreateCommand: createSpace,
		GetCustomerByAssetCommand: customerOfAsset,
		GetCompanyWsdkUrlCommand: (world: World, args: Arguments) => locateCompany(world, args.members),
	}),
);

/** Commands that also have the path `/cmd/{Entity}/{ShortName}`. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
	'workorder/create': 'WoCreateCommand',
	'workzone/create': 'WorkZoneCreateCommand',
	'portfolio/delete': 'PortfolioDeleteCommand',
};

function commandNotFound(name: string): never {
	const [entity, short] = name.split('/');
	const message = short
		? `There are no such custom command as '${short}' for entity '${entity}'`
		: `There are no such command as '${name}'`;
	const advice =
		name in commands ? ': the sandbox needs a handler in sandbox/commands/index.ts' : '';
	return fail('COMMAND_NOT_FOUND', message + advice);
}

/** A command that has no rules here answers with its record as it is. */
function findPublished(name: string): Handler | undefined {
	const { subject, answer, creates = false } = commands[name] ?? {};
	const [, entity] = /^(.+)Id$/i.exec(subject ?? '') ?? [];
	if (creates || !subject || entity === undefined || findType(entity) === undefined)
		return undefined;
	return (world, args) => {
		const row = args.id(subject, entity, world);
		return answer === undefined ? {} : { [answer]: toAnswer(world, entity, row) };
	};
}

/** The handler of a command by any of its names, with its name in the contract. */
function findCommand(world: World, name: string): { fullName: string; handler: Handler } {
	const { sendWorkOrderPath } = world.settings;
	const full = SHORT_FORMS[name.toLowerCase()] ?? name;
	const isSend = full === 'SendWorkOrder' || full === 'SendWorkOrderCommand';
	if (isSend && full !== sendWorkOrderPath) commandNotFound(name);
	const fullName = isSend ? 'SendWorkOrderCommand' : full;
	const handler = COMMANDS.get(fullName) ?? findPublished(fullName);
	return { fullName, handler: handler ?? commandNotFound(name) };
}

export function runCommand(world: World, name: string, command: Json): Json {
	const { fullName, handler } = findCommand(world, name);
	if (world.settings.strict) requireKnownArguments(fullName, command);
	return handler(world, new Arguments(command));
}

/** The service checks the name of a command before its body. */
export function requireCommand(world: World, name: string): void {
	findCommand(world, name);
}
