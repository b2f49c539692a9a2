import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { N8nApi } from './api';
import { run } from '../process/command';

export interface PackedPackage {
	name: string;
	version: string;
	/** Digest of the whole tarball: equal digests are equal packages. */
	integrity: string;
	tarball: string;
}

type PackResult = Omit<PackedPackage, 'tarball'> & { filename: string };

/** Packs the built package exactly as it would be published, or takes the tarball that will be. */
export async function packPackage(root: string, into: string): Promise<PackedPackage> {
	await mkdir(into, { recursive: true });
	const { CORRIGO_TARBALL } = process.env;
	const what = CORRIGO_TARBALL ? [CORRIGO_TARBALL] : [];
	const args = ['pack', ...what, '--json', '--ignore-scripts', '--pack-destination', into];
	const [packed] = JSON.parse(await run('npm', args, { cwd: root })) as PackResult[];
	const { name, version, integrity, filename } = packed;
	return { name, version, integrity, tarball: join(into, filename) };
}

/** What n8n has to be started with so that `bin/npm` finds the tarball. */
export const packageEnvironment = ({ name, version, tarball }: PackedPackage) => ({
	LOCAL_PACKAGE: name,
	LOCAL_PACKAGE_VERSION: version,
	LOCAL_PACKAGE_TARBALL: tarball,
});

/**
 * Installs the package by n8n's own installer, the one behind Settings > Community nodes: n8n
 * unpacks the tarball below its nodes folder, strips and loads it and records it in its tables.
 *
 * The one deviation is where the tarball comes from. The installer takes a package name, never a
 * file, and asks the public registry, where a working copy is not; another registry is a licensed
 * feature. So `bin/npm` answers for this one package.
 */
export async function installPackage(api: N8nApi, packed: PackedPackage, userFolder: string) {
	const { name, version, integrity } = packed;
	const record = join(userFolder, 'installed-package');
	const installed = (await api.communityPackages()).find((each) => each.packageName === name);
	const current = existsSync(record) ? await readFile(record, 'utf8') : '';
	if (installed && current === integrity) return;
	if (installed) await api.updateCommunityPackage(name, version);
	else await api.installCommunityPackage(name, version);
	await writeFile(record, integrity);
}
