import {
	type RecordNotice,
	filterRelevant,
	buildNoticeCriteria,
} from '../../nodes/Corrigo/webhook/changeNotices';

const order: RecordNotice = { id: 1, entity: 'WorkOrder' };
const costs: RecordNotice = { id: 2, entity: 'WorkOrderCost' };
const note: RecordNotice = { id: 3, entity: 'WoNote' };
const document: RecordNotice = { id: 4, entity: 'Document' };
const customer: RecordNotice = { id: 5, entity: 'Customer' };
const unknown: RecordNotice = { id: 6 };
const all = [order, costs, note, document, customer, unknown];

const isIn = (PropertyName: string, ...Values: number[]) => ({
	PropertyName,
	Operator: 'In',
	Values,
});

it.each([
	['WorkOrder', [order, costs, unknown], [isIn('Id', 1, 2, 6)]],
	['WoActionLog', [order, costs, unknown], [isIn('Id', 6), isIn('WorkOrderId', 1, 2, 6)]],
	['WoNote', [order, costs, note, unknown], [isIn('Id', 3, 6), isIn('WorkOrderId', 1, 2, 6)]],
	['WoQuote', [order, costs, unknown], [isIn('Id', 6), isIn('WoId', 1, 2, 6)]],
	['Customer', [customer, unknown], [isIn('Id', 5, 6)]],
	['Unheard', [unknown], [isIn('Id', 6)]],
])('change notices are matched with rows of %s', (entity, relevant, Conditions) => {
	expect(filterRelevant(entity, all)).toEqual(relevant);
	expect(buildNoticeCriteria(entity, relevant)).toEqual([{ FilterOperator: 'Or', Conditions }]);
});

it('change notices are matched with documents, also by their work orders', () => {
	const relevant = [order, costs, document, unknown];
	expect(filterRelevant('Document', all)).toEqual(relevant);
	const ofOrder = { PropertyName: 'ActorTypeId', Operator: 'Equal', Values: ['WO'] };
	expect(buildNoticeCriteria('Document', relevant)).toMatchObject([
		{
			Conditions: [isIn('Id', 4, 6)],
			Filters: [{ FilterOperator: 'And', Conditions: [ofOrder, isIn('ActorId', 1, 2, 6)] }],
		},
	]);
});

it('criteria have no more Ids than a condition may have', () => {
	const many = Array.from({ length: 1200 }, (_, index) => ({ id: index + 1, entity: 'WorkOrder' }));
	const criteria = buildNoticeCriteria('WorkOrder', many);
	const values = criteria.map(({ Conditions = [] }) => Conditions[0].Values);
	expect(values.map(({ length }) => length)).toEqual([500, 500, 200]);
	expect(values.flat()).toEqual(many.map(({ id }) => id));
});
