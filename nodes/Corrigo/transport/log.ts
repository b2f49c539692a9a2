import type { FunctionsBase } from 'n8n-workflow';

import { toMessage } from '../values/lines';

/** A message may repeat what a push or an answer said, which must not write lines of its own. */
export const logWarning = ({ logger }: Pick<FunctionsBase, 'logger'>, message: string): void => {
	logger.warn(toMessage(message));
};
