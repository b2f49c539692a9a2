import { Settings } from 'luxon';
import { UserError } from 'n8n-workflow';
import * as n8n from 'n8n-core';

const TRACE = 'trace';

/** Each object that a test file could leave something in for the files after it. */
const shared: object[] = [
	globalThis,
	process.env,
	Error,
	n8n,
	n8n.WorkflowExecute.prototype,
	UserError,
	UserError.prototype,
];

const traces = () => [
	...shared.filter((object) => Object.hasOwn(object, TRACE)),
	...(process.env.N8N_LOG_LEVEL === 'silent' ? [] : ['N8N_LOG_LEVEL']),
	...(typeof n8n.WorkflowExecute.prototype.run === 'function' ? [] : ['run']),
	...(typeof fetch === 'function' ? [] : ['fetch']),
	...(Settings.throwOnInvalid ? ['throwOnInvalid'] : []),
];

export function leaveTraces(): void {
	expect(traces()).toEqual([]);
	for (const object of shared) Object.assign(object, { [TRACE]: 'left' });
	process.env.N8N_LOG_LEVEL = 'debug';
	Object.assign(n8n.WorkflowExecute.prototype, { run: undefined });
	Reflect.deleteProperty(globalThis, 'fetch');
	Settings.throwOnInvalid = true;
	expect(traces()).toHaveLength(shared.length + 4);
}
