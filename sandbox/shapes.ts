import { z } from 'zod';

import { fail } from './errors';

export type Json = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of members are not case-sensitive in the service. */
export function member(object: Json, name: string): unknown {
	if (name in object) return object[name];
	const wanted = name.toLowerCase();
	const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === wanted);
	return key === undefined ? undefined : object[key];
}

/** An object with these members; their names are not case-sensitive, and `null` counts as left out. */
const shape = <Shape extends z.ZodRawShape>(members: Shape, strict: boolean) => {
	const canonical = new Map(Object.keys(members).map((name) => [name.toLowerCase(), name]));
	const normalizeNames = (value: unknown): unknown =>
		isJsonObject(value)
			? Object.fromEntries(
					Object.entries(value)
						.filter(([, inner]) => inner !== null)
						.map(([key, inner]) => [canonical.get(key.toLowerCase()) ?? key, inner]),
				)
			: value;
	return z.preprocess(normalizeNames, strict ? z.object(members).strict() : z.object(members));
};

type ShapeOf = <Shape extends z.ZodRawShape>(
	members: Shape,
) => z.ZodType<z.output<z.ZodObject<Shape>>, z.ZodTypeDef, unknown>;

/** Both readings of a request: `strict` rejects unknown keys, `lenient` ignores them. */
export interface RequestShapes<Output> {
	readonly strict: z.ZodType<Output, z.ZodTypeDef, unknown>;
	readonly lenient: z.ZodType<Output, z.ZodTypeDef, unknown>;
}

export const requestShapes = <Output>(
	build: (shapeOf: ShapeOf) => z.ZodType<Output, z.ZodTypeDef, unknown>,
): RequestShapes<Output> => ({
	strict: build((members) => shape(members, true)),
	lenient: build((members) => shape(members, false)),
});

/** The RequestId serves correlation only: numbers are accepted and returned as text. */
export const requestId = z.union([z.string(), z.number()]).transform(String).optional();

/** A member of an enumeration by its name in any case, or by its position. */
export const enumerationMember = (names: readonly string[]) =>
	z
		.union([z.string(), z.number()])
		.refine((value) => canonicalName(names, value) !== undefined, {
			message: `one of ${names.join(', ')} is required`,
		})
		.transform((value) => canonicalName(names, value) ?? '');

/** The declared name for a name in any case, or for a position as a number or text. */
export function canonicalName(names: readonly string[], value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).toLowerCase();
	return /^\d+$/.test(text) ? names[Number(text)] : names.find((n) => n.toLowerCase() === text);
}

export function parseRequest<Output>(
	{ strict, lenient }: RequestShapes<Output>,
	body: unknown,
	isStrict: boolean,
) {
	const result = (isStrict ? strict : lenient).safeParse(body);
	if (result.success) return result.data;
	const [issue] = result.error.errors;
	const where = issue.path.join('.');
	return fail('INCORRECT_MODEL', `Incorrect model: ${where ? `${where}: ` : ''}${issue.message}`);
}
