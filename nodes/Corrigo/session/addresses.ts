/** Excludes IP addresses and names that only the local network knows. */
export const isPublicName = (hostname: string) => {
	const name = hostname.replace(/\.$/, '');
	return /\.[a-z][a-z0-9-]*$/i.test(name) && !/\.(localhost|local|internal)$/i.test(name);
};

/** The host must be as `URL` returns it, because an IP address has many notations. */
export function isPublicHost(hostname: string): boolean {
	const address = parseAddress(hostname);
	return address === undefined ? isPublicName(hostname) : isPublicAddress(address);
}

/**
 * n8n refuses a name that leads to one of its own ranges, unless the settings of n8n allow it, so the
 * address of a name that it let pass is judged by the others.
 */
export const isPublicLookup = (ip: string): boolean => {
	const hostname = ip.includes(':') ? new URL(`http://[${ip}]`).hostname : ip;
	const address = parseAddress(hostname);
	return address !== undefined && (isPublicAddress(address) || isInRanges(address, CHECKED_BY_N8N));
};

type Range = [network: bigint, prefix: number];

interface Address {
	bits: 32 | 128;
	value: bigint;
}

function parseAddress(hostname: string): Address | undefined {
	if (/^\d+(\.\d+){3}$/.test(hostname)) {
		const value = hostname.split('.').reduce((all, one) => (all << 8n) | BigInt(one), 0n);
		return { bits: 32, value };
	}
	if (!hostname.startsWith('[')) return undefined;
	const [start, end] = hostname.slice(1, -1).split('::');
	const [first, last] = [start, end ?? ''].map((part) => part.split(':').filter(Boolean));
	const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
	const value = groups.reduce((all, one) => (all << 16n) | BigInt(`0x${one}`), 0n);
	return { bits: 128, value };
}

function parseRange(text: string): Range {
	const [network, prefix] = text.split('/');
	const address = parseAddress(network.includes(':') ? `[${network}]` : network);
	return [address?.value ?? 0n, Number(prefix)];
}

const isInRanges = ({ bits, value }: Address, { [bits]: ranges }: Ranges): boolean =>
	ranges.some(([network, prefix]) => {
		const rest = BigInt(bits - prefix);
		return value >> rest === network >> rest;
	});

type Ranges = Readonly<Record<Address['bits'], readonly Range[]>>;

const toRanges = (v4: string, v6: string): Ranges => {
	const parse = (text: string) => text.trim().split(/\s+/).map(parseRange);
	return { 32: parse(v4), 128: parse(v6) };
};

const CHECKED_BY_N8N = toRanges(
	`0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
	192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24`,
	'::1/128 fe80::/10 fc00::/7',
);

/** The special-purpose registries of the IANA have these, too, and those of multicast addresses. */
const OTHER_SPECIAL = toRanges(
	`100.64.0.0/10 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24 224.0.0.0/4
	240.0.0.0/4`,
	'2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20',
);

/** All other IPv6 addresses are special. */
const GLOBAL_UNICAST = toRanges('0.0.0.0/0', '2000::/3');

/** Translators and sockets take the IPv4 address at the end of these for the real one. */
const EMBEDS_IPV4 = toRanges('255.255.255.255/32', '::ffff:0:0/96 64:ff9b::/96');

function isPublicAddress(address: Address): boolean {
	if (address.bits === 128 && isInRanges(address, EMBEDS_IPV4)) {
		return isPublicAddress({ bits: 32, value: address.value & 0xffffffffn });
	}
	return (
		isInRanges(address, GLOBAL_UNICAST) &&
		!isInRanges(address, CHECKED_BY_N8N) &&
		!isInRanges(address, OTHER_SPECIAL)
	);
}
