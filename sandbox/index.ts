import { Sandbox } from './sandbox';
import type { SandboxOptions } from './runtime/world';

export { Sandbox } from './sandbox';
export type { Fault } from './runtime/faults';
export type { RecordedRequest } from './runtime/journal';
export type { SandboxOptions } from './runtime/world';
export type { Row, Store } from './store/store';

export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> =>
	await Sandbox.start(options);
