import type { Credential, WorkflowFile } from '../n8n/api';

const OWN_NODES = 'n8n-nodes-corrigo.';

/** Sets a credential in the nodes of this package, or in those of another type. */
export const withCredential = (
	file: WorkflowFile,
	{ id, name, type }: Credential,
	nodeType = OWN_NODES,
) => ({
	...file,
	nodes: file.nodes.map((node) =>
		node.type.includes(nodeType)
			? { ...node, credentials: { ...node.credentials, [type]: { id, name } } }
			: node,
	),
});
