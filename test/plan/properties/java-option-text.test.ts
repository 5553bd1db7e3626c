/* test/differential/java-options.test.ts compares with real JVMs and Spark's own launcher. */
import { cpuTime } from '../../helpers/cpu-time';
import { effectOf, jvmOptions, sparkOptions } from '../../../src/plan/properties/java-option-text';

test.each<[string, string, string[], string[]]>([
  ['blanks', ' -Da=1 \t-Db=2\n', ['-Da=1', '-Db=2'], ['-Da=1', '-Db=2']],
  ['quotes around an option', '"-Da=1 2" \'-Db=3 4\'', ['-Da=1 2', '-Db=3 4'], ['-Da=1 2', '-Db=3 4']],
  ['quotes within an option', '-Dsp"ar"k.\'x\'=1', ['-Dspark.x=1'], ['-Dspark.x=1']],
  ['quotes within other quotes', '"it\'s" \'"\'', ["it's", '"'], ["it's", '"']],
  ['nothing within quotes', '-Da "" \'\'', ['-Da', '', ''], ['-Da', '', '']],
  ['blanks of other scripts, which only the launcher knows', '-Da\u2003-Db', ['-Da', '-Db'], ['-Da\u2003-Db']],
  ['a separator of records', '-Da\u001c-Db', ['-Da', '-Db'], ['-Da\u001c-Db']],
  ['blanks that do not separate', '-Da\u00a0-Db', ['-Da\u00a0-Db'], ['-Da\u00a0-Db']],
  ['a quote without its end', '-Da "b c', ['-Da', 'b c'], ['-Da', 'b c']],
])('%s', (_, text, spark, jvm) => {
  expect([sparkOptions(text), jvmOptions(text)]).toEqual([spark, jvm]);
});

test('a backslash escapes the next character for the launcher, but not for a JVM', () => {
  expect(sparkOptions(String.raw`-Ds\park.x=1 a\ b "c\"d" 'e\f' \g`)).toEqual(['-Dspark.x=1', 'a b', 'c"d', 'e\\f', 'g']);
  expect(jvmOptions(String.raw`-Ds\park.x=1 a\ b "c\"d`)).toEqual([String.raw`-Ds\park.x=1`, 'a\\', 'b', 'c\\d']);
});

test.each([
  ['-Dspark.x=1', { kind: 'property', name: 'spark.x', value: '1' }],
  ['-Dspark.x', { kind: 'property', name: 'spark.x', value: '' }],
  ['-Dspark.x=a=b\nc', { kind: 'property', name: 'spark.x', value: 'a=b\nc' }],
  ['@/tmp/options', { kind: 'file' }],
  ['-XX:VMOptionsFile=/tmp/options', { kind: 'file' }],
  ['-Xoptionsfile=/tmp/options', { kind: 'file' }],
  ['@@text', undefined],
  ['-D', undefined],
  ['-XX:Flags=/tmp/flags', undefined],
  ['-Xmx1g', undefined],
])('%j', (option, effect) => {
  expect(effectOf(option)).toEqual(effect);
});

test('a megabyte of quotes, spaces and backslashes takes little time', () => {
  for (const text of [
    '"'.repeat(1_000_000), ' -D'.repeat(300_000), '\\'.repeat(1_000_000), 'a'.repeat(1_000_000), `"${'\'\\'.repeat(500_000)}`,
  ]) {
    for (const split of [sparkOptions, jvmOptions]) {
      const time = cpuTime();
      split(text);
      expect(time()).toBeLessThan(500);
    }
  }
});
