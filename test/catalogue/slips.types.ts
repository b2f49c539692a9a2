/**
 * Slips of the pen that must not compile. There is nothing to run: `tsc` in `npm run lint` fails when
 * one of them passes, since its directive is then superfluous.
 */
import { createFieldBuilder, readShownMembers } from '../../nodes/Corrigo/operations/members';
import { buildCommandOperation, sendCommand } from '../../nodes/Corrigo/operations/write/command';
import { buildFormCreate } from '../../nodes/Corrigo/operations/write/formCreate';
import type { EntityRow } from '../../nodes/Corrigo/catalogue/entities/rows';
import type { ItemContext } from '../../nodes/Corrigo/run/context';
import type { EntityName, MemberName, Path } from '../../nodes/Corrigo/catalogue/entities';
import type { View } from '../../nodes/Corrigo/catalogue/views';
import { buildField } from '../../nodes/Corrigo/form/fields';
import { Form } from '../../nodes/Corrigo/form/form';
import { buildReferenceField, type Subject } from '../../nodes/Corrigo/form/subjects';

const order = createFieldBuilder('WorkOrder');

// @ts-expect-error: a member misspelled
order.field('DtDeu', 'due');
// @ts-expect-error: a member of another entity
order.reference('Asset', 'asset', 'asset');
// @ts-expect-error: a kind of reference that there is not
order.reference('Customer', 'customer', 'custommer');
// @ts-expect-error: an entity by the name that people use
createFieldBuilder('Asset');
// @ts-expect-error: a member that another command has
createFieldBuilder('WoCancelCommand').field('Mode', 'mode');
// @ts-expect-error: a member of a command that has none of its own
createFieldBuilder('WoReopenCommand').field('Mode', 'mode');
// @ts-expect-error: a member of a value object misspelled
createFieldBuilder('NewUnitSpecifier').field('UnitNmae', 'unitName');
// @ts-expect-error: the class of a command that there is not
buildCommandOperation({ value: '', action: '', description: '', command: 'WoHoldCommand' });
const texts = { value: '', action: '', description: '' };
const mode = createFieldBuilder('WoAssignCommand').field('Mode', 'mode');
// @ts-expect-error: a shown field that sets a member of another command
buildCommandOperation({ ...texts, command: 'WoCancelCommand', members: [mode] });
// @ts-expect-error: an added field that sets a member of another command
buildCommandOperation({ ...texts, command: 'WoCancelCommand', added: [mode] });
// @ts-expect-error: a member of another command in the body
buildCommandOperation({ ...texts, command: 'WoCancelCommand', buildBody: () => ({ Mode: '' }) });
buildCommandOperation({
	...texts,
	command: 'WoCancelCommand',
	// @ts-expect-error: a member of another command, spread into the body
	buildBody: (context) => ({ Comment: '', ...readShownMembers(context, [mode]) }),
});
export const sendMode = async (context: ItemContext) =>
	// @ts-expect-error: a member of another command, sent by itself
	await sendCommand(context, 'WoCancelCommand', { Mode: '' });
// @ts-expect-error: a field that sets a member of another entity
buildFormCreate({ ...texts, entity: 'Task', members: [mode], buildRecord: async () => ({}) });
// @ts-expect-error: a member of another entity in a new record
buildFormCreate({ ...texts, entity: 'Task', buildRecord: async () => ({ PoNumber: '' }) });
// @ts-expect-error: a list that there is not
buildReferenceField('workorder', 'id');

const form = new Form(() => undefined);
const source = buildField('source', 'options', '', {
	options: [
		{ name: 'File', value: 'file' },
		{ name: 'Link', value: 'link' },
	],
});
// @ts-expect-error: a field by its name, which no declaration holds
form.read('source');
// @ts-expect-error: a field of a group that is no collection
form.readAdded(source, source);
// @ts-expect-error: rows of a field without rows
form.readRows(source);
// @ts-expect-error: a choice that the field does not offer
const isFax = form.read(source) === 'fax';
// @ts-expect-error: a text in place of a number
const pages: number = form.read(buildField('pages', 'string', ''));

// @ts-expect-error: a path that begins with no member
const path: Path<'WorkOrder'> = 'Custommer.DisplayAs';
// @ts-expect-error: a path that ends in no member
const inner: Path<'WorkOrder'> = 'Customer.DisplayAz';
// @ts-expect-error: a property name in place of an entity
const entity: EntityName = 'SubType';
// @ts-expect-error: a create that requires a member misspelled
const row: EntityRow<MemberName<'Contact'>> = { required: ['LastNam'] };
// @ts-expect-error: a subject without a list of its records
const subject: Subject = { label: 'Order', one: 'an order', many: 'orders' };

// @ts-expect-error: a name in no property of the entity
const view: View<Path<'Customer'>> = { names: ['DisplayAz'] };
// @ts-expect-error: an Id in no member of any entity or command
const ids: View['idFields'] = ['CustommerId'];
// @ts-expect-error: an Id in a member of another entity
const ownIds: View['idFields'] = ['WorkZone.ParentId'];

// @ts-expect-error: a filter of the trigger on no property
const filter: Record<string, Path<'WorkOrder'>> = { zone: 'WorkZone.Di' };

export const slips = [path, inner, entity, row, subject, view, ids, ownIds, filter, isFax, pages];
