import { attachments, everyKind } from '../attachments';

export const documentOwner = attachments({
	what: 'document',
	kinds: everyKind,
	usual: 'WO',
	searched: 'WO',
});
