import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { RecordedRequest } from '../../sandbox/runtime/journal';

/** What somebody does at the desktop of Corrigo: a new order, or a command on one, or a note. */
export interface DeskWork {
	id?: number;
	command?: string;
	members?: IDataObject;
	note?: string;
}

/** The sandbox as a spec sees it, from another process. */
export class Control {
	constructor(private readonly url: string) {}

	/** What has reached the host of the Company: the bodies of requests to one path. */
	async bodiesSentTo(path: string): Promise<IDataObject[]> {
		const requests = await this.send<RecordedRequest[]>('GET', '/requests');
		return requests
			.filter((request) => request.server === 'api' && request.path.endsWith(path))
			.map(({ body }) => body as IDataObject);
	}

	/** The address of the host, as the service's discovery hands it out. */
	async apiUrl() {
		const { urls } = await this.send<{ urls: { api: string } }>('GET', '/state');
		return urls.api;
	}

	async forgetRequests() {
		await this.send('DELETE', '/requests');
	}

	async atTheDesktop(work: DeskWork) {
		return await this.send<IDataObject & { Id: number; Number: string }>(
			'POST',
			'/work-orders',
			work,
		);
	}

	/** Pushes what has happened since the last time. */
	async push(push: Parameters<Sandbox['push']>[0]) {
		return await this.send<Awaited<ReturnType<Sandbox['push']>>>('POST', '/push', push);
	}

	private async send<T>(method: string, path: string, body?: object): Promise<T> {
		const answer = await fetch(`${this.url}${path}`, {
			method,
			...(body && {
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
		return JSON.parse(text) as T;
	}
}
