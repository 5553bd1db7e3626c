import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as cdk8s from 'cdk8s';
import { ModuleKind, transpile } from 'typescript';
import * as library from '../../src';

/** Changes the props of a construct. */
export type ChangeProps = (path: string, props: any) => any;

/** Runs after a construct is created. */
export type AfterConstruct = (path: string, construct: any) => void;

/**
 * Runs the program of an example with constructs whose props are changed, in this process.
 *
 * @param outdir folder for its files
 * @throws what the program throws
 */
export function runExample(name: string, outdir: string, change: ChangeProps = (_, props) => props, after: AfterConstruct = () => {}): void {
  const source = readFileSync(join(__dirname, '../../examples', name, 'main.mts'), 'utf8');
  const program = transpile(source, { module: ModuleKind.CommonJS });
  const modules: { readonly [name: string]: unknown } = { cdk8s, 'cdk8s-spark-operator': withChanges(change, after) };
  const log = jest.spyOn(console, 'log').mockImplementation();
  process.env.OUTDIR = outdir;
  try {
    new Function('require', 'exports', program)((module: string) => modules[module], {});
  } finally {
    delete process.env.OUTDIR;
    log.mockRestore();
  }
}

/** Returns the library with constructs whose props are changed. */
function withChanges(change: ChangeProps, after: AfterConstruct): object {
  const isConstruct = (value: any) => typeof value === 'function' && 'isConstruct' in value;
  return Object.fromEntries(Object.entries<any>(library).map(([name, value]) => [name, isConstruct(value) ? new Proxy(value, {
    construct: (type, [scope, id, props], newTarget) => {
      const path = `${scope.node.path}/${id}`;
      const construct = Reflect.construct(type, [scope, id, change(path, props)], newTarget);
      after(path, construct);
      return construct;
    },
  }) : value]));
}
