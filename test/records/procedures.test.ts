import { addSteps, listFlaggedSteps } from '../../nodes/Corrigo/records/procedures';
import { startCpuTime } from '../support/cpu';

it('many steps are joined with many procedures in a time that grows with their number', () => {
	const rows = Array.from({ length: 60_000 }, (_, index) => ({ Id: index + 1, Index: index }));
	const steps = rows.map(({ Id }) => ({ Id, WoProcedureId: 60_001 - Id, Flag: { Id: 1 } }));
	const readCpuTime = startCpuTime();
	const flagged = listFlaggedSteps(addSteps(rows, steps));
	expect(readCpuTime()).toBeLessThan(5);
	expect(flagged).toHaveLength(60_000);
	expect(flagged[0]).toMatchObject({ Id: 60_000, Procedure: { Id: 1 } });
});
