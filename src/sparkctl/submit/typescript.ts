import type { ManifestObject } from '../manifests/read';
import { ImagePullPolicy, PythonVersion, SparkApplicationType } from '../../api/spark-application';
import { literal } from '../../text/typescript';

/** Fields of the specification whose type is an enum, with the enum's name. */
const ENUMS: Readonly<Record<string, readonly [name: string, values: Readonly<Record<string, string>>]>> = {
  type: ['SparkApplicationType', SparkApplicationType],
  imagePullPolicy: ['ImagePullPolicy', ImagePullPolicy],
  pythonVersion: ['PythonVersion', PythonVersion],
};

/** Returns a program with cdk8s that synthesizes a SparkApplication. */
export function typescriptProgram({ metadata, spec }: ManifestObject): string {
  const { name, namespace } = metadata as { readonly name: string; readonly namespace?: string };
  const values = spec as Readonly<Record<string, unknown>>;
  const enums = Object.keys(values).flatMap((field) => (ENUMS[field] ? [ENUMS[field][0]] : []));
  const fields = Object.entries(values).map(([field, value]) => `    ${field}: ${enumText(field, value) ?? literal(value, '    ')},\n`);
  return [
    "import { App, Chart } from 'cdk8s';\n",
    `import { ${['ApiSparkApplication', ...enums].sort().join(', ')} } from 'cdk8s-spark-operator';\n`,
    '\n',
    'const app = new App();\n',
    `const chart = new Chart(app, ${literal(name)}${namespace === undefined ? '' : `, { namespace: ${literal(namespace)} }`});\n`,
    `new ApiSparkApplication(chart, 'application', {\n  metadata: { name: ${literal(name)} },\n  spec: {\n`,
    ...fields,
    '  },\n});\n',
    'app.synth();\n',
  ].join('');
}

function enumText(field: string, value: unknown): string | undefined {
  const [name, values] = ENUMS[field] ?? [];
  const member = values && Object.keys(values).find((key) => values[key] === value);
  return member && `${name}.${member}`;
}
