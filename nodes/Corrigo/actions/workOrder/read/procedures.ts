import { toValue } from '../../../compare/customFields';
import { buildToggle, defineField } from '../../../form/fields';
import { optionsField } from '../../../form/options';
import { subjects } from '../../../form/subjects';
import { buildSharedRead } from '../../../operations/read/sharedRead';
import { sendCommand } from '../../../operations/write/command';
import { loadRecordsById, lookUp, type Requester } from '../../../records/query';
import { DEFAULT_READS, toItem, type ItemContext, type Sender } from '../../../run/context';
import { forEachLimit } from '../../../transport/concurrency';
import { type JsonObject, isObject, readPath, toRows } from '../../../values/objects';
import { isBlank, normalize } from '../../../values/input';
import { excludeRemoved } from '../../../wire/criteria';
import { buildRecord, NAMED, NUMBER, TEXT } from '../../../operations/specimens';

const FLAG = ['Flag.Id', 'Flag.DisplayAs'];

/** Paths of a procedure and of a step, as the formats below need them. */
export const PROCEDURE_PATHS = ['*', 'Asset.Id', 'Asset.Name', ...FLAG];
export const STEP_PATHS = ['*', ...FLAG, 'FieldDescriptor.Name', 'AttrDescriptor.Name'];

const orNull = (record: unknown) => (isObject(record) && !isBlank(record.Id) ? record : null);

const byIndex = (a: JsonObject, b: JsonObject) =>
	Number(a.Index) - Number(b.Index) || Number(a.Id) - Number(b.Id);

const isKept = ({ IsRemoved }: JsonObject) => IsRemoved !== true;

/** The answer is the label that the person has seen, or else the value by its type. */
function getAnswer({ DataLabel, DataValue, DataTypeId, MoneyId }: JsonObject): unknown {
	if (!isBlank(DataLabel)) return DataLabel;
	const value = { Value: DataValue, CurrencyTypeId: MoneyId, Descriptor: { Type: DataTypeId } };
	return isBlank(DataValue) ? null : toValue(value);
}

const toStep = (step: JsonObject): JsonObject => ({
	Id: step.Id,
	Index: step.Index,
	Description: step.Description,
	TypeId: step.TypeId,
	Field: readPath(step, 'FieldDescriptor.Name') ?? readPath(step, 'AttrDescriptor.Name') ?? null,
	IsRequired: step.IsRequired === true,
	StatusId: step.StatusId,
	Answer: getAnswer(step),
	Flag: orNull(step.Flag),
	IsNotApplicable: step.IsNotApplicable === true,
	Comment: step.Comment ?? null,
});

/** Shows the procedures of an order in their order, each with its steps in theirs. */
export const toProcedures = (rows: unknown): JsonObject[] =>
	toRows(rows)
		.filter(isKept)
		.sort(byIndex)
		.map((row) => ({
			Id: row.Id,
			DisplayAs: row.DisplayAs,
			Index: row.Index,
			StatusId: row.StatusId,
			Flag: orNull(row.Flag),
			IsNotApplicable: row.IsNotApplicable === true,
			Asset: orNull(row.Asset),
			Steps: toRows(row.Steps).filter(isKept).sort(byIndex).map(toStep),
		}));

/** Two queries read the procedures and steps of up to 500 orders, by the Ids of the orders. */
export async function loadProcedures(
	requester: Requester,
	orders: Iterable<unknown>,
): Promise<Map<string, JsonObject[]>> {
	const ids = [...orders];
	const load = async (entity: string, properties: readonly string[]) =>
		await lookUp(
			requester,
			{ entity, by: ['WorkOrderId'], properties, where: excludeRemoved(entity) },
			ids,
		);
	const [procedures, steps] = await Promise.all([
		load('WoProcedure', PROCEDURE_PATHS),
		load('WoProcedureStep', STEP_PATHS),
	]);
	return new Map(
		[...procedures].map(([order, rows]) => [
			order,
			rows.map((row) => ({
				...row,
				Steps: (steps.get(order) ?? []).filter(({ WoProcedureId }) => WoProcedureId === row.Id),
			})),
		]),
	);
}

const COMMAND = 'GetProcedureStepsDocumentsRoutine';

const documentsOption = defineField({
	name: 'stepDocuments',
	...buildToggle(
		'Step Documents',
		'Whether to return the documents of the steps, such as photos, too. Takes one more request for each order.',
		true,
	),
});

/**
 * Corrigo does not publish how a document names its step; `ActorId` is assumed to hold its Id. A
 * document that names no step of the order comes with the first one, so that none is lost.
 */
async function addDocuments(sender: Sender, order: number, steps: JsonObject[]) {
	const { CommandResult } = await sendCommand(sender, COMMAND, { WorkOrderId: order });
	const ids = steps.map(({ Id }) => Number(Id));
	const findStep = ({ ActorId }: JsonObject) => Math.max(ids.indexOf(Number(ActorId)), 0);
	return steps.map((step, index) => ({
		...step,
		Documents: toRows(CommandResult.Documents).filter((one) => findStep(one) === index),
	}));
}

async function loadSteps(
	context: ItemContext,
	ids: number[],
	hasDocuments: boolean,
): Promise<Map<number, JsonObject[]>> {
	const orders = await loadRecordsById(context, 'WorkOrder', ids, { properties: ['Number'] });
	const procedures = await loadProcedures(context, orders.keys());
	const found = new Map<number, JsonObject[]>();
	const all = [...orders];
	await forEachLimit(all.length, context.getConcurrency(DEFAULT_READS), async (index) => {
		const [id, { Number: number }] = all[index];
		const WorkOrder = { Id: id, Number: number };
		const steps = toProcedures(procedures.get(normalize(id))).flatMap(
			({ Steps, Asset, ...Procedure }) =>
				toRows(Steps).map((step) => ({ WorkOrder, Procedure, ...step, Asset })),
		);
		const isAsked = hasDocuments && steps.length > 0;
		found.set(id, isAsked ? await addDocuments(context, id, steps) : steps);
	});
	return found;
}

const STEP = {
	...{ Id: 1, Index: 1, Description: TEXT, TypeId: TEXT, Field: TEXT },
	...{ IsRequired: true, StatusId: TEXT, Answer: NUMBER, Flag: NAMED },
	...{ IsNotApplicable: true, Comment: TEXT },
};

const PROCEDURE = {
	...{ Id: 1, DisplayAs: TEXT, Index: 1, StatusId: TEXT, Flag: NAMED, IsNotApplicable: true },
};

const ASSET = { Id: 1, Name: TEXT };

export const PROCEDURES = [{ ...PROCEDURE, Asset: ASSET, Steps: [STEP] }];

export const getProcedures = buildSharedRead(subjects.workOrder, {
	value: 'getProcedures',
	action: 'Get procedures of work order',
	description:
		'Retrieve the steps of the procedures of a work order, such as an inspection: answers, flags and comments',
	output: () => ({
		...{ WorkOrder: { Id: 1, Number: TEXT }, Procedure: PROCEDURE, ...STEP, Asset: ASSET },
		Documents: [buildRecord('Document')],
	}),
	ownOptions: [documentsOption],
	readSettings: (context) => context.readAdded(optionsField, documentsOption) ?? false,
	read: loadSteps,
	toItems: (steps) => steps.map(toItem),
});
