/** Programs open a work order at this address of Corrigo. No page of other records is known. */
const ORDER_PAGE = '/corpnet/workorder/workorderdetails.aspx/';

export const buildOrderUrl = (origin: string, id: unknown): string =>
	`${origin}${ORDER_PAGE}${String(id)}`;

/** Undefined if the text is not the address of a work order. */
export function parseOrderUrl(text: string): { origin: string; id: number } | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.pathname.toLowerCase().startsWith(ORDER_PAGE) !== true) return undefined;
	const id = /^[1-9]\d*(?=\/?$)/.exec(url.pathname.slice(ORDER_PAGE.length))?.[0];
	return id === undefined ? undefined : { origin: url.origin, id: Number(id) };
}
