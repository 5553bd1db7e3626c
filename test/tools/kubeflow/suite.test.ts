import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { copyCheckout } from '../../../tools/kubeflow/checkout.ts';
import { checkInstallation, essential } from '../../../tools/kubeflow/installation.ts';
import { patchSuite } from '../../../tools/kubeflow/suite.ts';

const SPARK = { image: 'spark.test/spark:9.9.9', version: '9.9.9' };

/** A checkout with as little in it as the tool relies on. */
const CHECKOUT = {
  'go.mod': 'module example\n',
  'test/e2e/go.mod': 'module example/test\n',
  'test/e2e/suite_test.go': 'a := filepath.Join("..", "charts", "spark-operator-chart")\nb := filepath.Join(a, "ci-values.yaml")\nc := filepath.Join("config", "crd", "bases")\n',
  'test/e2e/pi_test.go': 'path := filepath.Join("..", "..", "examples", "pi.yaml")\noperatorImage := deployment.Image\nuse(operatorImage)\n',
  'test/e2e/fail_test.go': 'path := filepath.Join(\n\t"bad_examples",\n\t"fail.yaml",\n)\n',
  'test/e2e/bad_examples/fail.yaml': 'spec: {image: apache/spark}\n',
  'examples/pi.yaml': '# Pi\nspec: {image: apache/spark}\n',
  'examples/unread.yaml': 'spec: {image: other}\n',
  'charts/spark-operator-chart/ci/ci-values.yaml': 'image: {tag: local}\nspark: {jobNamespaces: [default], jobNamespaceSelector: spark=enabled}\ncontroller: {kubeAPIQPS: 100, driverPodDisruptionBudget: {enable: true}}\nwebhook: {kubeAPIQPS: 100}\n',
  '.git/HEAD': 'x',
  'bin/large': 'x',
};

let folder: string;
let copy: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  copy = join(folder, 'copy');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a changed checkout, and copies it. */
function prepare(changes: { readonly [path: string]: string | undefined } = {}): string {
  const checkout = join(folder, 'checkout');
  for (const [path, text] of Object.entries({ ...CHECKOUT, ...changes })) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  copyCheckout(checkout, copy);
  return checkout;
}

const read = (base: string, path: string) => readFileSync(join(base, path), 'utf8');

test('the manifests that the suite reads are patched, with the image of the client, and only in the copy', () => {
  const checkout = prepare();
  checkInstallation(copy);
  patchSuite(copy, SPARK);
  expect(read(copy, 'examples/pi.yaml')).toBe('# Pi\nspec: { image: spark.test/spark:9.9.9 }\n');
  expect(read(copy, 'test/e2e/bad_examples/fail.yaml')).toContain(SPARK.image);
  expect(read(copy, 'test/e2e/pi_test.go')).toContain('\noperatorImage := "spark.test/spark:9.9.9"\nuse(operatorImage)\n');
  for (const path of ['examples/unread.yaml', 'test/e2e/suite_test.go'] as const) expect(read(copy, path)).toBe(CHECKOUT[path]);
  for (const path of ['.git/HEAD', 'bin/large']) expect(() => read(copy, path)).toThrow('ENOENT');
  for (const [path, text] of Object.entries(CHECKOUT)) expect(read(checkout, path)).toBe(text);
});

test.each([
  ['is no checkout', { 'test/e2e/go.mod': undefined }, 'it has no test/e2e/go.mod'],
  ['has another client', { 'test/e2e/pi_test.go': 'path := filepath.Join("..", "..", "examples", "pi.yaml")\n' }, '0 files assign operatorImage, and not one'],
  ['reads no manifest', { 'test/e2e/pi_test.go': 'operatorImage := x\n', 'test/e2e/fail_test.go': undefined }, 'no specification reads a manifest'],
  ['installs another chart', { 'test/e2e/suite_test.go': 'filepath.Join("charts", "other")' }, 'suite_test.go has no path with "charts", "spark-operator-chart"'],
  ['has other values', { 'charts/spark-operator-chart/ci/ci-values.yaml': 'spark: {jobNamespaces: [other]}\n' }, 'it installs its chart with {"spark":{"jobNamespaces":["other"]}}'],
])('a folder that %s is refused', (_, changes, message) => {
  expect(() => {
    prepare(changes);
    checkInstallation(copy);
    patchSuite(copy, SPARK);
  }).toThrow(message);
});

test('of the values, those of the machine are ignored, and maps that are empty without them', () => {
  expect(essential({ a: { image: 'x', b: [1] }, c: { d: { kubeAPIBurst: 1 } }, e: null })).toEqual({ a: { b: [1] }, e: null });
});
