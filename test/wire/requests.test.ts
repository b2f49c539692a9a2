import {
	buildCommandRequest,
	buildCreateRequest,
	buildDeleteRequest,
	buildGetRequest,
	buildQueryRequest,
	buildUpdateRequest,
	type ServiceRequest,
} from '../../nodes/Corrigo/wire/requests';

/** The parts of a request that are sent; `unwrap` is tried on an answer of the documented shape. */
const sent = (request: ServiceRequest<unknown>) => {
	const { unwrap, dryRun, ...rest } = { dryRun: undefined, ...request };
	expect(typeof unwrap).toBe('function');
	expect(dryRun === undefined).toBe(rest.reads);
	return rest;
};

const getDryRun = (request: ServiceRequest<unknown>) =>
	request.reads ? undefined : request.dryRun;

it('the request of a get has the Id and the properties in the address', () => {
	const request = buildGetRequest('WorkOrder', 12, ['*', 'Customer.DisplayAs']);
	expect(sent(request)).toEqual({
		method: 'GET',
		path: '/api/v1/base/WorkOrder',
		query: { ID: '12', properties: '*,Customer.DisplayAs' },
		reads: true,
	});
	expect(request.unwrap({ Data: { Id: 12 } })).toEqual({ Id: 12 });
	expect(request.unwrap({ Data: { Id: 13 } })).toBeUndefined();
});

it('the request of a query has the isolation level in a header', () => {
	const QueryExpression = { PropertySet: { Properties: ['*'] }, Count: 5, FirstResultIndex: 0 };
	const request = buildQueryRequest('Contact', QueryExpression);
	expect(sent(request)).toEqual({
		method: 'POST',
		path: '/api/v1/query/Contact',
		headers: {},
		body: { QueryExpression },
		reads: true,
	});
	expect(request.unwrap({ Entities: [{ Data: { Id: 1 } }] })).toEqual([{ Id: 1 }]);
	const { headers } = buildQueryRequest('Contact', QueryExpression, 'Snapshot');
	expect(headers).toEqual({ DataRetrievalIsolationLevel: 'Snapshot' });
});

it('the request of a create has the members in the body', () => {
	const request = buildCreateRequest('Contact', { LastName: 'Miller' }, 'r-1');
	expect(sent(request)).toEqual({
		method: 'POST',
		path: '/api/v1/base/Contact',
		body: { RequestId: 'r-1', Entity: { LastName: 'Miller' } },
		reads: false,
		requestId: 'r-1',
	});
	expect(request.unwrap({ EntitySpecifier: { Id: 5 } })).toEqual({ Id: 5 });
	expect(getDryRun(request)).toEqual({
		answer: { EntityType: 'Contact', Id: 0 },
		Outcome: 'wouldCreate',
		plannedWrite: { does: 'create', entity: 'Contact', fields: { LastName: 'Miller' } },
	});
});

it('the request of an update has the Id in the body, not in the path', () => {
	const changes = { Properties: ['Comment'], Entity: { Id: 12, Comment: 'x' } };
	const request = buildUpdateRequest('Contact', changes, 'r-1');
	expect(sent(request)).toEqual({
		method: 'PUT',
		path: '/api/v1/base/Contact',
		body: { RequestId: 'r-1', Properties: ['Comment'], Entity: { Id: 12, Comment: 'x' } },
		reads: false,
		requestId: 'r-1',
	});
	expect(request.unwrap({ EntitySpecifier: { Id: 12 } })).toEqual({ Id: 12 });
	expect(request.unwrap({ EntitySpecifier: { Id: 13 } })).toBeUndefined();
	expect(getDryRun(request)).toEqual({
		answer: { EntityType: 'Contact', Id: 12 },
		Outcome: 'wouldUpdate',
		plannedWrite: { does: 'update', entity: 'Contact', changes },
	});
});

it('the request of a deletion says in a header whether a missing record is ignored', () => {
	const request = buildDeleteRequest('Contact', 12);
	expect(sent(request)).toEqual({
		method: 'DELETE',
		path: '/api/v1/base/Contact',
		query: { ID: '12' },
		headers: {},
		reads: false,
	});
	const { headers } = buildDeleteRequest('Contact', 12, { ignoresMissing: true });
	expect(headers).toEqual({ IgnoreMissingEntityOnDelete: 'true' });
	expect(request.unwrap({ EntitySpecifier: { Id: 12 } })).toBeDefined();
	for (const body of [{ EntitySpecifier: { Id: 13 } }, {}, '<html>']) {
		expect(request.unwrap(body)).toBeUndefined();
	}
	expect(request.dryRun).toEqual({
		answer: { EntityType: 'Contact', Id: 12 },
		Outcome: 'wouldDelete',
		plannedWrite: { does: 'delete', entity: 'Contact', id: 12 },
	});
});

describe('the request of a command', () => {
	it('of a command that writes', () => {
		const request = buildCommandRequest('WoCancelCommand', { WorkOrderId: 12 }, 'r-1');
		expect(sent(request)).toEqual({
			method: 'POST',
			path: '/api/v1/cmd/WoCancelCommand',
			body: { Command: { WorkOrderId: 12 }, RequestId: 'r-1' },
			reads: false,
			requestId: 'r-1',
		});
		expect(request.unwrap({ CommandResult: { Wo: {} } })).toEqual({ CommandResult: { Wo: {} } });
		expect(request.unwrap({ RequestId: 'r-1' })).toEqual({ CommandResult: {}, RequestId: 'r-1' });
		expect(request.unwrap({ RequestId: 'r-2' })).toBeUndefined();
	});

	it.each([
		['WoCreateCommand', 'wouldCreate', { Wo: { Id: 0 } }],
		['WoCopyCommand', 'wouldCreate', { Wo: { Id: 0 } }],
		['SpaceCreateCommand', 'wouldCreate', { NewSpace: { Id: 0 } }],
		['CreateCommand', 'wouldCreate', { EntitySpecifier: { Id: 0 } }],
		['GeneratePmWoCommand', 'wouldCreate', {}],
		['WoCancelCommand', 'wouldRun', {}],
		['WorkZone/Create', 'wouldRun', {}],
	])('has a dry run of %s: %s', (name, Outcome, CommandResult) => {
		expect(getDryRun(buildCommandRequest(name, {}, 'r'))).toEqual({
			answer: { CommandResult },
			Outcome,
			plannedWrite: { does: 'run', command: name, body: {} },
		});
	});

	it('sends no RequestId if there is none', () => {
		expect(buildCommandRequest('WoCancelCommand', {}, '').body).toEqual({ Command: {} });
	});
});
