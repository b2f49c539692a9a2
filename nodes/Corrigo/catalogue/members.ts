import { commandNamed } from './commands';
import { fieldType } from './entities';

/** The type of what a dotted path leads to: in an entity, a command, or what stands inside them. */
export function memberType(owner: string, path: string): string | undefined {
	const [member, ...rest] = path.split('.');
	const type = commandNamed(owner)?.fields[member];
	if (type === undefined) return fieldType(owner, path);
	return rest.length === 0 ? type : fieldType(type.replace('[]', ''), rest.join('.'));
}
