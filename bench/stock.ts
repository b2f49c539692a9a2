import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject, INodeParameters, INodeType, VersionedNodeType } from 'n8n-workflow';

import type { NodeSpec } from '../test/engine/engine';

/** Of the n8n that `npm start` runs: what a user would have beside this package. */
const BASE = join(__dirname, '..', 'selfhost', 'node_modules', 'n8n-nodes-base');
const load = createRequire(join(BASE, 'package.json'));

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';
const SPLIT_OUT = 'n8n-nodes-base.splitOut';

export const stockIsInstalled = () => existsSync(BASE);

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
	/** JSON, or an expression that makes some. */
	jsonBody?: string;
	options?: INodeParameters;
}

/** With the credential of this package, as "Predefined Credential Type". */
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

/** One item for each row of the answers. */
export const splitOut: NodeSpec = {
	name: 'Split Out',
	type: SPLIT_OUT,
	parameters: { fieldToSplitOut: 'Entities', options: {} },
};

/** The largest page the service hands out. */
const PAGE = 4000;

/** How the pagination of the node finds the next page. */
export type Paging = 'byId' | 'byOffset';

/** Counting rows off is the plain way; beginning behind the last row spares the service that. */
const NEXT: Record<Paging, (expression: IDataObject) => string> = {
	byId: behindTheLast,
	byOffset: () => `={{ ({ FirstResultIndex: $pageCount * ${PAGE} }) }}`,
};

/** All pages of a query by the pagination of the node itself. */
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
				Count: PAGE,
				FirstResultIndex: 0,
			},
		}),
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [
							{ type: 'body', name: 'QueryExpression', value: NEXT[paging](expression) },
						],
					},
					paginationCompleteWhen: 'other',
					completeExpression: `={{ $response.body.Entities.length < ${PAGE} }}`,
					requestInterval: 0,
				},
			},
		},
	}),
	splitOut,
];

function behindTheLast({ Criteria }: IDataObject): string {
	const own = ((Criteria as IDataObject | undefined)?.Conditions ?? []) as IDataObject[];
	const last = '$pageCount === 0 ? 0 : $response.body.Entities.at(-1).Data.Id';
	const conditions = [
		...own.map((condition) => JSON.stringify(condition)),
		`{ PropertyName: 'Id', Operator: 'GreaterThan', Values: [${last}] }`,
	];
	return `={{ ({ Criteria: { FilterOperator: 'And', Conditions: [${conditions.join(', ')}] } }) }}`;
}
