import { devNull } from 'node:os';

import { startDaemon } from '../../selfhost/process/daemon';
import { runProgram } from '../../selfhost/process/program';

async function serve() {
	const { ended } = await startDaemon({
		name: 'The server',
		command: process.execPath,
		args: ['-e', "setInterval(() => {}, 1e6); console.log('Ready')"],
		cwd: __dirname,
		logFile: devNull,
		readyLine: 'Ready',
	});
	console.log('The server is up');
	await ended;
	return false;
}

void runProgram(serve);
