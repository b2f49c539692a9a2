export const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** Excludes IP addresses and names that only the local network knows. */
export const isPublicName = (hostname: string) => {
	const name = hostname.replace(/\.$/, '');
	return /\.[a-z][a-z0-9-]*$/i.test(name) && !/\.(localhost|local|internal)$/i.test(name);
};

/** The host must be as `URL` returns it, because an IP address has many notations. */
export function isPublicHost(hostname: string): boolean {
	if (hostname.startsWith('[')) {
		return GLOBAL_IPV6.test(hostname) && !EMBEDDED_IPV4.test(hostname);
	}
	return /^[\d.]+$/.test(hostname) ? !SPECIAL_IPV4.test(hostname) : isPublicName(hostname);
}

/** The ranges are this network, private, shared, loopback, link-local, reserved and multicast. */
const SPECIAL_IPV4 =
	/^(0|10|127|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(1[6-9]|2\d|3[01])|192\.0\.0|192\.168|198\.1[89]|2(2[4-9]|[345]\d))\./;

const GLOBAL_IPV6 = /^\[[23][\da-f]{3}:/;
/** Teredo and 6to4 addresses route to the IPv4 address inside them. */
const EMBEDDED_IPV4 = /^\[(2001:0?:|2002:)/;
