import type * as FastCheck from 'fast-check';

const before = process.env.FAST_CHECK_SEED;
afterEach(() => {
  if (before === undefined) delete process.env.FAST_CHECK_SEED;
  else process.env.FAST_CHECK_SEED = before;
});

/** Returns the cases that a property tries in a test file of its own. */
function casesOf(seed?: string): readonly number[] {
  if (seed === undefined) delete process.env.FAST_CHECK_SEED;
  else process.env.FAST_CHECK_SEED = seed;
  const cases: number[] = [];
  jest.isolateModules(() => {
    const fc = jest.requireActual<typeof FastCheck>('fast-check');
    fc.assert(fc.property(fc.integer(), (value) => void cases.push(value)));
    fc.resetConfigureGlobal();
  });
  return cases;
}

test('with a seed, properties try the same in each run, and something else with another', () => {
  expect(casesOf('4')).toEqual(casesOf('4'));
  expect(casesOf('4')).not.toEqual(casesOf('5'));
});

test('without one, they try something else each time', () => expect(casesOf()).not.toEqual(casesOf()));
