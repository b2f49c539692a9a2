import { BlockList } from 'node:net';
import fc from 'fast-check';

import { cases } from '../cases';
import { isPublicHost } from '../../nodes/Corrigo/session/settings';

/** As `fetch` would reach it: the host of an address, however it is written. */
const isPublic = (host: string) => isPublicHost(new URL(`https://${host}/file`).hostname);

describe('a host on the internet', () => {
	it.each([
		'files.example.org',
		'files.example.org.',
		'xn--dsseldorf-q9a.example',
		'8.8.8.8',
		'172.15.0.1',
		'172.32.0.1',
		'100.63.0.1',
		'100.128.0.1',
		'192.1.0.1',
		'223.255.255.255',
		'[2606:4700::1111]',
		'[2a00:1450::1]',
	])('%s', (host) => expect(isPublic(host)).toBe(true));
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
		'[::]',
		'[::1]',
		'[::ffff:10.0.0.1]',
		'[64:ff9b::10.0.0.1]',
		'[2002:a00:1::]',
		'[2001::1]',
		'[2001:0:a00:1::]',
		'[fc00::1]',
		'[fd12:3456::1]',
		'[fe80::1]',
		'[ff02::1]',
	])('%s', (host) => expect(isPublic(host)).toBe(false));
});

it('an IPv4 address is private, shared, loopback, link-local or reserved where the registry says so', () => {
	const special = new BlockList();
	for (const [network, prefix] of [
		['0.0.0.0', 8],
		['10.0.0.0', 8],
		['100.64.0.0', 10],
		['127.0.0.0', 8],
		['169.254.0.0', 16],
		['172.16.0.0', 12],
		['192.0.0.0', 24],
		['192.168.0.0', 16],
		['198.18.0.0', 15],
		['224.0.0.0', 3],
	] as const) {
		special.addSubnet(network, prefix);
	}
	const first = fc.oneof(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 224), fc.nat(255));
	const second = fc.oneof(fc.constantFrom(0, 16, 18, 64, 168, 254), fc.nat(255));
	fc.assert(
		fc.property(first, second, fc.oneof(fc.constant(0), fc.nat(255)), fc.nat(255), (...octets) => {
			const address = octets.join('.');
			expect([address, isPublic(address)]).toEqual([address, !special.check(address)]);
		}),
		{ numRuns: cases(500, 10_000) },
	);
});
