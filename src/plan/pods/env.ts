import type { Container, EnvVar } from '../../k8s';
import { environmentPrefix, type Role } from '../properties/role';
import { overridden, type Problem } from '../../model/problem';
import { fieldSettingVariable } from './config-directories';
import { type ContainerChange, onSparkContainer, sparkContainer } from './container';
import { fieldOf, type PodCustomization } from './pod-template';
import { referencesOf } from './references';
import { templateContainer } from './replace';
import { includes } from './same';

/**
 * `env`: variables of Spark's container. They take precedence over variables of the same name from
 * other sources.
 */
export const env = onSparkContainer((container, request) => {
  const wanted = request.spec.env ?? [];
  const effective = lastOfEach(wanted).filter(({ name }) => fieldSettingVariable(name, request) === undefined);
  const { container: result, warnings = [] } = setVariables(container, request, effective, name => fieldOf(request, `env[${name}]`));
  return { container: result, warnings: [...overriddenHere(wanted, request), ...overriddenProperties(request), ...warnings] };
});

/**
 * Sets variables: Kubernetes uses the last of several variables with the same name. If one of the
 * wanted variables is not in effect, all of them are appended.
 */
export function setVariables(
  container: Container, request: PodCustomization, wanted: readonly EnvVar[], by: (name: string) => string,
): ContainerChange {
  const present = container.env ?? [];
  if (areInEffect(wanted, present)) {
    return { container };
  }
  const effective = new Map(present.map(variable => [variable.name, variable]));
  const sourceOf = variableSource(request);
  return {
    container: { ...container, env: [...stillUsed(present, wanted), ...wanted] },
    warnings: wanted.flatMap((variable) => {
      const before = effective.get(variable.name);
      return before && !sameVariable(before, variable) ? [overriddenVariable(before, sourceOf, by(variable.name))] : [];
    }),
  };
}

/**
 * Whether variables contain the wanted ones, each after those to which it refers: Kubernetes only
 * expands references to earlier variables. A wanted one that refers to an earlier wanted one finds
 * its value.
 */
function areInEffect(wanted: readonly EnvVar[], variables: readonly EnvVar[]): boolean {
  const last = lastIndexes(variables);
  const isPresent = (variable: EnvVar) => last.has(variable.name) && sameVariable(variables[last.get(variable.name)!]!, variable);
  if (!wanted.every(isPresent)) return false;
  const order = lastIndexes(wanted);
  const before = new Map<string, EnvVar>();
  for (const [index, variable] of variables.entries()) {
    const { name } = variable;
    const place = last.get(name) === index ? order.get(name) : undefined;
    const isResolved = (other: string) => {
      const value = before.get(other);
      const placeOfOther = order.get(other);
      if (placeOfOther === undefined) return value !== undefined || other === name || !last.has(other);
      return placeOfOther >= place! || (value !== undefined && sameVariable(value, wanted[placeOfOther]!));
    };
    if (place !== undefined && !referencesOf(variable).every(isResolved)) return false;
    before.set(name, variable);
  }
  return true;
}

/**
 * Returns the variables that remain before further ones: those that are not replaced, and those to
 * which a later variable refers, as its reference must keep the value.
 */
function stillUsed(variables: readonly EnvVar[], further: readonly EnvVar[]): EnvVar[] {
  const replaced = new Set(further.map(({ name }) => name));
  const needed = new Set<string>();
  const need = (variable: EnvVar) => {
    needed.delete(variable.name);
    referencesOf(variable).forEach(name => needed.add(name));
  };
  [...further].reverse().forEach(need);
  return [...variables].reverse().filter((variable) => {
    const isUsed = !replaced.has(variable.name) || needed.has(variable.name);
    if (isUsed) {
      need(variable);
    }
    return isUsed;
  }).reverse();
}

/** Returns the last variable of each name, which is the effective one. */
export function lastOfEach(variables: readonly EnvVar[]): EnvVar[] {
  const last = lastIndexes(variables);
  return variables.filter(({ name }, index) => last.get(name) === index);
}

function lastIndexes(variables: readonly EnvVar[]): ReadonlyMap<string, number> {
  return new Map(variables.map(({ name }, index) => [name, index]));
}

/** Whether two variables have the same name and value. */
export function sameVariable(a: EnvVar, b: EnvVar): boolean {
  return a.name === b.name && (a.value ?? '') === (b.value ?? '') && sameSource(a, b) && sameSource(b, a);
}

/** Whether two variables have the same source. The API server adds `apiVersion` to a `fieldRef`. */
function sameSource({ valueFrom: a }: EnvVar, { valueFrom: b }: EnvVar): boolean {
  const apiVersion = a?.fieldRef && { fieldRef: { apiVersion: 'v1', ...a.fieldRef } };
  return includes({ ...a, ...apiVersion }, b);
}

/**
 * Returns the warning about a replaced variable, which comes from a field of the user or from
 * Spark.
 */
function overriddenVariable(before: EnvVar, sourceOf: ReturnType<typeof variableSource>, by: string): Problem {
  const source = sourceOf(before);
  return source === undefined
    ? { path: by, reason: `replaces ${before.name}, which Spark sets itself`, severity: 'warning' }
    : overridden(source, by);
}

/**
 * Returns a function that returns the field of a variable in Spark's container; undefined if Spark
 * itself sets it.
 */
function variableSource(request: PodCustomization): (variable: EnvVar) => string | undefined {
  const inTemplate = new Set(sparkContainer(request.spec.template?.spec, request)?.env?.map(({ name }) => name));
  const path = templateContainer(request);
  return ({ name }) => {
    const property = variableProperty(name, request);
    if (property !== undefined) {
      return request.properties.fieldOf(property);
    }
    return inTemplate.has(name) ? `${path}.env[${name}]` : undefined;
  };
}

/**
 * Returns the Spark property that sets a variable, if one does. If two do, that of a Secret is
 * later (EnvSecretsFeatureStep).
 */
export function variableProperty(name: string, { role, properties }: PodCustomization): string | undefined {
  return [secretPrefix(role) + name, environmentPrefix(role) + name].find(key => properties.has(key));
}

/** Returns warnings about variables for which Spark properties have both a value and a Secret. */
function overriddenProperties({ role, properties }: PodCustomization): Problem[] {
  return properties.withPrefix(secretPrefix(role)).flatMap(([name]) => {
    const value = environmentPrefix(role) + name;
    return properties.has(value) ? [overridden(properties.fieldOf(value), properties.fieldOf(secretPrefix(role) + name))] : [];
  });
}

function secretPrefix(role: Role): string {
  return `spark.kubernetes.${role}.secretKeyRef.`;
}

/**
 * Returns warnings about variables without effect, because a later one in the list or a field of
 * the application replaces them.
 */
function overriddenHere(variables: readonly EnvVar[], request: PodCustomization): Problem[] {
  const lasts = lastIndexes(variables);
  return variables.flatMap((variable, index): Problem[] => {
    const setter = fieldSettingVariable(variable.name, request);
    if (setter !== undefined) {
      return [overridden(fieldOf(request, `env[${variable.name}]`), setter)];
    }
    const last = lasts.get(variable.name)!;
    return last === index || sameVariable(variable, variables[last]!)
      ? []
      : [overridden(fieldOf(request, `env[${index}]`), fieldOf(request, `env[${last}]`))];
  });
}
