import { commandNamed } from './commands';
import { fieldType } from './entities';

/** Finds the type at the end of a dotted path in an entity, a command or a value object. */
export function memberType(owner: string, path: string): string | undefined {
	const [member, ...rest] = path.split('.');
	const fields = commandNamed(owner)?.fields ?? {};
	if (!Object.hasOwn(fields, member)) return fieldType(owner, path);
	const type = fields[member];
	return rest.length === 0 ? type : fieldType(type.replace('[]', ''), rest.join('.'));
}
