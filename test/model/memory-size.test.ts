import fc from 'fast-check';
import { inCommonUnits, isJvmSize, isSparkSize, parseMemorySize, SIZE_RULES, wholeMebibytes } from '../../src/model/memory-size';
import { holds } from '../../src/rules/cel';

test.each([
  ['4Gi', '4g'], ['4GiB', '4g'], ['512mi', '512m'], ['1024kib', '1024k'], ['2Ti', '2t'], ['1Pi', '1024t'],
  ['4gb', '4g'], ['1024', '1024m'], ['1048576b', '1m'], [' 4G ', '4g'], ['1p', '1024t'],
  ['4g', '4g'], ['512M', '512M'],
  // No sizes of Spark.
  ['1.5Gi', '1.5Gi'], ['1Ei', '1Ei'], ['4Gx', '4Gx'], ['', ''], ['-1g', '-1g'], ['${env:HEAP}', '${env:HEAP}'],
])('%j becomes %j', (text, same) => {
  expect(inCommonUnits(text)).toBe(same);
});

const digits = fc.stringMatching(/^[0-9]{1,14}$/);
const units = fc.stringMatching(/^([bB]|[kKmMgGtTpP][iI]?[bB]?)?$/);

test('a size in common units is as large, and what the JVM reads', () => {
  fc.assert(fc.property(digits, units, (amount, unit) => {
    const text = `${amount}${unit}`;
    const [size, same] = [parseMemorySize(text)!, inCommonUnits(text)];
    expect(isJvmSize(same)).toBe(true);
    expect(wholeMebibytes(parseMemorySize(same)!)).toBe(wholeMebibytes(size));
    expect(inCommonUnits(same)).toBe(same);
  }));
});

test('the rule of the CRD takes what is a size of Spark', () => {
  const [{ rule }] = SIZE_RULES;
  const texts = fc.oneof(fc.tuple(digits, units).map((parts) => parts.join('')), fc.stringMatching(/^ ?[0-9]{0,3}[.]?[0-9]?[bkmgtpeiBKMGTPEI]{0,4} ?$/));
  fc.assert(fc.property(texts, (text) => {
    const size = parseMemorySize(text);
    expect(holds(rule, text)).toBe(size !== undefined && isSparkSize(size));
  }));
});
