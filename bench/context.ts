import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Baseline } from './baseline';
import { CORRIGO, openEngine, type Expressions } from './engine';
import type { Service } from './service';

export type BenchContext = Awaited<ReturnType<typeof openContext>>;

/** Opens everything that the contenders use, with an open session. */
export async function openContext(service: Service, expressions: Expressions) {
	const engine = await openEngine(service, expressions);
	await engine.openSession();
	const baseline = new Baseline(service, engine.token());
	return {
		service,
		engine,
		baseline,
		url: (path: string) => `${service.apiUrl}/api/v1/${path}`,
		/** Runs an operation of the Corrigo node, such as `workOrder:get`. */
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
