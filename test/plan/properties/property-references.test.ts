import fc from 'fast-check';
import { PropertyReferences, REFERENCE_LIMITS } from '../../../src/plan/properties/property-references';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { cpuTime } from '../../helpers/cpu-time';

const KEY = 'spark.kubernetes.driver.limit.cores';

function resolve(properties: Readonly<Record<string, string>>, key = KEY) {
  return new PropertyReferences((name) => (Object.hasOwn(properties, name) ? properties[name] : undefined)).resolve(key);
}

/** Each level has `width` references to the next. */
function tree(levels: number, width: number): Record<string, string> {
  const level = (number: number) => `\${spark.x.${number}}`.repeat(width);
  return {
    [KEY]: level(1),
    ...Object.fromEntries(Array.from({ length: levels }, (_, index) => [`spark.x.${index + 1}`, level(index + 2)])),
    [`spark.x.${levels + 1}`]: '1',
  };
}

describe('limits of the work', () => {
  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'forty references a level, five levels', tree(5, 40),
      `has references that make the properties longer than ${REFERENCE_LIMITS.characters} characters`,
    ],
    ['twenty thousand references', {
      [KEY]: '${spark.x}'.repeat(20_000), 'spark.x': '',
    }, `needs more than ${REFERENCE_LIMITS.substitutions} references to be resolved`],
    ['one long value, often', {
      [KEY]: '${spark.x}'.repeat(2_000), 'spark.x': 'x'.repeat(1_000),
    }, `has references that make the properties longer than ${REFERENCE_LIMITS.characters} characters`],
    ['a long row', tree(200, 1), `refers to a property through more than ${REFERENCE_LIMITS.depth} others`],
  ])('%s', (_, properties, reason) => {
    const taken = cpuTime();

    expect(resolve(properties)).toEqual({ reason, remedy: 'write the value itself' });
    expect(taken()).toBeLessThan(100);
  });

  test.each(['${', '${a ', '${a:', '${a:}', '$', '${}', '${spark.x}'])('a text of many %j takes linear time', (text) => {
    const long = text.repeat(512 * 1024 / text.length);
    const taken = cpuTime();

    resolve({ [KEY]: `${long} ` });

    expect(taken()).toBeLessThan(400);
  });

  test('references within the limits are resolved', () => {
    expect(resolve(tree(2, 20))).toBe('1'.repeat(8_000));
    expect(resolve(tree(90, 1))).toBe('1');
  });
});

test('each property is resolved once', () => {
  const asked: string[] = [];
  const references = new PropertyReferences((name) => (asked.push(name), {
    'spark.a': '1', 'spark.b': '${spark.a}${spark.a}', 'spark.c': '${spark.a}${spark.a}${spark.b}',
  }[name]));

  expect([references.resolve('spark.c'), references.resolve('spark.c'), references.resolve('spark.b')]).toEqual(['1111', '1111', '11']);
  expect(asked).toEqual(['spark.c', 'spark.a', 'spark.b']);
});

test('a changed property is resolved again', () => {
  const properties = SparkProperties.of({ 'spark.a': '${spark.b}', 'spark.b': '1' });
  expect(properties.resolved('spark.a')).toBe('1');

  properties.set('spark.b', '2', 'spark.b');

  expect(properties.resolved('spark.a')).toBe('2');
});

/** Resolves references as ConfigReader does: searches the text for the pattern, without limits. */
function asSparkDoes(text: string, properties: Readonly<Record<string, string>>, used: readonly string[] = []): string {
  return text.replace(/\$\{(?:([A-Za-z0-9_]+?):)?([^ \t\n\v\f\r]+?)\}/g, (reference: string, prefix: string | undefined, name: string) => {
    if (prefix === 'env' || prefix === 'system' || (prefix === undefined && used.includes(name))) throw new Error(reference);
    if (prefix !== undefined || !name.startsWith('spark.')) return reference;
    if (!Object.hasOwn(properties, name)) throw new Error(reference);
    return asSparkDoes(properties[name]!, properties, [...used, name]);
  });
}

test('a property in a reference of another kind is no reference to itself', () => {
  expect(resolve({ 'spark.a': '${other:spark.a}', [KEY]: '${spark.a}' })).toBe('${other:spark.a}');
});

test("within the limits, the result is Spark's", () => {
  const piece = fc.constantFrom(
    '$', '{', '}', '${', '${spark.a}', '${spark.b}', '${spark.c}', '${spark.d}', ':', ' ', 'x', 'env:', 'other:', '_', '\n',
    'spark.a', '${:',
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(fc.property(fc.record({ 'spark.a': text, 'spark.b': text, 'spark.c': text }), (properties) => {
    for (const key of Object.keys(properties)) {
      let expected: string | undefined;
      try {
        expected = asSparkDoes(properties[key as keyof typeof properties], properties, []);
      } catch {
        expected = undefined;
      }
      const found = resolve(properties, key);
      expect(typeof found === 'string' ? found : undefined).toBe(expected);
    }
  }), { numRuns: 5_000 });
});
