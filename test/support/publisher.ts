/** n8n's own part in publishing a workflow whose trigger polls, without its clock. */
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import type { Sandbox } from '../../sandbox';
import { buildTriggerNode, type loadNodes } from './activeTrigger';
import { StoredCredentialsHelper } from './credentials';
import { credentialsOf, jsonOf } from './company';
import {
	ActiveWorkflowTriggers,
	PollContext,
	PollTriggerExecutor,
	Tracing,
	TriggersAndPollers,
	withExpressions,
} from './host';
import { createNodeTypes } from './nodes';
import { additionalDataFor, createWorkflow } from './run';

type Services = ConstructorParameters<typeof ActiveWorkflowTriggers>;
type Nodes = Awaited<ReturnType<typeof loadNodes>>;

const ignore = () => {};
const logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };
const quiet = { ...logger, scoped: () => quiet } as unknown as Services[0];
const reporter = { error: ignore } as unknown as Services[3];

/** Polls come when a test asks for them, rather than at the times of a schedule. */
class Schedule {
	private readonly tasks = new Map<string, Array<() => void>>();
	register({ targetId }: { targetId: string }, onTick: () => void): boolean {
		this.tasks.set(targetId, [...(this.tasks.get(targetId) ?? []), onTick]);
		return true;
	}
	deregisterGroup(): boolean {
		const hadAny = this.tasks.size > 0;
		this.tasks.clear();
		return hadAny;
	}
	deregisterTarget = (_group: unknown, targetId: string) => this.tasks.delete(targetId);
	getTargetIds = () => [...this.tasks.keys()];
	hasGroup = () => this.tasks.size > 0;
	tick = () => [...this.tasks.values()].flat().forEach((run) => run());
}

const POLL_TIMES: INodeProperties = {
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: { item: [{ mode: 'everyMinute' }] },
	options: [
		{
			name: 'item',
			displayName: 'Item',
			values: [{ displayName: 'Mode', name: 'mode', type: 'string', default: 'everyMinute' }],
		},
	],
};

let count = 0;

/** An n8n with one workflow, in the database that all of its processes share. */
export function createPublisher(sandbox: Sandbox, parameters: INodeParameters) {
	const workflowId = `published ${++count}`;
	let database = '{}';
	/** The items of executions. */
	const executed: IDataObject[][] = [];
	/** Writes of states that n8n has begun. */
	const saves: Array<() => void> = [];
	const save = () => saves.splice(0).forEach((write) => write());
	const running: Array<Promise<unknown>> = [];
	const failures: Error[] = [];
	let pending = 0;

	function start({ CorrigoTrigger }: Nodes) {
		class Polling extends CorrigoTrigger {
			constructor() {
				super();
				// n8n adds the poll times to nodes that poll.
				this.description.properties.unshift(POLL_TIMES);
			}
		}
		/** Notes all polls, from before n8n prepares them until it has dealt with what they returned. */
		class Executor extends PollTriggerExecutor {
			override create(...given: Parameters<PollTriggerExecutor['create']>) {
				const execute = super.create(...given);
				return async (isFirst?: boolean): Promise<void> => {
					const executed = execute(isFirst);
					pending += 1;
					running.push(executed.catch(ignore).finally(() => (pending -= 1)));
					await executed;
				};
			}
		}
		const nodeTypes = createNodeTypes({ corrigoTrigger: Polling });
		const helper = new StoredCredentialsHelper(
			[new CorrigoApi()],
			credentialsOf(sandbox),
			nodeTypes,
		);
		const schedule = new Schedule();
		const pollers = new TriggersAndPollers();
		const executor = new Executor(quiet as never, pollers, new Tracing(), reporter);
		const active = new ActiveWorkflowTriggers(
			quiet,
			schedule as unknown as Services[1],
			pollers,
			reporter,
			executor,
		);
		const isOfThis = { dead: false };
		return {
			/** Kills the process: nothing of it reaches the database any more. */
			kill: () => (isOfThis.dead = true),
			tick: schedule.tick,
			async publish(activation: WorkflowActivateMode): Promise<void> {
				const workflow = createWorkflow(
					nodeTypes,
					[buildTriggerNode({ ...parameters, pollTimes: { item: [{ mode: 'everyMinute' }] } })],
					{},
					JSON.parse(database) as IDataObject,
					workflowId,
				);
				const begin = () => {
					const text = JSON.stringify(workflow.staticData);
					saves.push(() => {
						if (!isOfThis.dead) database = text;
					});
				};
				await withExpressions(
					workflow,
					async () =>
						await active.addAllTriggers(
							workflowId,
							workflow,
							additionalDataFor(helper),
							'trigger',
							activation,
							ignore as never,
							((_: unknown, node: never, additionalData: never, mode: never) =>
								new PollContext(
									workflow,
									node,
									additionalData,
									mode,
									activation,
									(items) => {
										if (isOfThis.dead) return;
										begin();
										executed.push(...items.map(jsonOf));
									},
									(error) => failures.push(error),
								)) as never,
						),
				);
				begin();
			},
			unpublish: async () => await active.remove(workflowId),
		};
	}
	return {
		start,
		save,
		executed,
		/** Errors of polls. */
		failures,
		isPolling: () => pending > 0,
		/** Resolves when the polls that have begun are over, and n8n has dealt with what they returned. */
		async idle(): Promise<void> {
			while (running.length > 0) {
				await Promise.all(running.splice(0));
			}
		},
	};
}
