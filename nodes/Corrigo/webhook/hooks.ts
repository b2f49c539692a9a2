import type { IHookFunctions } from 'n8n-workflow';

import { ValidationError } from '../protocol/checks';
import { isTransient } from '../transport/errors';
import { nodeError } from '../trigger/hints';
import type { Plan } from '../trigger/plan/plan';
import { firstCursor, type Service } from '../trigger/service';
import { cursorFrom, identityOf, keep, stateOf, textsOf } from '../trigger/state';
import { begun, HINTS } from './deliver';
import { keysIn, signatureCheckOf } from './signatureCheck';

/** Somebody is there to see what is wrong; otherwise n8n starts, or mends what has come apart. */
const ATTENDED = ['activate', 'create', 'manual'];

/**
 * The address is entered in Corrigo by hand, and the API cannot tell whether it was. So there is
 * nothing to create there, but something to look at here: whether it can work at all.
 */
export async function prepare(this: IHookFunctions): Promise<boolean> {
	return await prepared(this).catch((failure: unknown) => {
		const error = nodeError(this, failure, HINTS);
		if (ATTENDED.includes(this.getActivationMode()) || !isTransient(error)) throw error;
		this.logger.warn(error.message);
		return true;
	});
}

async function prepared(caller: IHookFunctions): Promise<boolean> {
	const { plan, service } = await begun(caller);
	const check = signatureCheckOf(caller);
	const keys = keysIn(await caller.getCredentials('corrigoApi'));
	if (check !== 'off' && check !== 'learn' && keys.size === 0) {
		throw new ValidationError(
			"'Signing Key' is empty in the Corrigo credential",
			'HMAC needs one.',
		);
	}
	if (caller.getMode() === 'manual') return true;
	if (check === 'learn') {
		throw new ValidationError(
			"'Signature' is Learn, which is for test events only",
			'Set it to HMAC with what was learnt, or to Off.',
		);
	}
	await remember(caller, plan, service);
	return true;
}

/** What is there already is old, unless the node has been active before and goes on from there. */
async function remember(caller: IHookFunctions, plan: Plan, service: Service): Promise<void> {
	const state = stateOf(caller);
	const feed = await identityOf(caller, plan);
	if (state.feed === feed && cursorFrom(state) !== undefined) return;
	keep(state, { feed, ...textsOf(await firstCursor(plan, service)) });
}
