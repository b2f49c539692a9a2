import { isObject } from '../../nodes/Corrigo/values/objects';
import { toPlainUrl } from '../../nodes/Corrigo/values/typedTexts';

/** These change with each write, or say which row it is. */
const NO_CONTENT = /^(Id|ConcurrencyId|.*Utc.*|Updated.*|IsRemoved|\$.*)$/;

const isNone = (value: unknown) =>
	[undefined, null, '', 0, false, 'Unknown', 'None'].includes(value as undefined);

/** Values that mean nothing count as missing, and a part that a write has made as one that is empty. */
export const readContent = (row: object): object =>
	Object.fromEntries(
		Object.entries(row)
			.filter(([name]) => !NO_CONTENT.test(name))
			.map(([name, one]): [string, unknown] => {
				if (!isObject(one)) return [name, name === 'Value' ? toPlainUrl(one) : one];
				const { Id, ...part } = one;
				const inner = readContent(part);
				return [name, Object.keys(inner).length > 0 ? { ...inner, Id } : isPart(name) ? null : Id];
			})
			.filter(([, one]) => !isNone(one))
			.sort(([a], [b]) => (a < b ? -1 : 1)),
	);

/** Parts of a record, which an update makes where there are none. */
const isPart = (name: string) => /^(Address|ContactAddress|Info|Estimate|Quote)$/.test(name);
