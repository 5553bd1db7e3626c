import type { Container, EnvVar } from '../../k8s';
import { environmentPrefix, type Role } from '../properties/role';
import { overridden, type Problem } from '../../model/problem';
import { fieldDeciding } from './config-directories';
import { type ContainerChange, onSparkContainer, sparkContainer } from './container';
import { fieldOf, type PodCustomization } from './pod-template';
import { templateContainer } from './replace';
import { includes } from './same';
import { VariableList } from './variable-list';

/** `env`: variables of Spark's container. They win over variables of the same name from elsewhere. */
export const env = onSparkContainer((container, request) => {
  const wanted = request.spec.env ?? [];
  const effective = lastOfEach(wanted).filter(({ name }) => fieldDeciding(name, request) === undefined);
  const { container: result, warnings = [] } = setVariables(container, request, effective, name => fieldOf(request, `env[${name}]`));
  return { container: result, warnings: [...overriddenHere(wanted, request), ...overriddenProperties(request), ...warnings] };
});

/**
 * Makes variables have these values: of two of the same name Kubernetes takes the later. Variables that others refer to as `$(NAME)` stay
 * in their places beside the new ones, as these others were meant to see the value that is there.
 */
export function setVariables(container: Container, request: PodCustomization, wanted: readonly EnvVar[], by: (name: string) => string): ContainerChange {
  const names = new Set(wanted.map(({ name }) => name));
  const variables = new VariableList(container.env ?? [], names);
  const sourceOf = variableSource(request);
  const moved = new Set<string>();
  const warnings: Problem[] = [];
  for (const variable of wanted) {
    const { name } = variable;
    const references = variables.referencesOf(variable);
    const before = variables.last(name);
    const isThere = before !== undefined && sameVariable(before, variable);
    if (isThere && ![...references].some(other => moved.has(other)) && !refersToLater(before, variables, names)) {
      continue;
    }
    if (before && !isThere) {
      warnings.push(overriddenVariable(before, sourceOf, by(name)));
    }
    if (!references.has(name) && !variables.isReferredTo(name)) {
      variables.remove(name);
    }
    variables.add(variable);
    moved.add(name);
  }
  return { container: moved.size === 0 ? container : { ...container, env: variables.list() }, warnings };
}

/** Of each name the last variable, which is the one that counts. */
export function lastOfEach(variables: readonly EnvVar[]): EnvVar[] {
  const last = lastIndexes(variables);
  return variables.filter(({ name }, index) => last.get(name) === index);
}

function lastIndexes(variables: readonly EnvVar[]): ReadonlyMap<string, number> {
  return new Map(variables.map(({ name }, index) => [name, index]));
}

/** Whether two variables have the same value. */
export function sameVariable(a: EnvVar, b: EnvVar): boolean {
  return a.name === b.name && (a.value ?? '') === (b.value ?? '') && sameSource(a, b) && sameSource(b, a);
}

/** The API server fills in `apiVersion` of a `fieldRef`. */
function sameSource({ valueFrom: a }: EnvVar, { valueFrom: b }: EnvVar): boolean {
  const apiVersion = a?.fieldRef && { fieldRef: { apiVersion: 'v1', ...a.fieldRef } };
  return includes({ ...a, ...apiVersion }, b);
}

/** Whether a variable refers to one that comes only after it, so that Kubernetes would leave the reference as it is. Those that are set here have their order. */
function refersToLater(variable: EnvVar, variables: VariableList, wanted: ReadonlySet<string>): boolean {
  const place = variables.lastPlace(variable.name);
  return [...variables.referencesOf(variable)].some(name => variables.firstPlace(name) > place && !wanted.has(name));
}

/** A variable is the user's, by one of several fields, or Spark's own. */
function overriddenVariable(before: EnvVar, sourceOf: ReturnType<typeof variableSource>, by: string): Problem {
  const source = sourceOf(before);
  return source === undefined ? { path: by, reason: `replaces ${before.name}, which Spark sets itself`, severity: 'warning' } : overridden(source, by);
}

/** The field that a variable in Spark's container comes from; undefined if it is none of the user's. */
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

/** The Spark property that sets a variable, if there is one. Of the two that can, the Secret's comes later (EnvSecretsFeatureStep). */
export function variableProperty(name: string, { role, properties }: PodCustomization): string | undefined {
  return [secretPrefix(role) + name, environmentPrefix(role) + name].find(key => properties.has(key));
}

/** Variables that have a value and one from a Secret by Spark properties. */
function overriddenProperties({ role, properties }: PodCustomization): Problem[] {
  return properties.withPrefix(secretPrefix(role)).flatMap(([name]) => {
    const value = environmentPrefix(role) + name;
    return properties.has(value) ? [overridden(properties.fieldOf(value), properties.fieldOf(secretPrefix(role) + name))] : [];
  });
}

function secretPrefix(role: Role): string {
  return `spark.kubernetes.${role}.secretKeyRef.`;
}

/** Variables that have no effect, as the list itself or a field of the application says something else. */
function overriddenHere(variables: readonly EnvVar[], request: PodCustomization): Problem[] {
  const lasts = lastIndexes(variables);
  return variables.flatMap((variable, index): Problem[] => {
    const decider = fieldDeciding(variable.name, request);
    if (decider !== undefined) {
      return [overridden(fieldOf(request, `env[${variable.name}]`), decider)];
    }
    const last = lasts.get(variable.name)!;
    return last === index || sameVariable(variable, variables[last]!)
      ? []
      : [overridden(fieldOf(request, `env[${index}]`), fieldOf(request, `env[${last}]`))];
  });
}
