import fc from 'fast-check';

import type { Answer } from '../../scripts/live/company';
import { askQuestions } from '../../scripts/live/questions';
import type { Json } from '../../scripts/live/scrub';

const row = fc.oneof(
	fc.constant({ Data: { Id: 7, DisplayAs: 'Weber', TypeId: 'Weber' } }),
	fc.constant({ Data: { Id: 7, DisplayAs: 7, Weber: null } }),
	fc.constantFrom(null, {}, { Data: null }, { Data: 'Weber' }, 'Weber', 7, []),
);
const body = fc.oneof(
	fc.record({ Entities: fc.array(row, { maxLength: 3 }) }),
	fc.constantFrom({ Entities: 'Weber' }, { ErrorCode: 'Weber' }, { ErrorCode: 'ERROR_CODE_6' }),
	fc.constantFrom({ ErrorCode: { Weber: 1 } }, null, 'Weber', '', 7, ['Weber']),
);
const answer = fc.record(
	{ status: fc.constantFrom(200, 204, 302, 400, 401, 429, 503), body },
	{ requiredKeys: ['body'] },
) as fc.Arbitrary<Answer>;

// Promise: Recordings contain no secret
it('questions are reads, and answered without data of the Company, whatever comes back', async () => {
	const answers = fc.array(answer, { minLength: 1, maxLength: 12 });
	const property = fc.asyncProperty(answers, async (list) => {
		const sent: Array<[method: string, path: string]> = [];
		const answered = await askQuestions(async (method, path, request) => {
			sent.push([method, path]);
			expect(Object.keys(request as Json[])).toEqual(['QueryExpression']);
			return await Promise.resolve(list[sent.length % list.length]);
		});
		expect(
			sent.filter(([method, path]) => method !== 'POST' || !/^query\/\w+$/.test(path)),
		).toEqual([]);
		expect(answered.length).toBeGreaterThan(9);
		expect(JSON.stringify(answered)).not.toContain('Weber');
	});
	await fc.assert(property, { numRuns: 300 });
});
