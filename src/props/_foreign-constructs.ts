import { Construct } from 'constructs';
import { problemText, type Problem } from '../model/problem';

/** Props that take constructs of this package. */
const LINKS = ['jobNamespace', 'operator'];

/**
 * Throws an error for constructs of other libraries, such as those of cdk8s-plus, in the place of
 * names and of manifests. Types allow them in JavaScript, and a cdk8s-plus Volume also in
 * TypeScript, because it has a name as a Kubernetes volume does.
 *
 * @param scope construct of the props
 * @param props props, or the arguments of a method by their names
 * @param method the method @default - the constructor
 * @internal
 */
export function rejectConstructs(scope: Construct, props: object, method?: string): void {
  const found = foreignConstructs(props);
  if (found.length === 0) return;
  throw new Error(`${placeOf(scope)}: ${method ? `${method}: ` : ''}${found.map(problemText).join('; ')}`);
}

/**
 * Returns a construct as errors name it, such as `SparkApplication at jobs/pi`.
 * @internal
 */
export function placeOf(scope: Construct): string {
  return `${scope.constructor.name} at ${scope.node.path}`;
}

/**
 * Returns the constructs in the place of names and manifests.
 * @internal
 */
export function foreignConstructs(props: object): Problem[] {
  return constructsIn('', props);
}

function constructsIn(path: string, value: unknown): Problem[] {
  if (Construct.isConstruct(value)) return [problemOf(path, value)];
  if (Array.isArray(value)) return value.flatMap((each, index) => constructsIn(`${path}[${index}]`, each));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return [];
  const prefix = path === '' ? '' : `${path}.`;
  return Object.entries(value).filter(([name]) => !LINKS.includes(name)).flatMap(([name, each]) => constructsIn(`${prefix}${name}`, each));
}

function problemOf(path: string, value: Construct): Problem {
  const isVolume = value.constructor.name.endsWith('Volume');
  return {
    path, reason: `is the construct ${value.node.path} (${value.constructor.name})`,
    remedy: isVolume
      ? "write the volume as in a manifest, such as { name: 'data', secret: { secretName: secret.name } }"
      : 'pass its name, such as account.name',
  };
}
