import type { Json } from '../../scripts/live/scrub';
import { compareShapes } from './shapes';

it.each<[string, Json, Json, string[]]>([
	['other values', { Entities: [{ Data: { Id: 1 } }] }, { Entities: [{ Data: { Id: 2 } }] }, []],
	['a list without rows', { Entities: [] }, { Entities: [{ Data: { Id: 2 } }] }, []],
	['another member', { A: 1, B: 'x' }, { A: 1 }, ['.B: recorded text, sandbox nothing']],
	['null for a missing member', { A: null }, {}, ['.A: recorded null, sandbox nothing']],
	['another type', { A: '1' }, { A: 1 }, ['.A: recorded text, sandbox number']],
	[
		'a time with a zone',
		{ A: '2022-03-25T12:30:00Z' },
		{ A: '2022-03-25T12:30:00' },
		['.A: recorded time with Z, sandbox time without zone'],
	],
	['another order', { A: 1, B: 1 }, { B: 1, A: 1 }, ['order: recorded .A .B, sandbox .B .A']],
	[
		'another error',
		{ ErrorCode: 'ERROR_CODE_6', ErrorMessage: 'a' },
		{ ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'b' },
		['.ErrorCode: recorded ERROR_CODE_6, sandbox ERROR_CODE_1002'],
	],
])('the comparison of an answer with the sandbox shows %s', (_, recorded, sandbox, expected) => {
	expect(compareShapes(recorded, sandbox)).toEqual(expected);
});
