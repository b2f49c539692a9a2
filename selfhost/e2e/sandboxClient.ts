import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { RecordedRequest } from '../../sandbox/runtime/journal';
import type { Row } from '../../sandbox/store/store';
import { newConnection } from '../process/loopback';

/** Work of another user: a new work order, or a change of one or of its vendor invoice, a command on it, or a note. */
export interface DesktopAction {
	id?: number;
	command?: string;
	members?: IDataObject;
	invoice?: IDataObject;
	note?: string;
}

/** Client for the control server of the sandbox, which runs in another process. */
export class SandboxClient {
	constructor(private readonly url: string) {}

	/** Bodies of the requests to a path of the Company's host. */
	async bodiesSentTo(path: string): Promise<IDataObject[]> {
		const requests = await this.send<RecordedRequest[]>('GET', '/requests');
		return requests
			.filter((request) => request.server === 'api' && request.path.endsWith(path))
			.map(({ body }) => body as IDataObject);
	}

	/** All records of an entity, read from the data itself. */
	async rows(entity: string) {
		return await this.send<Row[]>('GET', `/rows/${entity}`);
	}

	/** Address of the Company's host, as discovery returns it. */
	async apiUrl() {
		const { urls } = await this.send<{ urls: { api: string } }>('GET', '/state');
		return urls.api;
	}

	/** Lets requests fail, until `work` has ended. */
	async withFault<T>(fault: Parameters<Sandbox['fault']>[0], work: () => Promise<T>): Promise<T> {
		await this.send('POST', '/fault', fault);
		try {
			return await work();
		} finally {
			await this.send('DELETE', '/fault');
		}
	}

	async forgetRequests() {
		await this.send('DELETE', '/requests');
	}

	async actInDesktop(action: DesktopAction) {
		return await this.send<IDataObject & { Id: number; Number: string }>(
			'POST',
			'/work-orders',
			action,
		);
	}

	/** Pushes the changes since the last push. */
	async push(push: Parameters<Sandbox['push']>[0]) {
		return await this.send<Awaited<ReturnType<Sandbox['push']>>>('POST', '/push', push);
	}

	private async send<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: { 'content-type': 'application/json', ...newConnection },
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text) as T;
	}
}
