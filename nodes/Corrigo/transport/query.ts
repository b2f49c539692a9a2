import type { JsonObject } from '../protocol/checks';
import { pageExpression, START, takePage, type Position, type Query } from '../protocol/paging';
import { queryRequest } from '../protocol/requests';
import { apiError } from './errors';
import { send, type Caller, type SendOptions } from './send';

export interface QueryOptions extends SendOptions {
	isolationLevel?: string;
}

/** All rows of a query, page by page. */
export async function* pages(
	caller: Caller,
	entity: string,
	query: Query,
	options: QueryOptions = {},
): AsyncGenerator<JsonObject[]> {
	let position: Position | undefined = START;
	while (position !== undefined) {
		const expression = pageExpression(query, position);
		const answer = await send(
			caller,
			queryRequest(entity, expression, options.isolationLevel),
			options,
		);
		const page = takePage(query, position, answer);
		if ('stuck' in page) {
			const hint = "Set 'Distinct' in 'Options', or choose another 'Paging Method'.";
			throw apiError(caller.getNode(), page.stuck, hint, { itemIndex: options.item });
		}
		yield page.rows;
		position = page.next;
	}
}
