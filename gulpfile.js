// `gulp` runs after `n8n-node build`: it removes files that are not for users, writes the output previews,
// and fails if n8n would miss a file. `gulp generate` writes the generated files of the repository,
// `gulp check` fails if one is out of date.
const { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, resolve } = require('node:path');
const { series } = require('gulp');

const DIST = 'dist';
const SHIPPED = ['credentials', 'icons', 'nodes', 'package.json'];

function clean(done) {
	for (const entry of readdirSync(DIST)) {
		if (!SHIPPED.includes(entry)) rmSync(join(DIST, entry), { recursive: true });
	}
	done();
}

function writePreviews(done) {
	require('tsx/cjs');
	const { PREVIEW_FOLDER, previews } = require('./scripts/schema');
	writeFiles(previews(), join(DIST, PREVIEW_FOLDER));
	done();
}

function verify(done) {
	const { n8n } = require('./package.json');
	const shipped = [...n8n.nodes, ...n8n.credentials];
	const missing = shipped.filter((file) => !existsSync(file));
	if (missing.length === 0) {
		missing.push(...n8n.nodes.flatMap(missingOfNode), ...n8n.credentials.flatMap(missingIcons));
	}
	done(missing.length > 0 ? new Error(`The build lacks ${missing.join(', ')}`) : undefined);
}

function missingOfNode(file) {
	const codex = file.replace(/\.js$/, '.json');
	return [...missingIcons(file), ...(existsSync(codex) ? [] : [codex])];
}

function missingIcons(file) {
	const className = basename(file).split('.')[0];
	const instance = new (require(resolve(file))[className])();
	const icon = instance.description?.icon ?? instance.icon;
	return [icon?.light, icon?.dark]
		.map((url) => join(file, '..', String(url).replace(/^file:/, '')))
		.filter((path) => !existsSync(path));
}

function staleFiles() {
	require('tsx/cjs');
	return require('./scripts/generated').staleFiles();
}

function writeFiles(files, folder = '.') {
	for (const [file, contents] of files) {
		const path = join(folder, file);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, contents);
	}
}

function generate(done) {
	require('tsx/cjs');
	const { CONTRACT_MODULE, contractModule } = require('./scripts/contract');
	// The other files are made from the catalogue, so its facts come first.
	writeFiles([[CONTRACT_MODULE, contractModule()]]);
	writeFiles(staleFiles());
	done();
}

function check(done) {
	const files = [...staleFiles().keys()].join(', ');
	done(files && new Error(`Out of date, run "npx gulp generate": ${files}`));
}

module.exports = { default: series(clean, writePreviews, verify), generate, check };
