import type { Reason } from '../protocol/verdict';

const GOES_ON = 'The next poll goes on from the same place.';

/** What to do about a poll that failed. It has no time-out to raise, and no values of its own. */
export const HINTS: Readonly<Record<Reason, string>> = {
	refused: `Check the entity, the properties, the filters and the conditions of this node. ${GOES_ON}`,
	session: `Check the Corrigo credential: 'Company Name', 'Region' and whether the client is still active. ${GOES_ON}`,
	busy: GOES_ON,
	unreadable: `Something between n8n and Corrigo, such as a proxy, may have answered in its place. ${GOES_ON}`,
	redirected: `Something between n8n and Corrigo, such as a proxy or a login page, may have answered in its place. ${GOES_ON}`,
	unreachable: `Check the network of n8n and whether Corrigo is available. ${GOES_ON}`,
	timeout: GOES_ON,
	lost: `Check the network of n8n. ${GOES_ON}`,
	cancelled: GOES_ON,
	failed: GOES_ON,
};

export const FAILED_HINT = GOES_ON;
