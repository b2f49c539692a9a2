// Runs after `n8n-node build`: brings what the compiler leaves behind, takes out what is not for
// users, and refuses to finish when n8n would miss something.
const { existsSync, readdirSync, rmSync } = require('node:fs');
const { basename, join, resolve } = require('node:path');
const { dest, series, src } = require('gulp');

const DIST = 'dist';
const SHIPPED = ['credentials', 'icons', 'nodes', 'package.json'];

function clean(done) {
	for (const entry of readdirSync(DIST)) {
		if (!SHIPPED.includes(entry)) rmSync(join(DIST, entry), { recursive: true });
	}
	done();
}

const copyIcons = () => src('icons/*.svg').pipe(dest(join(DIST, 'icons')));

const copyCodex = () => src('nodes/**/*.node.json').pipe(dest(join(DIST, 'nodes')));

const copySchema = () =>
	src('nodes/**/__schema__/**/*.json', { allowEmpty: true }).pipe(dest(join(DIST, 'nodes')));

function verify(done) {
	const { n8n } = require('./package.json');
	const missing = [...n8n.nodes, ...n8n.credentials].filter((file) => !existsSync(file));
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

exports.default = series(clean, copyIcons, copyCodex, copySchema, verify);
