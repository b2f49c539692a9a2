/** What has been opened so far, for whoever ends the process to close: the last first. */
export const opened: Array<() => Promise<void>> = [];

export async function closeAll() {
	for (let close = opened.pop(); close; close = opened.pop()) await close();
}
