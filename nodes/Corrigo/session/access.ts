import { isReadOnlyCommand } from '../catalogue/commands';
import { tryJson } from '../values/json';
import { isObject } from '../values/objects';
import { findLostJson } from '../values/exactJson';

/** A request before it is sent, in the format of any of n8n's helpers. */
export type OutgoingRequest = Partial<
	Record<
		'method' | 'baseURL' | 'url' | 'uri' | 'qs' | 'headers' | 'body' | 'form' | 'formData',
		unknown
	>
>;

/**
 * A server may treat a request with one of these headers or query parameters as a different one.
 */
const OVERRIDES = /method|ur[il]$/i;

/** Servers read encoded characters and empty segments differently, so only plain paths count. */
const PLAIN_PATH = /^(\/[\w.~-]+)+$/;

const API = /^\/api\/v1\/(query|cmd)\/(\w+)$/i;

/** A request that is not known to only read counts as a write. */
export function isReadRequest(request: OutgoingRequest): boolean {
	const { method, qs = {}, headers = {}, body, form, formData } = request;
	const addresses = [request.url, request.uri].filter((one) => one !== undefined).map(parseAddress);
	const [address] = addresses;
	if (addresses.length !== 1 || address === undefined || !isOrigin(request.baseURL)) return false;
	const isForm = form !== undefined || formData !== undefined;
	if (!isPlain(qs) || !isPlain(headers) || isForm) return false;
	const parameters = [...address.parameters, ...Object.keys(qs)];
	if ([...parameters, ...Object.keys(headers)].some((name) => OVERRIDES.test(name))) return false;

	switch (getMethod(method)) {
		case 'GET':
			// The service may accept a command by GET as well.
			return !/\/cmd\b/i.test(address.path);
		case 'POST': {
			const [, family, name] = API.exec(address.path) ?? [];
			if (name === undefined || parameters.length > 0) return false;
			const isQuery = family.toLowerCase() === 'query';
			const command = typeof body === 'string' && isJson(headers) ? readJson(body) : (body ?? {});
			return isQuery || (isPlain(command) && isReadOnlyCommand(name, command));
		}
		default:
			return false;
	}
}

/** Returns "POST /api/v1/cmd/WoCancelCommand", or only the method if the address is not plain. */
export function toRequestLine({ method, url, uri }: OutgoingRequest): string {
	const { path = '' } = parseAddress(url ?? uri) ?? {};
	return `${getMethod(method)} ${path}`.trim();
}

const getMethod = (method: unknown) => String(method ?? 'GET').toUpperCase();

/** Forms and streams are not sent the way they look, so only plain objects can be judged. */
function isPlain(value: unknown): value is object {
	if (!isObject(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Sent as anything but JSON, a text may mean something else. */
function isJson(headers: object): boolean {
	const types = Object.entries(headers).filter(([name]) => /^content-type$/i.test(name));
	return types.length === 1 && /^application\/json(;\s*charset=utf-8)?$/i.test(String(types[0][1]));
}

/** Servers differ in what they make of repeated names, and of what is not JSON. */
function readJson(text: string): unknown {
	const parsed = tryJson(text);
	return 'value' in parsed && findLostJson(text) === undefined ? parsed.value : undefined;
}

const isOrigin = (base: unknown) =>
	base === undefined || /^https?:\/\/[^/?#\\]+\/?$/i.test(String(base));

function parseAddress(url: unknown): { path: string; parameters: string[] } | undefined {
	const text = String(url);
	const [path, query = '', ...more] = text.replace(/^https?:\/\/[^/?#\\]+/i, '').split('?');
	// Clients remove control characters and never send the part after a hash.
	if (more.length > 0 || /[\p{Cc}#]/u.test(text) || !PLAIN_PATH.test(path)) return undefined;
	return { path, parameters: [...new URLSearchParams(query).keys()] };
}
