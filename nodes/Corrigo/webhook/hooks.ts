import type { IHookFunctions } from 'n8n-workflow';

import { toNodeError } from '../trigger/advice';
import { getForm } from '../trigger/plan/plan';
import { fetchFirstCursor } from '../trigger/service';
import { openStore } from '../trigger/state';
import { ValidationError } from '../values/checks';
import { ADVICE, loadPlanAndService } from './push';
import { getSigningKeys, readSignatureCheck } from './signature';

/** A person sees errors in these modes. In others, n8n itself starts or repairs an activation. */
const ATTENDED = ['activate', 'create', 'manual'];

/**
 * Mode 'update' is either a repair or a person who publishes a change. A node that learns
 * signatures fails in both cases, because it refuses all pushes, nobody would see why, and no
 * repair helps.
 */
const isAttended = (caller: IHookFunctions): boolean =>
	ATTENDED.includes(caller.getActivationMode()) ||
	(caller.getActivationMode() === 'update' &&
		getForm(caller).param('signature', 'off') === 'learn');

/**
 * An administrator enters the address in Corrigo, and the API cannot tell whether that was done. An
 * activation therefore creates nothing. It checks the settings and saves a cursor that treats
 * existing changes as old.
 */
export async function activate(this: IHookFunctions): Promise<boolean> {
	await prepare(this).catch((failure: unknown) => {
		const error = toNodeError(this, failure, ADVICE);
		if (isAttended(this)) throw error;
		this.logger.warn(error.message);
	});
	return true;
}

async function prepare(caller: IHookFunctions): Promise<void> {
	const { plan, service } = await loadPlanAndService(caller);
	const check = readSignatureCheck(caller);
	const keys = getSigningKeys(await caller.getCredentials('corrigoApi'));
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
	const store = await openStore(caller, plan);
	if (store.readCursor() !== undefined) return;
	store.saveCursor(await fetchFirstCursor(plan, service));
}
