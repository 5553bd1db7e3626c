import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type * as constructs from '../../src/index.ts';
import { SUITE_FOLDER } from './checkout.ts';
import { CRD_FOLDER } from './compare.ts';
import { changed } from './suite.ts';

/** Ways of submission that the suite runs with. */
export const SUBMISSIONS = ['native', 'spark-submit'] as const;

/** One of `SUBMISSIONS`. */
export type Submission = typeof SUBMISSIONS[number];

/** Folder of the chart that the suite installs. */
const CHART = 'charts/spark-operator-chart';

/** Values with which the suite installs its chart. Those that `SparkOperator` needs no counterpart for are left out. */
const VALUES = {
  spark: { jobNamespaces: ['default'], jobNamespaceSelector: 'spark=enabled' },
  controller: { driverPodDisruptionBudget: { enable: true } },
};

/** Values of the same meaning as `VALUES`. */
const PROPS = { jobNamespaces: ['default'], namespaceSelector: { spark: 'enabled' }, driverDisruptionBudgets: true };

/** Settings of this machine, which are no part of the operator's behaviour. */
const IGNORED: ReadonlySet<string> = new Set(['image', 'kubeAPIQPS', 'kubeAPIBurst']);

/** Returns values without the ignored ones, and without maps that are empty then. */
export function essential(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values;
  const kept = Object.entries(values).filter(([name]) => !IGNORED.has(name)).map(([name, value]) => [name, essential(value)] as const);
  return Object.fromEntries(kept.filter(([, value]) => !isDeepStrictEqual(value, {})));
}

/**
 * Checks that the suite installs its operator from the folders that `replaceInstallation` fills, and with the
 * expected values.
 *
 * @throws ToolError if it does not
 */
export function checkInstallation(copy: string): void {
  const source = readFileSync(join(copy, SUITE_FOLDER, 'suite_test.go'), 'utf8');
  for (const words of [['charts', 'spark-operator-chart'], ['ci-values.yaml'], ['config', 'crd', 'bases']]) {
    const text = words.map((word) => JSON.stringify(word)).join(', ');
    if (!source.includes(text)) throw changed(`suite_test.go has no path with ${text}`);
  }
  const values = essential(parse(readFileSync(join(copy, CHART, 'ci/ci-values.yaml'), 'utf8')));
  if (!isDeepStrictEqual(values, VALUES)) throw changed(`it installs its chart with ${JSON.stringify(values)}, and not with ${JSON.stringify(VALUES)}`);
}

/**
 * Replaces the chart and the CRDs in the copy of a checkout by ours, so that the suite itself installs and
 * removes this operator.
 *
 * @param root of this repository, compiled
 */
export function replaceInstallation(copy: string, root: string, image: string, submission: Submission): void {
  replaceFolder(join(copy, CRD_FOLDER), {});
  for (const file of globSync(join(root, 'crds/*.yaml'))) copyFileSync(file, join(copy, CRD_FOLDER, basename(file)));
  replaceFolder(join(copy, CHART), {
    'Chart.yaml': 'apiVersion: v2\nname: spark-operator-chart\nversion: 0.0.0\n',
    // Helm does not expand what it reads from a file.
    'templates/operator.yaml': '{{ .Files.Get "operator.yaml" }}\n',
    'operator.yaml': synthesize(root, image, submission),
    'ci/ci-values.yaml': '{}\n',
  });
}

function replaceFolder(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Returns the objects of the operator as YAML. The suite creates the namespace, and installs the CRDs first. */
function synthesize(root: string, image: string, submission: Submission): string {
  const load = createRequire(join(root, 'package.json'));
  const { Testing, Yaml } = load('cdk8s') as typeof import('cdk8s');
  const { OperatorNaming, SparkOperator, SubmissionMode } = load('./lib/index.js') as typeof constructs;
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', {
    ...PROPS,
    naming: OperatorNaming.KUBEFLOW,
    image,
    installCrds: false,
    createNamespace: false,
    submissionMode: submission === 'native' ? SubmissionMode.NATIVE : SubmissionMode.SPARK_SUBMIT,
    webhook: {},
  });
  return Yaml.stringify(...Testing.synth(chart));
}
