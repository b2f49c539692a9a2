import { toTheSecond } from './cursor';

/** In seconds. */
export const FAR_BEHIND = 3600;

/** Seconds from a change to its delivery, where both times are known. */
export const lagOf = (change?: string, delivery?: string): number | null =>
	change === undefined || delivery === undefined
		? null
		: Math.max(0, Math.round((toTheSecond(delivery) - toTheSecond(change)) / 1000));

export const longestLag = (changes: Array<{ at?: string } | undefined>, delivery?: string) =>
	changes.reduce((longest, change) => Math.max(longest, lagOf(change?.at, delivery) ?? 0), 0);

export function farBehind(seconds: number, hasMore: boolean): string {
	const hours = Math.round(seconds / 3600);
	const lag =
		hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
	const more = hasMore ? ', and more is waiting' : '';
	return `This trigger is far behind: it hands out what happened up to ${lag} ago${more}`;
}
