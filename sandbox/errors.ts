/** An error answer of the service. */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
	) {
		super(message);
	}
}

/** The service answers every handled exception with 400. */
export function fail(code: string, message: string): never {
	throw new ServiceError(400, code, message);
}

/** Fails for a broken rule of the workflow or of validation; entities are named by terminology tokens. */
export function failBusinessLogic(message: string): never {
	return fail('BUSINESS_LOGIC_ERROR', message);
}

/** `{!{Work Order}!}`: the token in texts of the service that stands for a word each Company may choose. */
export const term = (words: string): string => `{!{${words}}!}`;

export const conflict = (): never =>
	fail('ERROR_CODE_6', 'Data was already modified by another user.');

export function notFound(entity: string, id: number): never {
	return fail('ERROR_CODE_1019', `${entity} with Id ${id} is not found.`);
}
