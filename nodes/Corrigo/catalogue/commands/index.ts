import { getEntity } from '../entities';
import { toTitle } from '../enumerations/labels';
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

/** The compiler checks names of commands in the code. */
export type CommandName = keyof Rows;

export type CommandMember<Name> = Name extends CommandName
	? keyof Rows[Name]['fields'] & string
	: never;

/** Every class of the Commands namespace that can be called, sorted by label. */
export const commands: readonly Command[] = Object.entries(rows)
	.map(([name, row]) => {
		const label = toTitle(name.replace(/(Command|Routine)$/, ''));
		return { label, required: [], ...row, name };
	})
	.sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));

export const getCommand = (name: string): Command | undefined => byName.get(name.toLowerCase());

/** A command that changes nothing may be repeated, and runs in a dry run. */
export function isReadOnlyCommand(name: string, body: unknown): boolean {
	const { reads = false, writesWith } = getCommand(name) ?? {};
	// A server may take `$type` for the command, and the address for a mere hint.
	const writing = ['"\\$type":', ...(writesWith ? [`${writesWith}[^"]*":(?!false[,}])`] : [])];
	// Servers ignore case and accept Command.UpdateRoundRobin, too, so the whole text is searched.
	return reads && !new RegExp(writing.join('|'), 'i').test(JSON.stringify(body));
}

/** Some members of command answers do not have the name of their entity. */
const ANSWER_ENTITIES: Readonly<Record<string, string>> = {
	Financial: 'WorkOrderCost',
	NewSpace: 'Space',
	Wo: 'WorkOrder',
	WorkVerification: 'WoVerification',
};

/** Some commands answer with a record, whose entity is found here. */
export function findAnswerEntity(name: string): string | undefined {
	const { answer = '' } = getCommand(name) ?? {};
	return getEntity(ANSWER_ENTITIES[answer] ?? answer)?.name;
}
