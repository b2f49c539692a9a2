/** A package or the sandbox is loaded by Node.js itself, once per worker: jest would load it again for each test file. */
module.exports = {
	process: (_source, path) => ({ code: `module.exports = requireOnce(${JSON.stringify(path)});` }),
};
