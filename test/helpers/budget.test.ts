import { overrunOf, type Cost } from './budget';

const TOLERANCE = { percentAbove: 3, percentBelow: 10 };
const BUDGET: Cost = { 'create pods': { calls: 1, sent: 5000, received: 6000 }, 'watch pods': { events: 3, received: 20_000 } };

const overrun = (counted: Cost) => overrunOf('one application', BUDGET, counted, TOLERANCE, 'budget.json');

test('bytes can differ a little, numbers cannot', () => {
  expect(overrun(BUDGET)).toBeUndefined();
  expect(overrun({ ...BUDGET, 'create pods': { calls: 1, sent: 5150, received: 5400 } })).toBeUndefined();
  expect(overrun({ ...BUDGET, 'create pods': { calls: 1, sent: 5151, received: 6000 } })).toMatch(/create pods +sent +5000 +5151 +\+151 \(\+3\.0 %\)/);
  expect(overrun({ ...BUDGET, 'create pods': { calls: 1, sent: 5000, received: 5399 } })).toMatch(/create pods +received +6000 +5399 +-601 \(-10\.0 %\)/);
  expect(overrun({ ...BUDGET, 'watch pods': { events: 4, received: 20_000 } })).toMatch(/watch pods +events +3 +4 /);
});

test('the report has new and missing costs, and what to write if they are meant', () => {
  const { 'watch pods': _, ...others } = BUDGET;
  expect(overrun({ ...others, 'get pods': { calls: 2, received: 900 } })).toBe(`"one application" does not cost what its budget says:

    what        measure   budget  counted
    get pods    calls          0        2   new
    get pods    received       0      900   new
    watch pods  events         3        0  gone
    watch pods  received   20000        0  gone

If that is not meant, it is a regression. If it is, write this into budget.json, and tell in the commit why:

    "one application": {
      "create pods": { "calls": 1, "sent": 5000, "received": 6000 },
      "get pods": { "calls": 2, "received": 900 }
    }`);
});
