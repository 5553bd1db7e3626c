/* All examples on a real API server that has never heard of the operator: applied by kubectl, file by file in the order of names, as their READMEs say. */
import { join } from 'node:path';
import { SecondApiServer } from './helpers/second-api-server';
import { IMAGE_REPOSITORY } from '../../src/api/operator-image';
import { PACKAGE_VERSION } from '../../src/constructs/_package';
import { EXAMPLES, synthesizeExamples, type SynthesizedExample } from '../helpers/examples';
import { tryKubectl } from '../helpers/kubectl';

const PORT = 16445;
const IMAGES = { SPARK_IMAGE: 'spark.test/spark:1', SPARK_JMX_IMAGE: 'spark.test/spark-jmx:1', OPERATOR_IMAGE: 'spark.test/operator:1' };
let fresh: SecondApiServer;
let examples: Map<string, SynthesizedExample>;
/** Texts that have been applied. */
const known = new Set<string>();

beforeAll(async () => {
  fresh = SecondApiServer.find(PORT, `/examples-${process.pid}-${Date.now()}`);
  [examples] = await Promise.all([synthesizeExamples(IMAGES), fresh.start()]);
  // The examples ask for the definitions of the Prometheus operator and of cert-manager, and say so.
  await applied(['PodMonitor', 'ServiceMonitor'].map((kind) => anyOf('monitoring.coreos.com', 'v1', kind)));
  await applied(['Certificate', 'Issuer'].map((kind) => anyOf('cert-manager.io', 'v1', kind)));
  // Kueue has its own definitions.
  await kubectl(['apply', '--server-side', '-f', join(process.env.KUEUE!, 'crds')]);
  await allEstablished();
  // The namespaces that kubeflow's operator leaves behind.
  await applied(['spark-operator', 'team-a', 'team-b'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
});
afterAll(() => fresh?.kill());

async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await tryKubectl(['--server', fresh.url, ...args], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Resolves when the API server serves the kinds of all CRDs. */
async function allEstablished(): Promise<void> {
  // Waiting for a condition fails while there are no conditions at all.
  for (const what of ['jsonpath={.status.conditions}', 'condition=Established']) await kubectl(['wait', `--for=${what}`, 'crd', '--all', '--timeout=180s']);
}

/** @returns what kubectl says of each object */
async function applied(manifests: string | readonly object[]): Promise<string[]> {
  const text = typeof manifests === 'string' ? manifests : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests });
  return (await kubectl(['apply', '-f', '-'], text)).trim().split('\n');
}

/** A definition that takes any object of a kind. */
function anyOf(group: string, version: string, kind: string): object {
  const singular = kind.toLowerCase();
  const schema = { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: { group, scope: 'Namespaced', names: { kind, singular, plural: `${singular}s` }, versions: [{ name: version, served: true, storage: true, schema }] },
  };
}

test.each(EXAMPLES)('%s', async (name) => {
  const { files, objects } = examples.get(name)!;
  for (const { text, objects: inFile } of files) {
    // A text that several examples share to the letter, such as the definitions, is already there.
    if (known.has(text)) continue;
    known.add(text);
    expect(await applied(text)).toHaveLength(inFile.length);
    if (inFile.some(({ kind }) => kind === 'CustomResourceDefinition')) await allEstablished();
  }

  // Apart from the user's own images, they have no images but those that tests run them with.
  const images = [...JSON.stringify(objects).matchAll(/"image":"([^"]+)"/g)].map(([, image]) => image!);
  // `sparkctl migrate` writes the program of this one, with the published image.
  const operator = name === 'migrating-from-kubeflow' ? `${IMAGE_REPOSITORY}:${PACKAGE_VERSION}` : IMAGES.OPERATOR_IMAGE;
  expect(images).toContain(operator);
  expect(images.filter((image) => image !== operator && !/^(spark\.test|registry\.example\.org)\//.test(image))).toEqual([]);
});
