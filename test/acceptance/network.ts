import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import net from 'node:net';

const HERE = '127.0.0.1';

type Done = (error: null, address: string | LookupAddress[], family?: number) => void;

/** Records the hosts that this process connects to, and the names that it looks up. */
export function watchNetwork() {
	const hosts = new Set<string>();
	const connect = net.Socket.prototype.connect;
	const connecting = jest.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (
		this: net.Socket,
		...args: unknown[]
	) {
		const [given] = args.flat() as Array<{ host?: string; port?: number }>;
		hosts.add(`${given.host}:${given.port}`);
		return connect.apply(this, args as never);
	});
	// No name server is asked: every name leads to this machine, where nothing listens.
	const lookingUp = jest.spyOn(dns, 'lookup').mockImplementation(((
		name: string,
		...rest: [LookupOptions, Done] | [Done]
	) => {
		const done = rest[rest.length - 1] as Done;
		if (net.isIP(name) === 0) hosts.add(name);
		if ((rest[0] as LookupOptions).all === true) done(null, [{ address: HERE, family: 4 }]);
		else done(null, HERE, 4);
	}) as typeof dns.lookup);
	return {
		hosts,
		stop: () => {
			connecting.mockRestore();
			lookingUp.mockRestore();
		},
	};
}
