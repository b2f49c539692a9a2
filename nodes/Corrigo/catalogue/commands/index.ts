import type { Command } from './command';
import { costCommands } from './cost';
import { generalCommands } from './general';
import { peopleCommands } from './people';
import { placeCommands } from './place';
import { workOrderCommands } from './workOrder';

export type { Command } from './command';

/** Every class of the Commands namespace that can be called, in the order of the labels. */
export const commands: readonly Command[] = [
	...workOrderCommands,
	...costCommands,
	...placeCommands,
	...peopleCommands,
	...generalCommands,
].sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(commands.map((command) => [command.name.toLowerCase(), command]));

export const commandNamed = (name: string): Command | undefined => byName.get(name.toLowerCase());
