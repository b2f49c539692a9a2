import { getCommand } from './commands';
import { findEntityMemberType } from './entities';

/** Finds the type at the end of a dotted path in an entity, a command or a value object. */
export function findMemberType(owner: string, path: string): string | undefined {
	const [member, ...rest] = path.split('.');
	const fields = getCommand(owner)?.fields ?? {};
	if (!Object.hasOwn(fields, member)) return findEntityMemberType(owner, path);
	const type = fields[member];
	return rest.length === 0 ? type : findEntityMemberType(type.replace('[]', ''), rest.join('.'));
}
