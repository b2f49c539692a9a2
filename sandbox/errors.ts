/** An answer in which the service says no. */
export class ServiceError extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
	) {
		super(message);
	}
}

/** Every handled exception of the service is a 400. */
export function fail(code: string, message: string): never {
	throw new ServiceError(400, code, message);
}

/** A rule of the workflow or of validation; names of entities travel as terminology tokens. */
export function failBusinessLogic(message: string): never {
	return fail('BUSINESS_LOGIC_ERROR', message);
}

/** `{!{Work Order}!}`: what the service leaves in its texts where a Company may use other words. */
export const term = (words: string): string => `{!{${words}}!}`;

export const conflict = (): never =>
	fail('ERROR_CODE_6', 'Data was already modified by another user.');

export function notFound(entity: string, id: number): never {
	return fail('ERROR_CODE_1019', `${entity} with Id ${id} is not found.`);
}
