import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, formatDay, firstIds, named } from './rows';

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
		LinkModelAndAttribute: [0, 1].map((index) => ({
			ModelId: FIRST_ID.model,
			AttributeDescriptorId: FIRST_ID.attribute + index,
		})),
		ProcedureCategory: named(1, 'Safety', 'Seasonal'),
		ProcedureFlagReason: named(1, 'No Access', 'Parts Missing'),
		ProcedureTemplate: named(template, 'Filter Change', 'Fire Door Check'),
		LinkProcedureCategoryAndTemplate: [
			{ ProcedureCategoryId: 2, ProcedureTemplateId: template },
			{ ProcedureCategoryId: 1, ProcedureTemplateId: template + 1 },
		],
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
