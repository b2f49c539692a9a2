const { projects } = require('../../jest.config');

const [, engine] = projects;

/** Configuration of the recorder (see README.md). Another version's classes run in this version's engine. */
module.exports = {
	...engine,
	// Upper limit for a slow machine. A test that exceeds it goes on next to the one after it, whose clock it moves.
	testTimeout: 300_000,
	testMatch: ['<rootDir>/test/compat/record.ts'],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/node_modules/n8n-workflow' },
};
