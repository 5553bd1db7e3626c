/*
 * Replaces fast-check in all tests (moduleNameMapper in jest.config.json). With FAST_CHECK_SEED, properties that say no seed of their own
 * try the same cases in each run. With FAST_CHECK_DIVISOR=10, each property tries a tenth of its cases.
 */
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const { FAST_CHECK_SEED: seed, FAST_CHECK_DIVISOR: divisor } = process.env;
if (seed) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

/** The number of cases that fast-check tries by default. */
const DEFAULT_RUNS = 100;

/** Returns fast-check with a part of each property's cases. Examples and paths of failures are tried in any case. */
function withFewerCases() {
  const assert = (property, parameters = {}) => fc.assert(property, {
    ...parameters, ...(parameters.path === undefined && { numRuns: Math.ceil((parameters.numRuns ?? DEFAULT_RUNS) / Number(divisor)) + (parameters.examples?.length ?? 0) }),
  });
  const fewer = { ...fc, assert };
  return { ...fewer, default: fewer, __esModule: true };
}

module.exports = divisor ? withFewerCases() : fc;
