/*
 * Any input gets an answer. The API server applies the schema first, but other clients of the
 * server do not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { creation, update, validatorOf, type Kind } from './questions';
import { QUOTA } from '../rules';

const FOLDERS: { readonly [kind in Kind]: string } = {
  SparkApplication: 'applications', ScheduledSparkApplication: 'scheduled', SparkConnect: 'connect',
};
const ODD: readonly unknown[] = [
  null, undefined, 0, -1, 1e308, 0.5, true, '', 'x', ' ', '\n', '${a}', '__proto__', [], {}, [null], [[]], ['x'], [{}], { a: null },
  { a: 'b' }, { name: 'x' }, { '': '' },
];

function manifests(kind: Kind): any[] {
  const folder = join(__dirname, '../../../fixtures', FOLDERS[kind]);
  return readdirSync(folder).map((file) => parse(readFileSync(join(folder, file), 'utf8')));
}

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

function put(value: any, [name, ...rest]: readonly string[], odd: unknown): any {
  if (name === undefined) return odd;
  const changed = put(value?.[name], rest, odd);
  return Array.isArray(value) ? value.map((item, index) => (String(index) === name ? changed : item)) : { ...value, [name]: changed };
}

test.each(['SparkApplication', 'ScheduledSparkApplication', 'SparkConnect'] as const)('%s: any value in any place', async (kind) => {
  const validate = validatorOf(kind, { quotas: () => Promise.resolve([QUOTA]) });
  const changesOf = (object: unknown) => fc.array(
    fc.tuple(fc.constantFrom(...pathsIn(object).slice(1)), fc.constantFrom(...ODD)), { minLength: 1, maxLength: 3 },
  );
  const change = fc.constantFrom(...manifests(kind)).chain((object) => fc.tuple(fc.constant(object), changesOf(object)));
  await fc.assert(fc.asyncProperty(change, async ([object, changes]) => {
    const changed = JSON.parse(JSON.stringify(changes.reduce((result, [path, odd]) => put(result, path, odd), object)));
    const asked = [creation(kind, changed), update(kind, changed, object), update(kind, object, changed)];
    for (const request of asked) {
      const { allowed, message } = await validate({ ...request, namespace: 'jobs' });
      expect(allowed || message).toBeTruthy();
    }
  }), { numRuns: 400 });
});
