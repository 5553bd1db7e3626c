/*
 * Each field of Apache's SparkApplication is translated or named, and the page has the table.
 *
 * After a change of the table: UPDATE_DOCS=1 npm run test:unit -- -- --testPathPatterns
 * apache/field-table
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Document } from 'yaml';
import { APACHE_FIELDS } from '../../../../src/sparkctl/convert/apache/field-table';
import { convertDocument, type Conversion } from '../../../../src/sparkctl/convert/convert';
import { CRD_FIELDS, V1_ONLY, VALUES } from './crd-fields';

const PAGE = join(__dirname, '../../../../docs/migrate/from-apache.md');
const HEAD = '| Apache | here |\n|---|---|\n';

test('the table has the fields of the CRD', () => {
  expect(APACHE_FIELDS.map(({ path }) => path).sort()).toEqual([...CRD_FIELDS].sort());
});

test('the page has the table', () => {
  const rows = APACHE_FIELDS.map(({ path, becomes, note }) => `| \`${path}\` | ${becomes ?? `none: ${note!.message.replace('is dropped: ', '')}`} |`);
  const [before, rest] = readFileSync(PAGE, 'utf8').split(HEAD);
  const after = rest!.slice(rest!.indexOf('\n\n'));
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, `${before}${HEAD}${rows.join('\n')}${after}`);
  else expect(rest!.slice(0, rest!.indexOf('\n\n')).split('\n')).toEqual(rows);
});

/** A specification that sets one field. */
function specWith(path: string): object {
  const value = VALUES[path] ?? 4711;
  const set = (steps: readonly string[], into: Record<string, unknown>): unknown => {
    const [step, ...others] = steps;
    if (step === undefined) return value;
    const name = step.replace('[]', '');
    const inner = set(others, (into[name] ?? {}) as Record<string, unknown>);
    return { ...into, [name]: step.endsWith('[]') ? [inner] : inner };
  };
  // A restart policy gives the other fields of restarts a meaning.
  const restarts = path.includes('restartConfig') ? { applicationTolerations: { restartConfig: { restartPolicy: 'OnFailure', maxRestartAttempts: 9000 } } } : {};
  const steps = path.split('.');
  const merged = path.includes('restartConfig')
    ? { applicationTolerations: { restartConfig: { ...restarts.applicationTolerations!.restartConfig, [steps.at(-1)!]: value } } }
    : set(steps, {}) as object;
  return { runtimeVersions: { sparkVersion: '4.1.1' }, sparkConf: { 'spark.kubernetes.container.image': 'apache/spark:4.1.1' }, ...merged };
}

const without = (path: string): object => {
  const [first] = path.split(/[.[]/);
  const { [first as never]: _, ...others } = specWith(path) as Record<string, object>;
  return first === 'applicationTolerations' && path.includes('restartConfig')
    ? { ...others, applicationTolerations: { restartConfig: { restartPolicy: 'OnFailure', maxRestartAttempts: 9000 } } }
    : others;
};

function converted(spec: object, version = 'v1') {
  const document = new Document({ apiVersion: `spark.apache.org/${version}`, kind: 'SparkApplication', metadata: { name: 'a' }, spec });
  const [{ notes, added }] = convertDocument(document) as [Conversion];
  return { objects: [document.toJS() as unknown, ...added], notes };
}

test.each(CRD_FIELDS)('%s is translated or named', (path) => {
  const versions = V1_ONLY.some((each) => path.startsWith(each)) ? ['v1'] : ['v1', 'v1beta1'];
  const [first, ...others] = versions.map((version) => converted(specWith(path), version));
  for (const other of others) expect(other).toEqual(first);
  const named = first!.notes.filter(({ field }) => field.startsWith(`spec.${path.replace('[]', '[0]')}`));
  const { note } = APACHE_FIELDS.find((each) => each.path === path)!;
  if (note) expect(named).toEqual([{ ...note, field: `spec.${path}` }]);
  else expect(JSON.stringify(first!.objects) !== JSON.stringify(converted(without(path)).objects) || named.length > 0).toBe(true);
});

test('names fields that Apache\'s API server drops', () => {
  const { notes } = converted({ runtimeVersions: { sparkVersion: '4.1.1' }, driverSpec: { cores: 2 }, image: 'x' });
  const message = 'is dropped: spark.apache.org has no such field';
  expect(notes).toEqual([
    { severity: 'warning', field: 'spec.driverSpec.cores', message }, { severity: 'warning', field: 'spec.image', message },
  ]);
});
