import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { CORRIGO, openEngine } from './engine';
import { Floor } from './baseline';
import type { Service } from './service';

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** All that the contenders work with, in one process, its session open. */
export async function openDesk(service: Service) {
	const engine = openEngine(service);
	await engine.openSession();
	const floor = new Floor(service, engine.token());
	return {
		service,
		engine,
		floor,
		url: (path: string) => `${service.apiUrl}/api/v1/${path}`,
		/** `resource:operation` of this node. */
		node: async (
			operation: string,
			parameters: INodeParameters,
			items: INodeExecutionData[] = [{ json: {} }],
		) => {
			const [resource, name] = operation.split(':');
			return await engine.run(
				[
					{
						name: 'Corrigo',
						type: CORRIGO,
						parameters: { resource, operation: name, ...parameters },
					},
				],
				items,
			);
		},
	};
}
