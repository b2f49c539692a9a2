import { attachedTo, everyKind } from '../owners';

export const documentOwner = attachedTo({
	what: 'document',
	kinds: everyKind,
	usual: 'WO',
	searched: 'WO',
});
