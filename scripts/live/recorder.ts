/** Keeps the exchanges of this process in memory, as n8n sends them by axios. */
import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';

import type { Exchange, Json } from './scrub';

const parse = (text: string): Json => {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text;
	}
};

/** Bodies are JSON, a form, or text. */
function toJson(data: unknown): Json {
	if (data === undefined || data === null) return null;
	if (data instanceof URLSearchParams) return Object.fromEntries(data);
	if (typeof data !== 'string') return JSON.parse(JSON.stringify(data)) as Json;
	return /^\w+=/.test(data) ? Object.fromEntries(new URLSearchParams(data)) : parse(data);
}

const toHeaders = (headers: AxiosResponse['headers']) =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Every exchange is added to the list until the recorder stops. */
export function startRecorder(): { exchanges: Exchange[]; stop: () => void } {
	const exchanges: Exchange[] = [];
	const record = (config: InternalAxiosRequestConfig, response?: AxiosResponse) => {
		exchanges.push({
			method: (config.method ?? 'get').toUpperCase(),
			url: axios.getUri(config),
			body: toJson(config.data),
			...(response === undefined ? {} : { status: response.status }),
			headers: response === undefined ? {} : toHeaders(response.headers),
			answer: response === undefined ? null : toJson(response.data),
		});
	};
	const { response: interceptors } = axios.interceptors;
	const interceptor = interceptors.use(
		(response) => {
			record(response.config, response);
			return response;
		},
		async (error: unknown) => {
			if (axios.isAxiosError(error) && error.config) record(error.config, error.response);
			throw error;
		},
	);
	return { exchanges, stop: () => interceptors.eject(interceptor) };
}
