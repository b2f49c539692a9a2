export type Table<Value> = Readonly<Record<string, Value>>;

/**
 * Creates a table whose values are found by names. Anybody may write such a name, so a table has
 * nothing that other objects inherit, such as `constructor`.
 */
export const createTable = <Value>(values: Table<Value>): Table<Value> =>
	Object.assign(Object.create(null) as Table<Value>, values);
