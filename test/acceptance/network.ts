import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import net from 'node:net';

const HERE = '127.0.0.1';

type Done = (error: null, address: string | LookupAddress[], family?: number) => void;

/** Where this process connects to while it is watched, and names that it looks up. */
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
	// Nobody is asked: names of the world lead to this machine, where nobody listens to them.
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
