import { sourceOf, type Imports } from './readers';
import { documentIn, props } from './values-file';

/**
 * Returns the program that synthesizes `SparkOperator` with the props of a values file.
 *
 * @param file valid file
 * @param comment first lines of the program
 */
export function programOf(file: { readonly name: string; readonly content: string }, comment: readonly string[]): string {
  const imports: Imports = { cdk8s: new Set(['App', 'Chart']), own: new Set(['SparkOperator']) };
  const source = sourceOf(props, documentIn(file), imports, '');
  return [
    ...comment.map((line) => `// ${line}`),
    `import { ${[...imports.cdk8s].sort().join(', ')} } from 'cdk8s';`,
    `import { ${[...imports.own].sort().join(', ')} } from 'cdk8s-spark-operator';`,
    '',
    'const app = new App();',
    "const chart = new Chart(app, 'operator');",
    '',
    `new SparkOperator(chart, 'operator', ${source});`,
    '',
    'app.synth();',
    '',
  ].join('\n');
}
