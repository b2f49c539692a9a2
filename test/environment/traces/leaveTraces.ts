import { Settings } from 'luxon';
import * as n8n from 'n8n-workflow';

const TRACE = 'trace';

/** Each object that a test file could leave something in for the files after it. */
const shared: object[] = [
	globalThis,
	process.env,
	Error,
	n8n,
	n8n.Workflow.prototype,
	n8n.UserError,
	n8n.UserError.prototype,
];

const traces = () => [
	...shared.filter((object) => Object.hasOwn(object, TRACE)),
	...(process.env.N8N_LOG_LEVEL === 'silent' ? [] : ['N8N_LOG_LEVEL']),
	...(typeof n8n.Workflow.prototype.getNode === 'function' ? [] : ['getNode']),
	...(typeof fetch === 'function' ? [] : ['fetch']),
	...(Settings.throwOnInvalid ? ['throwOnInvalid'] : []),
];

export function leaveTraces(): void {
	expect(traces()).toEqual([]);
	for (const object of shared) Object.assign(object, { [TRACE]: 'left' });
	process.env.N8N_LOG_LEVEL = 'debug';
	Object.assign(n8n.Workflow.prototype, { getNode: undefined });
	Reflect.deleteProperty(globalThis, 'fetch');
	Settings.throwOnInvalid = true;
	jest.useFakeTimers({ now: 0 });
	expect(traces()).toHaveLength(shared.length + 4);
}
