import { toValue } from '../compare/customFields';
import { isBlank } from '../values/input';
import { type JsonObject, isObject, readPath, toRows } from '../values/objects';
import { excludeRemoved } from '../wire/criteria';
import { lookUp, type Requester } from './query';

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
		[...procedures].map(([order, rows]) => [order, addSteps(rows, steps.get(order) ?? [])]),
	);
}

/** Adds to each procedure of an order those of its steps that belong to it. */
export function addSteps(procedures: JsonObject[], steps: JsonObject[]): JsonObject[] {
	const own = new Map(procedures.map(({ Id }): [unknown, JsonObject[]] => [Id, []]));
	for (const step of steps) own.get(step.WoProcedureId)?.push(step);
	return procedures.map((row) => ({ ...row, Steps: own.get(row.Id) }));
}

/** The steps with a flag, each with its procedure and asset. */
export const listFlaggedSteps = (rows: unknown): JsonObject[] =>
	toProcedures(rows).flatMap(({ Id, DisplayAs, Asset, Steps }) =>
		toRows(Steps)
			.filter(({ Flag }) => Flag !== null)
			.map((step) => ({ ...step, Procedure: { Id, DisplayAs }, Asset })),
	);
