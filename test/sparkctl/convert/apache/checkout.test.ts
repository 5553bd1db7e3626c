/*
 * Apache's own CRDs and examples. Only with a checkout of apache/spark-kubernetes-operator, which is
 * not part of this repository: APACHE_SPARK_OPERATOR=PATH.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { isObject } from '../../../../src/model/is-object';
import { sparkctl } from '../../helpers';
import { CRD_FIELDS, V1_ONLY } from './crd-fields';
import { notRun } from '../../../helpers/not-run';

const { APACHE_SPARK_OPERATOR: checkout } = process.env;
const withCheckout = checkout ? describe : notRun;
if (!checkout) process.stderr.write('Apache\'s CRDs and examples are not compared: APACHE_SPARK_OPERATOR names no checkout\n');

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Fields whose content is Kubernetes' own. */
const STRUCTS = /(Metadata|podTemplateSpec|serviceSpec|ingressSpec|RouteSpec|driverArgs)$/;

function pathsOf({ properties, items }: Schema, path = ''): string[] {
  if (STRUCTS.test(path)) return [path];
  if (properties) return Object.entries(properties).flatMap(([name, each]) => pathsOf(each, path === '' ? name : `${path}.${name}`));
  return items ? pathsOf(items, `${path}[]`) : [path];
}

withCheckout('a checkout of Apache\'s operator', () => {
  test('its CRD has the fields of the list', () => {
    const [file] = globSync('build-tools/helm/*/crds/sparkapplications*.yaml', { cwd: checkout });
    const { spec } = parse(readFileSync(join(checkout!, file!), 'utf8')) as {
      readonly spec: { readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[] };
    };
    const fields = Object.fromEntries(spec.versions.map(({ name, schema }) => [name, pathsOf(schema.openAPIV3Schema.properties!.spec!).sort()]));
    expect(fields).toEqual({
      v1: [...CRD_FIELDS].sort(), v1beta1: CRD_FIELDS.filter((path) => !V1_ONLY.some((each) => path.startsWith(each))).sort(),
    });
  });

  /** An application that runs on a SparkCluster, which has no counterpart. */
  const ON_CLUSTER = 'examples/spark-connect-server-with-spark-cluster.yaml';
  const examples = checkout === undefined ? [] : globSync('examples/*.yaml', { cwd: checkout }).filter((file) => (
    parseAllDocuments(readFileSync(join(checkout, file), 'utf8')).some((document) => {
      const object: unknown = document.toJS();
      return isObject(object) && object.kind === 'SparkApplication';
    })
  ));

  test.each(examples)('%s converts', async (file) => {
    const { code, stdout, stderr } = await sparkctl(['convert', '-'], { stdin: readFileSync(join(checkout!, file), 'utf8') });
    const errors = stderr.filter((line) => line.includes(': error: '));
    if (file === ON_CLUSTER) return expect(errors).toEqual([expect.stringContaining('spec.sparkConf[spark.master] cannot be converted')]);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(stdout).toContain('sparkoperator.k8s.io/v1beta2');
  });
});

test('a checkout is optional', () => {
  expect(typeof withCheckout).toBe('function');
});
