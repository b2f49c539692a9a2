import { buildField, defineField } from '../../nodes/Corrigo/form/fields';
import { Form } from '../../nodes/Corrigo/form/form';
import type { JsonObject } from '../../nodes/Corrigo/values/objects';

const createForm = (inputs: JsonObject) =>
	new Form((name, fallback) => (name in inputs ? inputs[name] : fallback));

const flag = buildField('isUrgent', 'boolean', '', { default: true });
const count = buildField('copies', 'number', '', { typeOptions: { minValue: 1, maxValue: 9 } });
const amount = buildField('amount', 'number', '');
const source = buildField('source', 'options', '', {
	options: [
		{ name: 'Web Address', value: 'link' },
		{ name: 'File', value: 'file' },
	],
	default: 'file',
});
const parts = buildField('parts', 'multiOptions', '', { options: source.options });
const time = buildField('from', 'dateTime', '');
const body = buildField('body', 'json', '');
const text = buildField('title', 'string', '');
const added = defineField({
	displayName: 'More',
	name: 'more',
	type: 'collection',
	default: {},
	options: [text],
});
const rows = defineField({
	displayName: 'Lines',
	name: 'lines',
	type: 'fixedCollection',
	default: { values: [{}] },
	options: [{ displayName: 'Line', name: 'values', values: [amount, source] }],
});

it.each([
	[flag, 'false', false],
	[count, '3', 3],
	[amount, 1.5, 1.5],
	[source, 'link', 'link'],
	[source, 'web address', 'link'],
	[parts, 'File, link', ['file', 'link']],
	[parts, 'file', ['file']],
	[parts, '', []],
	[time, '2026-01-31', '2026-01-31T00:00:00'],
	[body, '{ "a": 1 }', { a: 1 }],
	[text, 12, '12'],
	[text, null, ''],
])('reads a field by its declaration: %#', (field, input, value) => {
	expect(createForm({ [field.name]: input }).read(field)).toEqual(value);
});

it.each([
	[flag, 'maybe', '\'Is Urgent\' must be one of true, false, but it is "maybe"'],
	[count, 1.5, '\'Copies\' must be a whole number, 1 to 9, but it is "1.5"'],
	[source, 'fax', '\'Source\' must be one of link, file, but it is "fax"'],
	[parts, ['file', 'fax'], '\'Parts\' must be one of link, file, but it is "fax"'],
	[time, '', "'From' must be a date and time, but it is empty"],
	[text, { a: 1 }, '\'Title\' must be a text, but it is {"a":1}'],
])('refuses another value with the label of the declaration: %#', (field, input, message) => {
	expect(() => createForm({ [field.name]: input }).read(field)).toThrow(message);
});

it('reads a hidden field as its default, and a hidden group as one without rows', () => {
	const form = createForm({});
	expect(form.read(source)).toBe('file');
	expect(form.readRows(rows)).toEqual([]);
});

it('tells an empty field from a filled one, also in a resource locator', () => {
	const order = defineField({
		displayName: 'Order',
		name: 'order',
		type: 'resourceLocator',
		default: '',
	});
	const isEmpty = (input: unknown) => createForm({ order: input }).isEmpty(order);
	expect([{ mode: 'id', value: ' ' }, { mode: 'id', value: 7 }, []].map(isEmpty)).toEqual([
		true,
		false,
		true,
	]);
	expect(createForm({ from: ' ' }).readOptional(time)).toBeUndefined();
});

it('reads a field of a collection only if it was added', () => {
	expect(createForm({ more: {} }).readAdded(added, text)).toBeUndefined();
	expect(createForm({ more: { title: '' } }).readAdded(added, text)).toBe('');
	expect(() => createForm({ more: { title: [] } }).readAdded(added, text)).toThrow(
		"'Title' must be",
	);
});

it('names the group in the label of a field in a row', () => {
	const [row, other] = createForm({
		lines: { values: [{ amount: 2 }, { amount: 'two', source: 'link' }] },
	}).readRows(rows);
	expect([row.read(amount), row.read(source), other.read(source)]).toEqual([2, 'file', 'link']);
	expect(() => other.read(amount)).toThrow('\'Lines > Amount\' must be a number, but it is "two"');
});
