import type { SparkApplicationSpec } from '../../../src/api/spark-application';
import type { SparkPodSpec } from '../../../src/api/spark-pod';
import type { Container, PodSpec } from '../../../src/k8s';
import { customizePod } from '../../../src/plan/pods/customize';
import { withLocalDirVolumes } from '../../../src/plan/pods/local-dirs';
import type { PodCustomization, PodMetrics, PodTemplate } from '../../../src/plan/pods/pod-template';
import { setTemplateProperties } from '../../../src/plan/pods/template-properties';
import { SubmissionError } from '../../../src/plan/errors';
import type { Role } from '../../../src/plan/properties/role';
import { sparkProperties } from '../../../src/plan/properties/properties';
import { SparkProperties } from '../../../src/plan/properties/spark-conf';
import { problemText } from '../../../src/model/problem';
import { application as smallApplication, CONTEXT } from '../application';
import { asSpark } from './spark';

/** Both roles. */
export const ROLES: readonly Role[] = ['driver', 'executor'];

/** Parts of an application for a test. */
export interface Described {
  /** Fields of the role. */
  readonly pod?: SparkPodSpec;
  /** Fields of the application. */
  readonly application?: Partial<SparkApplicationSpec>;
  readonly metrics?: PodMetrics;
  readonly target?: PodCustomization['target'];
  /** Spark properties, instead of those of the application. */
  readonly properties?: { readonly [key: string]: string };
}

/** A customization, and the pod before it. */
export interface Given {
  readonly wanted: Described;
  /** Pod without Spark's container. */
  readonly spec?: Partial<PodSpec>;
  /** Spark's container. */
  readonly container?: Partial<Container>;
}

/** Returns a customization with only these fields of the role. */
export const field = (value: SparkPodSpec): Described => ({ pod: value });

/** A volume of an application. */
export const DATA = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };

/** Metrics as monitoring adds them to a pod. */
export const METRICS: PodMetrics = { configMapName: 'pi-prom-conf', port: { name: 'jmx-exporter', number: 8090 } };

/** Returns the name of Spark's container. */
export function containerOf(role: Role): string {
  return `spark-kubernetes-${role}`;
}

/** Returns a customization with only the given Spark properties. */
export function requestFor(
  role: Role, { pod: spec = {}, application = {}, metrics, target = 'pod', properties = {} }: Described,
): PodCustomization {
  return { role, spec, application, metrics, target, container: containerOf(role), properties: SparkProperties.of(properties) };
}

/** Returns a pod with Spark's container, like a driver before its customization. */
export function pod(role: Role, spec: Partial<PodSpec> = {}, container: Partial<Container> = {}): PodTemplate {
  return {
    metadata: { name: 'pi' }, spec: {
      ...spec, containers: [...spec.containers ?? [], { name: containerOf(role), image: 'spark', ...container }],
    },
  };
}

/** Returns the error of a customization. */
export function refusalOf(run: () => unknown): SubmissionError {
  try {
    run();
  } catch (error) {
    if (SubmissionError.is(error)) {
      return error;
    }
    throw error;
  }
  throw new Error('was not refused');
}

/** The pod to create, and the warnings for the user. */
export interface CreatedPod {
  readonly spec: PodSpec;
  readonly container: Container;
  readonly warnings: readonly string[];
}

/** Returns the pod that is created for a role of an application. A test double replaces Spark. */
export function createdPod(role: Role, described: Described): CreatedPod {
  const application = smallApplication({ spec: described.application, [role]: described.pod });
  const { properties } = sparkProperties(application, CONTEXT);
  const input = { role, spec: application.spec[role], application: application.spec, container: containerOf(role) };
  setTemplateProperties(properties, input);
  const request: PodCustomization = { ...input, properties, metrics: described.metrics, target: role === 'driver' ? 'pod' : 'template' };
  const template = withLocalDirVolumes<PodTemplate>(input.spec.template ?? {}, request);
  const start = role === 'driver' ? asSpark(template, request) : template;
  const customized = customizePod<PodTemplate>(start, request);
  const { spec } = role === 'driver' ? customized.pod : asSpark(customized.pod, request);
  return {
    spec: spec!,
    container: spec!.containers!.find(({ name }) => name === request.container)!,
    warnings: [...properties.overridden, ...customized.warnings].map(problemText),
  };
}

/** Returns a deeply frozen copy of lists and plain objects. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))
    && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
