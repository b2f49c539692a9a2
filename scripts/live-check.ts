/** `npm run live-check -- [report.md] [--record DIR]`, on the Company in the environment. */
// The setup of the benchmark makes the n8n engine run outside of a test.
import '../bench/setup';

import { checkCompany } from './live/check';

const print = (report: string) => void process.stdout.write(report);

checkCompany(process.argv.slice(2), process.env, print).then(
	(passed) => {
		if (!passed) process.exitCode = 1;
	},
	(error: Error) => {
		console.error(error.message);
		process.exitCode = 2;
	},
);
