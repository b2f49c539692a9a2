import { fail } from '../errors';
import type { World } from '../runtime/world';
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
import { customerOfAsset, lastModification, print, send, verify } from './workOrderOther';

const COMMANDS: ReadonlyMap<string, Handler> = new Map(
	Object.entries({
		...WORK_ORDER_ACTIONS,
		...ENTITY_COMMANDS,
		WoCreateCommand: create,
		WoCopyCommand: copy,
		WoScheduleRoutine: schedule,
		GetPreferredAssigneesRoutine: suggestAssignees,
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
	return fail(
		'COMMAND_NOT_FOUND',
		short
			? `There are no such custom command as '${short}' for entity '${entity}'`
			: `There are no such command as '${name}'`,
	);
}

function handlerOf(world: World, name: string): Handler {
	const { sendWorkOrderPath } = world.settings;
	const full = SHORT_FORMS[name.toLowerCase()] ?? name;
	const isSend = full === 'SendWorkOrder' || full === 'SendWorkOrderCommand';
	const handler = isSend ? full === sendWorkOrderPath && send : COMMANDS.get(full);
	return handler || commandNotFound(name);
}

export function runCommand(world: World, name: string, command: Json): Json {
	return handlerOf(world, name)(world, new Arguments(command));
}

/** The service checks the name of a command before its body. */
export function requireCommand(world: World, name: string): void {
	handlerOf(world, name);
}
