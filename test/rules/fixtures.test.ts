import { join } from 'node:path';
import { Testing } from 'cdk8s';
import { ApiSparkApplication } from '../../src';
import { CompiledPackage, type AssemblyType, type TypeReference } from '../../tools/generate/assembly';
import { applicationFixtures } from '../helpers/application-fixtures';

const fixtures = applicationFixtures();

test.each(fixtures)('$file passes the checks of synthesis', ({ manifest: { metadata, spec } }) => {
  const chart = Testing.chart();
  new ApiSparkApplication(chart, 'application', { metadata, spec });
  expect(Testing.synth(chart)).toHaveLength(1);
});

test('together they use every field that is not Kubernetes\' own', () => {
  const pkg = new CompiledPackage(join(__dirname, '../..'));
  const fields = fieldsOf(pkg, pkg.typeNamed('SparkApplicationSpec'), ['spec']);

  expect(fields.length).toBeGreaterThan(150);
  expect(fields.filter((path) => !fixtures.some(({ manifest }) => isUsed(manifest, path)))).toEqual([]);
});

/** Returns the paths of all fields of a struct, without the fields of Kubernetes' structs. */
function fieldsOf(pkg: CompiledPackage, struct: AssemblyType, path: readonly string[]): string[][] {
  return pkg.properties(struct).flatMap(({ name, type }) => [[...path, name], ...fieldsInside(pkg, type, [...path, name])]);
}

function fieldsInside(pkg: CompiledPackage, type: TypeReference, path: readonly string[]): string[][] {
  if ('collection' in type) return fieldsInside(pkg, type.collection.elementtype, [...path, '[]']);
  if (!('fqn' in type)) return [];
  const struct = pkg.type(type.fqn);
  return struct.kind === 'interface' && !pkg.isKubernetes(struct) ? fieldsOf(pkg, struct, path) : [];
}

/** Whether a value has a field; in its path `[]` is an entry of a list or map. */
function isUsed(value: any, [name, ...others]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return name === '[]' ? Object.values(value).some((item) => isUsed(item, others)) : isUsed(value[name], others);
}
