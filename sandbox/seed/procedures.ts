import type { Row, Store, Values } from '../store/store';
import { linkAttributes } from './customFields';
import { FIRST_ID } from './lookups';
import { addRows, formatDay, firstIds, named } from './rows';
import { MODELS } from './sampleData';

/** The newest completed orders have a procedure whose steps have answers of several types; one in three has a flag. */
const INSPECTED = 6;

function inspections(
	store: Store,
): Record<'WoProcedure' | 'WoProcedureStep' | 'Document', Values[]> {
	const tables = { WoProcedure: [], WoProcedureStep: [], Document: [] } as Record<
		'WoProcedure' | 'WoProcedureStep' | 'Document',
		Values[]
	>;
	const descriptor = { Id: FIRST_ID.attribute + 5 };
	const time = ({ LastActionDateUtc }: Row) => String(LastActionDateUtc);
	const done = store
		.rows('WorkOrder')
		.filter(({ StatusId }) => StatusId === 'Completed')
		.sort((one, other) => time(other).localeCompare(time(one)));
	for (const [index, order] of done.slice(0, INSPECTED).entries()) {
		const { Id: WorkOrderId, LastActionDate } = order;
		const [item] = store.children('WoItem', 'WorkOrderId', WorkOrderId);
		const procedure = { Id: index + 1, WorkOrderId, Index: 1, TypeId: 'Regular', StatusId: 'Done' };
		tables.WoProcedure.push({
			...procedure,
			DisplayAs: 'Fire Door Check',
			ProcedureTemplate: { Id: FIRST_ID.procedureTemplate + 1 },
			Asset: item.Asset,
		});
		const isFlagged = index % 3 === 0;
		const steps: Values[] = [
			{ Description: 'Door closes by itself', TypeId: 'Text' },
			{
				Description: 'Run hours of the closer',
				TypeId: 'Attribute',
				AttrDescriptor: descriptor,
				DataTypeId: 'Decimal',
				DataValue: `${100 + index}.5`,
			},
			{
				Description: 'Photo of the seal',
				TypeId: 'Document',
				IsRequired: true,
				Flag: isFlagged ? { Id: 2 } : undefined,
				Comment: isFlagged ? 'The seal is torn' : undefined,
			},
		];
		for (const [at, step] of steps.entries()) {
			const Id = 10 * (index + 1) + at;
			tables.WoProcedureStep.push({
				...{ Id, WorkOrderId, WoProcedureId: procedure.Id, Index: at + 1, StatusId: 'Done' },
				...step,
			});
		}
		tables.Document.push({
			Title: 'Seal.jpg',
			ActorTypeId: 'Procedure',
			ActorId: 10 * (index + 1) + 2,
			MimeType: 'image/jpeg',
			UpdatedDate: LastActionDate,
			IsPublic: false,
			DocType: { Id: 3 },
		});
	}
	return tables;
}

/** What is done on assets, in which steps, and what it may cost. */
export function seedProcedures(store: Store, until: number): void {
	const template = FIRST_ID.procedureTemplate;
	const [order] = firstIds(store, 'WorkOrder');
	const [space] = store.rows('Space');
	addRows(store, {
		AssetSystem: [
			{ Id: 1, DisplayAs: 'HVAC', Description: 'Heating and cooling' },
			{ Id: 2, DisplayAs: 'Plumbing', Description: 'Water and drains' },
		],
		LinkModelAndAttribute: MODELS.flatMap((_, index) => linkAttributes(FIRST_ID.model + index)),
		ProcedureCategory: named(1, 'Safety', 'Seasonal'),
		ProcedureFlagReason: named(1, 'No Access', 'Parts Missing'),
		ProcedureTemplate: named(template, 'Filter Change', 'Fire Door Check'),
		LinkProcedureCategoryAndTemplate: [
			{ ProcedureCategoryId: 2, ProcedureTemplateId: template },
			{ ProcedureCategoryId: 1, ProcedureTemplateId: template + 1 },
		],
		...inspections(store),
		// Each model has the task that an inspection, a meter or a mail leads to.
		Task: store.rows('Model').map(({ Id }, index) => ({
			ModelId: Id,
			DisplayAs: 'Check and repair',
			Corrective: true,
			CompletionTime: 60,
			Specialty: { Id: (MODELS[index]?.specialty ?? 0) + 1 },
			Priority: { Id: 2 },
		})),
		ProcedureTemplateStep: ['Switch off', 'Replace the filter', 'Switch on'].map(
			(Description, index) => ({
				ProcedureTemplateId: template,
				Index: index + 1,
				Description,
				TypeId: 'Text',
				IsRequired: index !== 1,
			}),
		),
		SpecialtyMoneyValues: [1, 2].map((ParentId) => ({
			ParentId,
			CurrencyTypeId: 'USD',
			Nte: 250 * ParentId,
			AvgCostVendor: 180,
		})),
		TaskMoneyValues: [{ ParentId: FIRST_ID.task, CurrencyTypeId: 'USD', Nte: 400 }],
		Turn: order
			? [
					{
						AssetId: (space.Asset as { Id: number }).Id,
						WorkOrderId: order,
						StatusId: 'Done',
						DtReadyByDue: formatDay(until, -10, 17),
					},
				]
			: [],
	});
}
