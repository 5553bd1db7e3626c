import * as cdk8s from 'cdk8s';
import { ModuleKind, transpile } from 'typescript';
import * as library from '../../../src';

/** Runs a program with one chart in this process, and returns its objects. */
export function objectsOf(program: string): readonly any[] {
  const app = cdk8s.Testing.app();
  jest.spyOn(app, 'synth').mockImplementation();
  const modules: Readonly<Record<string, unknown>> = { 'cdk8s': { ...cdk8s, App: function App() { return app; } }, 'cdk8s-spark-operator': library };
  new Function('require', 'exports', transpile(program, { module: ModuleKind.CommonJS }))((module: string) => modules[module], {});
  return cdk8s.Testing.synth(app.node.children[0] as cdk8s.Chart);
}

/** Returns the objects of an operator with the ids of such a program. */
export function objectsWith(props: library.SparkOperatorProps): readonly any[] {
  const chart = new cdk8s.Chart(cdk8s.Testing.app(), 'operator');
  new library.SparkOperator(chart, 'operator', props);
  return cdk8s.Testing.synth(chart);
}
