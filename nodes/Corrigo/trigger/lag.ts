import { toMillis } from './feed/cursor';

export const LAG_WARNING_SECONDS = 3600;

/** Returns the seconds from a change to its delivery, or null if one of the times is unknown. */
export const getLag = (change?: string, delivery?: string): number | null =>
	change === undefined || delivery === undefined
		? null
		: Math.max(0, Math.round((toMillis(delivery) - toMillis(change)) / 1000));

export const getMaxLag = (changes: Array<{ at?: string } | undefined>, delivery?: string) =>
	changes.reduce((longest, change) => Math.max(longest, getLag(change?.at, delivery) ?? 0), 0);

export function buildLagWarning(seconds: number, hasMore: boolean): string {
	const hours = Math.round(seconds / 3600);
	const lag =
		hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
	const more = hasMore ? ', and more are waiting' : '';
	return `This trigger is far behind: it returns changes from up to ${lag} ago${more}`;
}
