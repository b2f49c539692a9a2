import { entityNamed } from '../entities';
import type { Command } from './command';
import { costCommands } from './cost';
import { generalCommands } from './general';
import { peopleCommands } from './people';
import { placeCommands } from './place';
import { workOrderCommands } from './workOrder';

export type { Command } from './command';

const rows = {
	...workOrderCommands,
	...costCommands,
	...placeCommands,
	...peopleCommands,
	...generalCommands,
};

type Rows = typeof rows;

/** Names of commands in the code are checked by the compiler. */
export type CommandName = keyof Rows;

export type CommandMember<Name> = Name extends CommandName
	? keyof Rows[Name]['fields'] & string
	: never;

/** Every class of the Commands namespace that can be called, in the order of the labels. */
export const commands: readonly Command[] = Object.entries(rows)
	.map(([name, row]) => ({ required: [], ...row, name }))
	.sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));

export const commandNamed = (name: string): Command | undefined => byName.get(name.toLowerCase());

/** Whether a command changes nothing, so that it may be repeated and runs in a dry run. */
export function commandReads(name: string, body: unknown): boolean {
	const { reads = false, writesWith } = commandNamed(name) ?? {};
	if (writesWith === undefined) return reads;
	// The whole text is searched: servers ignore case, and also know names such as Command.UpdateRoundRobin.
	const isGiven = new RegExp(`${writesWith}[^"]*":(?!false[,}])`, 'i');
	return reads && !isGiven.test(JSON.stringify(body));
}

/** The entities of members of command answers whose names differ. */
const ANSWER_ENTITIES: Readonly<Record<string, string>> = {
	Financial: 'WorkOrderCost',
	NewSpace: 'Space',
	Wo: 'WorkOrder',
	WorkVerification: 'WoVerification',
};

/** The entity of the record with which a command answers, if it answers with one. */
export function answerEntity(name: string): string | undefined {
	const { answer = '' } = commandNamed(name) ?? {};
	return entityNamed(ANSWER_ENTITIES[answer] ?? answer)?.name;
}
