import { describeRequest } from '../../../nodes/Corrigo/run/preview/dryRun';
import { buildCreateRequest, buildDeleteRequest } from '../../../nodes/Corrigo/wire/requests';

it('a dry run shows query and headers only if there are any', () => {
	expect(describeRequest(buildDeleteRequest('Contact', 12, { ignoresMissing: true }))).toEqual({
		method: 'DELETE',
		path: '/api/v1/base/Contact?ID=12',
		headers: { IgnoreMissingEntityOnDelete: 'true' },
	});
	expect(Object.keys(describeRequest(buildDeleteRequest('Contact', 12)))).toEqual([
		'method',
		'path',
	]);
});

it('a dry run truncates very long texts without changing the body', () => {
	const Body = 'x'.repeat(2001);
	const entity = { Blob: { FileName: 'a', Body }, Rows: [{ Text: 'y'.repeat(2000) }, null, 1] };
	const request = buildCreateRequest('Document', entity, 'r');
	expect(describeRequest(request)).toEqual({
		method: 'POST',
		path: '/api/v1/base/Document',
		body: {
			RequestId: 'r',
			Entity: {
				...entity,
				Blob: { FileName: 'a', Body: `${'x'.repeat(100)}… (2001 characters)` },
			},
		},
	});
	expect(entity.Blob.Body).toBe(Body);
});
