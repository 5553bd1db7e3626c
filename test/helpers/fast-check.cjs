/* Stands for fast-check in all tests (moduleNameMapper in jest.config.json): with FAST_CHECK_SEED, properties that say no seed of their own try the same cases in each run. */
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const { FAST_CHECK_SEED: seed } = process.env;
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

module.exports = fc;
