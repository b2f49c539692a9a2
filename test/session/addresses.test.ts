import { BlockList } from 'node:net';
import fc from 'fast-check';

import { cases } from '../cases';
import { isPublicHost, isPublicLookup } from '../../nodes/Corrigo/session/addresses';

/** As `fetch` would reach it: the host of an address, however it is written. */
const isPublic = (host: string) => isPublicHost(new URL(`https://${host}/file`).hostname);

describe('a host on the internet', () => {
	it.each(['files.example.org', 'files.example.org.', 'xn--dsseldorf-q9a.example'])('%s', (host) =>
		expect(isPublic(host)).toBe(true),
	);
});

describe('a host of a private network', () => {
	it.each([
		'localhost',
		'LOCALHOST.',
		'db.localhost',
		'storage',
		'printer.local',
		'metadata.google.internal',
		'127.1',
		'0',
		'0x7f.1',
		'017700000001',
		'2130706433',
		'169.254.169.254',
		'192.168.1.1.',
	])('%s', (host) => expect(isPublic(host)).toBe(false));
});

/** As the registries of the IANA have them, with multicast addresses and old site-local ones. */
const SPECIAL = {
	ipv4: `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
		192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
		198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
	ipv6: `::/128 ::1/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2002::/16
		2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`,
};
const ranges = (family: keyof typeof SPECIAL) =>
	SPECIAL[family].split(/\s+/).map((range) => range.split('/'));

const special = new BlockList();
for (const family of ['ipv4', 'ipv6'] as const) {
	for (const [network, prefix] of ranges(family)) {
		special.addSubnet(network, Number(prefix), family);
	}
}

/** Addresses inside of a range, at its ends, and next to it, and any others. */
const ipv4 = fc
	.tuple(fc.constantFrom(...ranges('ipv4')), fc.nat(2 ** 32 - 1), fc.integer({ min: -1, max: 1 }))
	.map(([[network, prefix], any, step]) => {
		const start = network.split('.').reduce((all, one) => all * 256 + Number(one), 0);
		const size = 2 ** (32 - Number(prefix));
		const edge = { [-1]: start - 1, 0: any, 1: start + size - (any % 2) }[step] ?? any;
		const value = any % 3 === 0 ? start + (any % size) : edge;
		return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) & 255).join('.');
	});

const group = fc.oneof(fc.constantFrom(0, 1, 0xffff), fc.nat(0xffff));
const ipv6 = fc
	.tuple(
		fc.constantFrom(...ranges('ipv6').map(([network]) => network), '2600::', '4000::', '2a00::'),
		fc.tuple(group, group, group),
	)
	.map(([network, more]) => {
		const begin = network.replace(/::.*$/, '');
		const rest = more.map((one) => one.toString(16)).join(':');
		return begin === '' ? `::${rest}` : `${begin}:${rest}::`.replace(/^((\w+:){7}\w+)::$/, '$1');
	})
	.filter((text) => !text.startsWith('::ffff:'));

it('an address is public unless the registries list it, as a literal and as what a name leads to', () => {
	const address = fc.oneof(
		ipv4.map((text) => [text, text, special.check(text)] as const),
		ipv4.map((text) => [`[64:ff9b::${text}]`, `64:ff9b::${text}`, special.check(text)] as const),
		ipv4.map((text) => [`[::ffff:${text}]`, `::ffff:${text}`, special.check(text)] as const),
		ipv6.map((text) => [`[${text}]`, text, special.check(text, 'ipv6')] as const),
	);
	fc.assert(
		fc.property(address, ([literal, found, isSpecial]) => {
			const isGlobal = !found.includes(':') || /^([23]...:|64:ff9b::\d|::ffff:\d)/.test(found);
			expect([literal, isPublic(literal)]).toEqual([literal, isGlobal && !isSpecial]);
			// n8n has checked its own ranges, which its settings may allow.
			if (!isPublicLookup(found)) expect([found, isPublic(literal)]).toEqual([found, false]);
		}),
		{ numRuns: cases(2_000, 20_000) },
	);
});

it.each([
	...['100.64.0.1', '224.0.0.1', '255.255.255.255', '64:ff9b::a00:1', '64:ff9b::7f00:1'],
	...['64:ff9b:1::808:808', '::ffff:10.0.0.1', '2002:a00:1::', '3fff::1', '2001:db8::1', 'ff02::1'],
])('a name that leads to %s is refused, which n8n lets pass', (ip) => {
	expect(isPublicLookup(ip)).toBe(false);
});

it.each(['10.0.0.1', '203.0.113.1', '::1', 'fd00::1'])(
	'a name that leads to %s is left to the settings of n8n',
	(ip) => expect(isPublicLookup(ip)).toBe(true),
);

it.each(['93.184.216.34', '2600:1400::1', '64:ff9b::5db8:d822'])(
	'a name that leads to %s is public',
	(ip) => expect(isPublicLookup(ip)).toBe(true),
);
