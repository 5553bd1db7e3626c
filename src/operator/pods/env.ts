import type { Container, EnvVar } from '../../k8s';
import { environmentPrefix, type Role } from '../submission/pod-properties';
import { overridden, type SubmissionWarning } from '../submission/warnings';
import { fieldDeciding } from './config-directories';
import { type ContainerChange, onSparkContainer, sparkContainer } from './container';
import { fieldOf, type PodCustomization } from './pod-template';
import { templateContainer } from './replace';
import { includes } from './same';

/** `env`: variables of Spark's container. They win over variables of the same name from elsewhere. */
export const env = onSparkContainer((container, request) => {
  const wanted = request.spec.env ?? [];
  const effective = wanted.filter(({ name }, index) => (
    wanted.findLastIndex(other => other.name === name) === index && fieldDeciding(name, request) === undefined
  ));
  const { container: result, warnings = [] } = setVariables(container, request, effective, name => fieldOf(request, `env[${name}]`));
  return { container: result, warnings: [...overriddenHere(wanted, request), ...overriddenProperties(request), ...warnings] };
});

/**
 * Makes variables have these values: of two of the same name Kubernetes takes the later. Variables that others refer to as `$(NAME)` stay
 * in their places beside the new ones, as these others were meant to see the value that is there.
 */
export function setVariables(container: Container, request: PodCustomization, wanted: readonly EnvVar[], by: (name: string) => string): ContainerChange {
  let variables: readonly EnvVar[] = container.env ?? [];
  const moved: string[] = [];
  const warnings: SubmissionWarning[] = [];
  for (const variable of wanted) {
    const before = variables.findLast(({ name }) => name === variable.name);
    if (before && sameVariable(before, variable) && !moved.some(name => refersTo(variable, name)) && !refersToLater(before, variables, wanted)) {
      continue;
    }
    if (before && !sameVariable(before, variable)) {
      warnings.push(overriddenVariable(before, request, by(variable.name)));
    }
    variables = [...withoutVariable(variables, variable), variable];
    moved.push(variable.name);
  }
  return { container: moved.length === 0 ? container : { ...container, env: [...variables] }, warnings };
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

function withoutVariable(variables: readonly EnvVar[], { name, value }: EnvVar): readonly EnvVar[] {
  const isNeeded = refersTo({ name, value }, name) || variables.some(variable => refersTo(variable, name));
  return isNeeded ? variables : variables.filter(variable => variable.name !== name);
}

/** Whether a variable refers to one that comes only after it, so that Kubernetes would leave the reference as it is. Those that are set here have their order. */
function refersToLater(variable: EnvVar, variables: readonly EnvVar[], wanted: readonly EnvVar[]): boolean {
  const place = variables.indexOf(variable);
  const isFirstAfter = (name: string) => variables.findIndex(other => other.name === name) > place;
  return variables.some(({ name }) => refersTo(variable, name) && isFirstAfter(name) && !wanted.some(other => other.name === name));
}

function refersTo(variable: EnvVar, name: string): boolean {
  return variable.value?.includes(`$(${name})`) ?? false;
}

/** A variable is the user's, by one of several fields, or Spark's own. */
function overriddenVariable(before: EnvVar, request: PodCustomization, by: string): SubmissionWarning {
  const source = variableSource(before, request);
  return source === undefined ? { field: by, message: `replaces ${before.name}, which Spark sets itself` } : overridden(source, by);
}

/** The field that a variable in Spark's container comes from; undefined if it is none of the user's. */
function variableSource({ name }: EnvVar, request: PodCustomization): string | undefined {
  const property = variableProperty(name, request);
  if (property !== undefined) {
    return request.properties.fieldOf(property);
  }
  const inTemplate = sparkContainer(request.spec.template?.spec, request)?.env?.some(other => other.name === name);
  return inTemplate ? `${templateContainer(request)}.env[${name}]` : undefined;
}

/** The Spark property that sets a variable, if there is one. Of the two that can, the Secret's comes later (EnvSecretsFeatureStep). */
export function variableProperty(name: string, { role, properties }: PodCustomization): string | undefined {
  return [secretPrefix(role) + name, environmentPrefix(role) + name].find(key => properties.has(key));
}

/** Variables that have a value and one from a Secret by Spark properties. */
function overriddenProperties({ role, properties }: PodCustomization): SubmissionWarning[] {
  return properties.withPrefix(secretPrefix(role)).flatMap(([name]) => {
    const value = environmentPrefix(role) + name;
    return properties.has(value) ? [overridden(properties.fieldOf(value), properties.fieldOf(secretPrefix(role) + name))] : [];
  });
}

function secretPrefix(role: Role): string {
  return `spark.kubernetes.${role}.secretKeyRef.`;
}

/** Variables that have no effect, as the list itself or a field of the application says something else. */
function overriddenHere(variables: readonly EnvVar[], request: PodCustomization): SubmissionWarning[] {
  return variables.flatMap((variable, index): SubmissionWarning[] => {
    const decider = fieldDeciding(variable.name, request);
    if (decider !== undefined) {
      return [overridden(fieldOf(request, `env[${variable.name}]`), decider)];
    }
    const last = variables.findLastIndex(({ name }) => name === variable.name);
    return last === index || sameVariable(variable, variables[last]!)
      ? []
      : [overridden(fieldOf(request, `env[${index}]`), fieldOf(request, `env[${last}]`))];
  });
}
