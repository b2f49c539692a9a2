import { commandNamed } from './commands';
import { fieldType } from './entities';

/** The type at the end of a dotted path in an entity, a command or a value object. */
export function memberType(owner: string, path: string): string | undefined {
	const [member, ...rest] = path.split('.');
	const type = commandNamed(owner)?.fields[member];
	if (type === undefined) return fieldType(owner, path);
	return rest.length === 0 ? type : fieldType(type.replace('[]', ''), rest.join('.'));
}
