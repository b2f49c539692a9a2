import type { ICredentialDataDecryptedObject, IPollFunctions } from 'n8n-workflow';

import type { Plan } from './plan/plan';
import type { Service } from './service';
import { openStore, type Codec, type Keeping, type Store, type Warn } from './state';

/** What a strategy needs for one poll. */
export interface Session {
	caller: IPollFunctions;
	credentials: ICredentialDataDecryptedObject;
	service: Service;
	warn: Warn;
	keeping: Keeping;
	/** True if n8n stores the state after this poll, whatever it returns. */
	isStored: boolean;
}

export const openSessionStore = <Place>(
	{ caller, credentials, keeping }: Session,
	plan: Plan,
	codec: Codec<Place>,
): Store<Place> => openStore(caller, credentials, plan, codec, keeping);
