import { attachedTo, everyKind } from '../attachments';

export const documentOwner = attachedTo({
	what: 'document',
	kinds: everyKind,
	usual: 'WO',
	searched: 'WO',
});
