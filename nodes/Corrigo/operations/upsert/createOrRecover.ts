import { NodeApiError } from 'n8n-workflow';

import type { JsonObject } from '../../values/checks';
import type { ItemContext } from '../../run/context';
import { mayHaveRun, joinSentences } from '../../transport/errors';
import { pause } from '../../transport/send';

/** Corrigo may still be processing a create whose answer was lost. */
const SECOND_LOOK_MS = 5000;

/** If the answer to a create is lost, looks for the record at once and again a little later. */
export const createOrRecover = async (
	context: ItemContext,
	description: string,
	create: () => Promise<JsonObject>,
	find: () => Promise<JsonObject | undefined>,
): Promise<JsonObject> =>
	await create().catch(async (failure: unknown) => {
		const isLost = failure instanceof NodeApiError && mayHaveRun(failure);
		// An inner call has already looked for the record.
		if (!isLost || failure.context.inDoubt === true) throw failure;
		for (const waitMs of [0, SECOND_LOOK_MS]) {
			await pause(waitMs, context.caller.getExecutionCancelSignal());
			const record = await find().catch(() => undefined);
			if (record === undefined) continue;
			context.run.addNotice(`The answer to a create was lost; ${description} was found.`);
			return record;
		}
		failure.context.inDoubt = true;
		failure.description = joinSentences(
			failure.description,
			`${capitalize(description)} was not there ${SECOND_LOOK_MS / 1000} seconds later; it may still appear.`,
		);
		throw failure;
	});

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
