/** A name and no path: who saves the file later must not be led to another folder. */
export const plainFileName = (name: string): string =>
	name.split(/[\\/]/).pop()?.trim() || 'document';
