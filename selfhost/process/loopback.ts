import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** A request header. A connection that is kept for the next request may be one that the server is just closing. */
export const newConnection = { connection: 'close' };

/** Listens on the loopback interface and returns the port; 0 takes any free one. */
export async function listen(server: Server, port = 0): Promise<number> {
	server.listen(port, LOOPBACK);
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/**
 * The preferred port, or another free one where that is in use. A program opens its port only seconds
 * later, so it is not one that the system may give to others meanwhile (on Linux from 32768).
 */
export async function freePort(preferred = randomInt(20_000, 30_000)): Promise<number> {
	const server = createServer();
	const port = await listen(server, preferred).catch(() => undefined);
	if (port === undefined) return await freePort();
	await new Promise((resolve) => server.close(resolve));
	return port;
}
