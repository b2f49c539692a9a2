import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject, INodeParameters, INodeType, VersionedNodeType } from 'n8n-workflow';

import type { NodeSpec } from '../test/support/engine';

/** The nodes of the n8n that `npm start` runs. */
const NODES_BASE = join(__dirname, '..', 'selfhost', 'node_modules', 'n8n-nodes-base');
const load = createRequire(join(NODES_BASE, 'package.json'));

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';
const SPLIT_OUT = 'n8n-nodes-base.splitOut';

export const stockIsInstalled = () => existsSync(NODES_BASE);

export const stockVersion = () => (load('./package.json') as { version: string }).version;

export function stockNodes(): Map<string, INodeType> {
	const { HttpRequest } = load('./dist/nodes/HttpRequest/HttpRequest.node.js') as {
		HttpRequest: new () => VersionedNodeType;
	};
	const { SplitOut } = load('./dist/nodes/Transform/SplitOut/SplitOut.node.js') as {
		SplitOut: new () => INodeType;
	};
	return new Map([
		[HTTP_REQUEST, new HttpRequest().getNodeType()],
		[SPLIT_OUT, new SplitOut()],
	]);
}

interface HttpRequest {
	method?: 'GET' | 'POST' | 'PUT';
	url: string;
	/** JSON, or an expression that returns JSON. */
	jsonBody?: string;
	options?: INodeParameters;
}

/** Uses the Corrigo credential as "Predefined Credential Type". */
export const httpRequest = ({
	method = 'POST',
	url,
	jsonBody,
	options = {},
}: HttpRequest): NodeSpec => ({
	name: 'HTTP Request',
	type: HTTP_REQUEST,
	parameters: {
		method,
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'corrigoApi',
		...(jsonBody === undefined
			? {}
			: { sendBody: true, contentType: 'json', specifyBody: 'json', jsonBody }),
		options,
	},
});

/** Makes one item of each row in the responses. */
export const splitOut: NodeSpec = {
	name: 'Split Out',
	type: SPLIT_OUT,
	parameters: { fieldToSplitOut: 'Entities', options: {} },
};

/** The largest page that the service returns. */
const PAGE_SIZE = 4000;

/** Way in which the node's pagination finds the next page. */
export type Paging = 'byId' | 'byOffset';

/** The offset is the simplest way; continuing after the last ID costs the service less. */
const NEXT_PAGE: Record<Paging, (expression: IDataObject) => string> = {
	byId: nextById,
	byOffset: () => `={{ ({ FirstResultIndex: $pageCount * ${PAGE_SIZE} }) }}`,
};

/** Reads all pages of a query by the node's own pagination. */
export const pagedQuery = (
	url: string,
	expression: IDataObject,
	paging: Paging = 'byId',
): NodeSpec[] => [
	httpRequest({
		url,
		jsonBody: JSON.stringify({
			QueryExpression: {
				...expression,
				Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
				Count: PAGE_SIZE,
				FirstResultIndex: 0,
			},
		}),
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [
							{ type: 'body', name: 'QueryExpression', value: NEXT_PAGE[paging](expression) },
						],
					},
					paginationCompleteWhen: 'other',
					completeExpression: `={{ $response.body.Entities.length < ${PAGE_SIZE} }}`,
					requestInterval: 0,
				},
			},
		},
	}),
	splitOut,
];

function nextById({ Criteria }: IDataObject): string {
	const own = ((Criteria as IDataObject | undefined)?.Conditions ?? []) as IDataObject[];
	const last = '$pageCount === 0 ? 0 : $response.body.Entities.at(-1).Data.Id';
	const conditions = [
		...own.map((condition) => JSON.stringify(condition)),
		`{ PropertyName: 'Id', Operator: 'GreaterThan', Values: [${last}] }`,
	];
	return `={{ ({ Criteria: { FilterOperator: 'And', Conditions: [${conditions.join(', ')}] } }) }}`;
}
