import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { N8nApi } from '../n8n/api';
import { listen, LOOPBACK } from '../process/loopback';

it('a request to n8n does not use a connection that n8n is closing', async () => {
	const closing = new Set<Socket>();
	const server = createServer(({ socket }: IncomingMessage, response) => {
		if (closing.has(socket)) socket.destroy();
		else response.end('{"data":[]}');
		closing.add(socket);
	});
	try {
		const api = new N8nApi(`http://${LOOPBACK}:${await listen(server)}`);
		for (let times = 0; times < 5; times += 1) expect(await api.workflows()).toEqual([]);
	} finally {
		server.closeAllConnections();
		server.close();
	}
});
