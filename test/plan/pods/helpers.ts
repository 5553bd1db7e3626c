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

/** Both. */
export const ROLES: readonly Role[] = ['driver', 'executor'];

/** What a test says about an application. */
export interface Described {
  /** The fields of the role. */
  readonly pod?: SparkPodSpec;
  /** The fields of the application. */
  readonly application?: Partial<SparkApplicationSpec>;
  readonly metrics?: PodMetrics;
  readonly target?: PodCustomization['target'];
  /** Spark properties in place of those that the application would get. */
  readonly properties?: { readonly [key: string]: string };
}

/** What is written, and what the pod has already. */
export interface Given {
  readonly wanted: Described;
  /** The pod, besides Spark's container. */
  readonly spec?: Partial<PodSpec>;
  /** Spark's container. */
  readonly container?: Partial<Container>;
}

/** These fields of the role, and nothing else. */
export const field = (value: SparkPodSpec): Described => ({ pod: value });

/** A volume that an application can have. */
export const DATA = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };

/** What monitoring adds to a pod. */
export const METRICS: PodMetrics = { configMapName: 'pi-prom-conf', port: { name: 'jmx-exporter', number: 8090 } };

/** Name of Spark's container. */
export function containerOf(role: Role): string {
  return `spark-kubernetes-${role}`;
}

/** A customisation with no Spark properties but those that are given. */
export function requestFor(role: Role, { pod: spec = {}, application = {}, metrics, target = 'pod', properties = {} }: Described): PodCustomization {
  return { role, spec, application, metrics, target, container: containerOf(role), properties: SparkProperties.of(properties) };
}

/** A pod with Spark's container, as a driver is before it is customised. */
export function pod(role: Role, spec: Partial<PodSpec> = {}, container: Partial<Container> = {}): PodTemplate {
  return { metadata: { name: 'pi' }, spec: { ...spec, containers: [...spec.containers ?? [], { name: containerOf(role), image: 'spark', ...container }] } };
}

/** The error that a customisation ends in. */
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

/** A pod as it would be created, and what the user is told. */
export interface CreatedPod {
  readonly spec: PodSpec;
  readonly container: Container;
  readonly warnings: readonly string[];
}

/** All the way from an application to the pod that is created for a role, with a stand-in for Spark. */
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
    container: spec!.containers.find(({ name }) => name === request.container)!,
    warnings: [...properties.overridden, ...customized.warnings].map(problemText),
  };
}

/** The same value, in which to change a list or a plain object is an error. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
