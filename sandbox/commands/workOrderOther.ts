import { toAnswer } from '../base/operations';
import { failBusinessLogic, conflict, term } from '../errors';
import type { Row } from '../store/store';
import type { Handler } from './command';
import { logAction, SERVICE_ACTOR } from '../base/actionLog';
import { connectedProvider } from './workOrderActions';

/** Orders sent to the provider network get a second number there. */
const FIRST_NETWORK_NUMBER = 900_000;

export const send: Handler = (world, args) => {
	if (args.int('WorkOrderId') === 0) conflict();
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	if (connectedProvider(world, order)) {
		world.store.change('WorkOrder', order.Id, { WonId: FIRST_NETWORK_NUMBER + order.Id });
	}
	logAction(world, order, { TypeId: 'WonWoSend', Comment: args.text('SendTo') });
	return { WorkOrder: toAnswer(world, 'WorkOrder', order) };
};

export const verify: Handler = (world, args) => {
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	const rating = args.enum('WoRatingId', 'WoRating') ?? 'Unknown';
	if (rating === 'Unknown') failBusinessLogic('WoRatingId is a required field');
	if (order.StatusId !== 'Completed') {
		failBusinessLogic(
			`${term('Work Order')} that is in state '${String(order.StatusId)}' cannot be verified`,
		);
	}
	const stamp = world.clock.stamp();
	const verification = world.store.insert('WoVerification', {
		Idx: world.store.children('WoVerification', 'WorkOrderId', order.Id).length,
		WorkOrderId: order.Id,
		WoRatingId: rating,
		Comment: args.text('Comment'),
		EditedDate: stamp.local(Number(order.TimeZone)),
		Actor: SERVICE_ACTOR,
	});
	const action = { TypeId: 'Verified', ObjectId: verification.Id, details: { Rating: rating } };
	logAction(world, order, action, stamp);
	return {
		WorkVerification: toAnswer(world, 'WoVerification', verification),
	};
};

/** Not a complete PDF: the first bytes suffice to recognize the type. */
const buildPrintout = (order: Row, template: Row): string =>
	`%PDF-1.4\n% ${String(template.DisplayAs)}: ${String(order.Number)}\n%%EOF\n`;

/** The default template of the Company is used if none is named. */
export const print: Handler = (world, args) => {
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	args.int('LanguageId');
	const template =
		args.optionalId('PrintoutTemplateId', 'PrintoutTemplate', world) ??
		world.store.rows('PrintoutTemplate').find(({ IsDefault }) => IsDefault === true);
	if (!template) return failBusinessLogic('There is no default printout template');
	return {
		PrintoutBody: Buffer.from(buildPrintout(order, template)).toString('base64'),
		Filename: `${String(order.Number)}.pdf`,
	};
};

/** Documents of the steps of an order's procedures, which the contract does not describe. */
export const stepDocuments: Handler = (world, args) => {
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	const steps = world.store.children('WoProcedureStep', 'WorkOrderId', order.Id);
	const ids = new Set<unknown>(steps.map(({ Id }) => Id));
	return {
		Documents: world.store
			.rows('Document')
			.filter(({ ActorTypeId, ActorId }) => ActorTypeId === 'Procedure' && ids.has(ActorId))
			.map((row) => toAnswer(world, 'Document', row)),
	};
};

export const lastModification: Handler = (world, args) => {
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	const action = Date.parse(String(order.LastActionDateUtc).replace(/Z?$/, 'Z'));
	const modified = Math.max(action, Number(order.$modified ?? 0));
	return { DtLastModified: new Date(modified).toISOString(), WorkOrderId: order.Id };
};

export const customerOfAsset: Handler = (world, args) => {
	const asset = args.id('AssetId', 'Location', world);
	const ancestors = world.store.children('AssetTree', 'ChildId', asset.Id);
	const places = new Set(ancestors.map(({ ParentId }) => ParentId));
	const space = world.store.rows('Space').find((row) => places.has((row.Asset as Row).Id));
	return { CustomerId: space?.CustomerId ?? 0 };
};
