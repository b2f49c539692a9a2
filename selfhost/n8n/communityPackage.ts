import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { name, version } from '../../package.json';
import { root } from '../build';
import { runCommand } from '../process/command';
import type { N8nApi } from './api';

export interface PackedPackage {
	/** Digest of the whole tarball. */
	integrity: string;
	tarball: string;
}

interface PackResult {
	filename: string;
}

/** Packs the built package as it would be published, or takes the tarball that CORRIGO_TARBALL names. */
export async function packPackage(folder: string): Promise<PackedPackage> {
	const { CORRIGO_TARBALL } = process.env;
	const tarball = CORRIGO_TARBALL ? resolve(CORRIGO_TARBALL) : await pack(folder);
	const digest = createHash('sha512').update(await readFile(tarball));
	return { integrity: digest.digest('hex'), tarball };
}

async function pack(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const [{ filename }] = JSON.parse(await runCommand('npm', args, { cwd: root })) as PackResult[];
	return join(folder, filename);
}

/** Environment of n8n in which `bin/npm` finds the tarball. */
export const packageEnvironment = ({ tarball }: PackedPackage) => ({
	LOCAL_PACKAGE: name,
	LOCAL_PACKAGE_VERSION: version,
	LOCAL_PACKAGE_TARBALL: tarball,
});

/**
 * Installs the package by n8n's own installer, the one behind Settings > Community nodes: n8n
 * unpacks the tarball below its nodes folder, strips and loads it and records it in its tables.
 *
 * Only the source of the tarball differs. The installer takes a package name, never a file, and asks
 * the public registry, which has no working copies; another registry is a licensed feature. So
 * `bin/npm` answers for this one package.
 */
export async function installPackage(api: N8nApi, packed: PackedPackage, userFolder: string) {
	const { integrity } = packed;
	const record = join(userFolder, 'installed-package');
	const installed = (await api.communityPackages()).find((each) => each.packageName === name);
	const current = existsSync(record) ? await readFile(record, 'utf8') : '';
	if (installed && current === integrity) return;
	if (installed) await api.updateCommunityPackage(name, version);
	else await api.installCommunityPackage(name, version);
	await writeFile(record, integrity);
}
