import { isTimeZone, offsetAt } from '../../src/schedule/time-zone';

/** Counts the formats created during a function. */
function formatsMadeBy(work: () => void): number {
  const made = jest.spyOn(Intl, 'DateTimeFormat');
  try {
    work();
    return made.mock.calls.length;
  } finally {
    made.mockRestore();
  }
}

/** Returns a spelling of a name: the bits of the number select upper-case letters. */
function spelling(name: string, number: number): string {
  let left = number;
  return [...name.toLowerCase()].map((letter) => {
    if (!/[a-z]/.test(letter)) return letter;
    const isUpper = left % 2 === 1;
    left = Math.floor(left / 2);
    return isUpper ? letter.toUpperCase() : letter;
  }).join('');
}

test('all spellings of a time zone share one format', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => spelling('America/Argentina/Buenos_Aires', index));
  expect(new Set(names).size).toBe(1_000);
  expect(formatsMadeBy(() => names.forEach((name) => expect(isTimeZone(name)).toBe(true)))).toBeLessThanOrEqual(1);
  expect(new Set(names.map((name) => offsetAt(name, 0)))).toEqual(new Set([-3 * 3_600_000]));
});

test('the formats of 64 time zones are cached', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const [first, others, last] = [zones[0]!, zones.slice(1, 64), zones[64]!];
  for (const zone of [first, ...others]) offsetAt(zone, 0);
  expect(formatsMadeBy(() => [first, ...others].forEach((zone) => offsetAt(zone, 0)))).toBe(0);
  // It replaces the least recently used format.
  expect(formatsMadeBy(() => [last, first].forEach((zone) => offsetAt(zone, 0)))).toBe(2);
});

test('a valid name needs no format again', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
  expect(formatsMadeBy(() => zones.forEach((zone) => isTimeZone(zone.toUpperCase())))).toBe(0);
});

test.each([
  ['a letter beyond ASCII that becomes one of ASCII in lower case', 'Asia/To\u212ayo'],
  ['a text of any length', `Europe/${'x'.repeat(1_000_000)}`],
  ['a name with a blank', 'Europe/Berlin '],
])('%s is no time zone, whatever names were checked before', (_, name) => {
  expect(isTimeZone('Asia/Tokyo')).toBe(true);
  expect(formatsMadeBy(() => expect(isTimeZone(name)).toBe(false))).toBe(0);
});
