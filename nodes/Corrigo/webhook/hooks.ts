import type { IHookFunctions } from 'n8n-workflow';

import { ValidationError } from '../protocol/checks';
import { nodeError } from '../trigger/hints';
import { formOf } from '../trigger/plan/form';
import { firstCursor } from '../trigger/service';
import { feedIdentity, saveProgress, stateOf, storedCursor } from '../trigger/state';
import { HINTS, planAndService } from './deliver';
import { keysIn, signatureCheckOf } from './signatureCheck';

/** A person sees errors in these modes. In others, n8n itself starts or repairs an activation. */
const ATTENDED = ['activate', 'create', 'manual'];

/**
 * Mode 'update' is either a repair or a person who publishes a change. A node that learns
 * signatures fails in both cases, because it refuses all pushes, nobody would see why, and no
 * repair helps.
 */
const isSeen = (caller: IHookFunctions): boolean =>
	ATTENDED.includes(caller.getActivationMode()) ||
	(caller.getActivationMode() === 'update' && formOf(caller).param('signature', 'off') === 'learn');

/**
 * An administrator enters the address in Corrigo, and the API cannot tell whether that was done. An
 * activation therefore creates nothing. It checks the settings and saves a cursor that treats
 * existing changes as old.
 */
export async function activate(this: IHookFunctions): Promise<boolean> {
	await prepare(this).catch((failure: unknown) => {
		const error = nodeError(this, failure, HINTS);
		if (isSeen(this)) throw error;
		this.logger.warn(error.message);
	});
	return true;
}

async function prepare(caller: IHookFunctions): Promise<void> {
	const { plan, service } = await planAndService(caller);
	const check = signatureCheckOf(caller);
	const keys = keysIn(await caller.getCredentials('corrigoApi'));
	if (check !== 'off' && check !== 'learn' && keys.size === 0) {
		throw new ValidationError(
			"'Signing Key' is empty in the Corrigo credential",
			"Switch on 'Use Webhook' there and enter the key, or set 'Signature' to Off.",
		);
	}
	if (caller.getMode() === 'manual') return;
	if (check === 'learn') {
		throw new ValidationError(
			"'Signature' is Learn, which is for test events only",
			'Set it to HMAC with what was learned, or to Off.',
		);
	}
	// A node that was active before continues from its cursor.
	const state = stateOf(caller);
	const feed = await feedIdentity(caller, plan);
	if (storedCursor(state, feed, plan) !== undefined) return;
	saveProgress(state, feed, plan, { cursor: await firstCursor(plan, service) });
}
