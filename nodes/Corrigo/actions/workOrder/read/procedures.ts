import { buildToggle, defineField } from '../../../form/fields';
import { optionsField } from '../../../form/options';
import { subjects } from '../../../form/subjects';
import { buildSharedRead } from '../../../operations/read/sharedRead';
import { sendCommand } from '../../../operations/write/command';
import { loadProcedures, toProcedures } from '../../../records/procedures';
import { loadRecordsById } from '../../../records/query';
import { DEFAULT_READS, toItem, type ItemContext, type Sender } from '../../../run/context';
import { forEachLimit } from '../../../transport/concurrency';
import { type JsonObject, toRows } from '../../../values/objects';
import { normalize } from '../../../values/input';
import { buildRecord, NAMED, NUMBER, TEXT } from '../../../operations/specimens';

const COMMAND = 'GetProcedureStepsDocumentsRoutine';

const documentsOption = defineField({
	name: 'stepDocuments',
	...buildToggle(
		'Step Documents',
		'Whether to return the documents of the steps, such as photos, too. Takes one more request for each order. Beta: how a document names its step is not published.',
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
	load: loadSteps,
	toItems: (steps) => steps.map(toItem),
});
