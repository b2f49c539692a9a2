import { z } from 'zod';

import { fail } from './errors';

export type Json = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member by name in whatever case: the service does not care how its names are written. */
export function member(object: Json, name: string): unknown {
	if (name in object) return object[name];
	const wanted = name.toLowerCase();
	const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === wanted);
	return key === undefined ? undefined : object[key];
}

/** An object with these members, names in any case, `null` as good as left out. */
const shape = <Shape extends z.ZodRawShape>(members: Shape, strict: boolean) => {
	const canonical = new Map(Object.keys(members).map((name) => [name.toLowerCase(), name]));
	const rename = (value: unknown): unknown =>
		isJsonObject(value)
			? Object.fromEntries(
					Object.entries(value)
						.filter(([, inner]) => inner !== null)
						.map(([key, inner]) => [canonical.get(key.toLowerCase()) ?? key, inner]),
				)
			: value;
	return z.preprocess(rename, strict ? z.object(members).strict() : z.object(members));
};

type ShapeOf = <Shape extends z.ZodRawShape>(
	members: Shape,
) => z.ZodType<z.output<z.ZodObject<Shape>>, z.ZodTypeDef, unknown>;

/** A request in its two readings: keys that nobody asks for are refused, or ignored. */
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

/** Correlation only: a number is as good as a text, and comes back as one. */
export const requestId = z.union([z.string(), z.number()]).transform(String).optional();

/** One of a list of names in any case, or its position in the list. */
export const enumerationMember = (names: readonly string[]) =>
	z
		.union([z.string(), z.number()])
		.refine((value) => canonicalName(names, value) !== undefined, {
			message: `one of ${names.join(', ')} is required`,
		})
		.transform((value) => canonicalName(names, value) ?? '');

/** The canonical name for a name in any case, an integer or an integer in a text. */
export function canonicalName(names: readonly string[], value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).toLowerCase();
	return /^\d+$/.test(text) ? names[Number(text)] : names.find((n) => n.toLowerCase() === text);
}

/** Reads a request by its shape; anything else than that shape is refused. */
export function parseRequest<Output>(
	{ strict, lenient }: RequestShapes<Output>,
	body: unknown,
	exact: boolean,
) {
	const result = (exact ? strict : lenient).safeParse(body);
	if (result.success) return result.data;
	const [mistake] = result.error.errors;
	const where = mistake.path.join('.');
	return fail('INCORRECT_MODEL', `Incorrect model: ${where ? `${where}: ` : ''}${mistake.message}`);
}
