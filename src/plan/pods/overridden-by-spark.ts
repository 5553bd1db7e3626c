import type { SparkPodSpec } from '../../api/spark-pod';
import type { Container, ObjectMeta, PodSpec } from '../../k8s';
import type { ReadonlySparkProperties } from '../properties/spark-conf';
import { overridden, type Problem, withoutEffect } from '../../model/problem';
import { fieldSettingVariable } from './config-directories';
import { sparkContainer } from './container';
import { resourceProperty } from './gpu';
import { selectorProperty } from './node-selector';
import { fieldOf, type PodCustomization, type PodTemplate } from './pod-template';
import { sameQuantity } from './quantity';
import { templateContainer } from './replace';
import { chosenScheduler, schedulerProperty } from './scheduler-name';
import { escalationProperty } from './security-context';
import { isLost, referenceTooEarly, setAfterTemplate, SPARKS_OWN } from './spark-variables';

/** Property with which executors migrate their data before they stop. */
export const DECOMMISSION = 'spark.decommission.enabled';

/** Spark's own labels (KubernetesConf.labels). */
const LABELS = /^spark-(version|app-selector|app-name|role|exec-id|exec-resourceprofile-id)$/;

/**
 * Returns warnings about parts of a template that Spark replaces by values of properties or by its
 * own. If a part comes from a field, the warning names the field.
 */
export function overriddenBySpark(template: PodTemplate, request: PodCustomization): Problem[] {
  const container = sparkContainer(template.spec, request);
  return [
    ...metadataWarnings((template.metadata ?? {}) as ObjectMeta, request),
    ...(template.spec ? podWarnings(template.spec, request) : []),
    ...(container ? containerWarnings(container, request) : []),
  ];
}

function metadataWarnings({ name, labels, annotations }: ObjectMeta, request: PodCustomization): Problem[] {
  const { role } = request;
  const path = fieldOf(request, 'template.metadata');
  const ofMap = (map: 'labels' | 'annotations', values: { readonly [key: string]: string } | undefined, prefix: string) => (
    Object.entries(values ?? {}).flatMap(([key, value]) => (map === 'labels' && LABELS.test(key)
      ? [overridden(`${path}.labels[${key}]`, 'Spark\'s own')]
      : byProperty(request, `${path}.${map}[${key}]`, value, [prefix + key])))
  );
  return [
    ...byProperty(request, `${path}.name`, name, role === 'driver' ? ['spark.kubernetes.driver.pod.name'] : []),
    ...(name && role === 'executor' ? [withoutEffect(`${path}.name`, ': Spark names executors')] : []),
    ...ofMap('labels', labels, `spark.kubernetes.${role}.label.`),
    ...ofMap('annotations', annotations, `spark.kubernetes.${role}.annotation.`),
  ];
}

function podWarnings(spec: PodSpec, request: PodCustomization): Problem[] {
  const { role } = request;
  const path = fieldOf(request, 'template.spec');
  const scheduler = schedulerProperty(request);
  const account = 'serviceAccountName' in spec ? 'serviceAccountName' : 'serviceAccount';
  return [
    ...(spec.restartPolicy && spec.restartPolicy !== 'Never' ? [overridden(`${path}.restartPolicy`, 'Spark\'s own, Never')] : []),
    ...(spec.hostname && role === 'executor' ? [withoutEffect(`${path}.hostname`, ': Spark names executors')] : []),
    ...byProperty(
      request, written(request, 'terminationGracePeriodSeconds', `${path}.terminationGracePeriodSeconds`),
      seconds(spec.terminationGracePeriodSeconds),
      role === 'executor' ? ['spark.kubernetes.executor.terminationGracePeriodSeconds'] : [],
    ),
    ...byProperty(
      request, chosenScheduler(request)?.field ?? `${path}.schedulerName`, spec.schedulerName,
      scheduler === undefined ? [] : [scheduler],
    ),
    ...byProperty(
      request, `${path}.${account}`, spec[account],
      role === 'driver' ? ['spark.kubernetes.authenticate.driver.serviceAccountName'] : [],
    ),
    ...Object.entries(spec.nodeSelector ?? {}).flatMap(([label, value]) => {
      const property = selectorProperty(label, request);
      const field = request.spec.nodeSelector?.[label] === undefined
        ? `${path}.nodeSelector[${label}]`
        : fieldOf(request, `nodeSelector[${label}]`);
      return byProperty(request, field, value, property === undefined ? [] : [property]);
    }),
  ];
}

function containerWarnings(container: Container, request: PodCustomization): Problem[] {
  const { role, properties } = request;
  const path = templateContainer(request);
  const { requests, limits } = container.resources ?? {};
  const memory = `${properties.sourceOf(`spark.${role}.memory`)} and the overhead`;
  const memoryLimit = request.target === 'pod' && request.spec.memoryLimit ? fieldOf(request, 'memoryLimit') : memory;
  const escalation = escalationProperty(request);
  return [
    ...byProperty(request, `${path}.image`, container.image, [
      `spark.kubernetes.${role}.container.image`, 'spark.kubernetes.container.image',
    ]),
    ...byProperty(
      request, `${path}.imagePullPolicy`, container.imagePullPolicy, ['spark.kubernetes.container.image.pullPolicy'],
      'IfNotPresent',
    ),
    ...byProperty(request, `${path}.resources.requests.cpu`, requests?.cpu, [
      `spark.kubernetes.${role}.request.cores`, `spark.${role}.cores`,
    ]),
    ...byProperty(request, `${path}.resources.limits.cpu`, limits?.cpu, [`spark.kubernetes.${role}.limit.cores`]),
    ...(requests?.memory === undefined ? [] : [overridden(`${path}.resources.requests.memory`, memory)]),
    ...(limits?.memory === undefined ? [] : [overridden(`${path}.resources.limits.memory`, memoryLimit)]),
    ...Object.entries(limits ?? {}).flatMap(([name, amount]) => {
      const property = resourceProperty(name, request);
      const field = request.spec.gpu?.name === name ? fieldOf(request, 'gpu') : `${path}.resources.limits[${name}]`;
      return byProperty(request, field, amount, property === undefined ? [] : [property]);
    }),
    ...variableWarnings(container, request),
    ...byProperty(request, written(request, 'securityContext', `${path}.securityContext.allowPrivilegeEscalation`),
      container.securityContext?.allowPrivilegeEscalation?.toString(), escalation === undefined ? [] : [escalation]),
    ...(container.lifecycle && role === 'executor' && isDecommissioned(properties)
      ? [overridden(written(request, 'lifecycle', `${path}.lifecycle`), properties.fieldOf(DECOMMISSION))]
      : []),
  ];
}

function variableWarnings({ env }: Container, request: PodCustomization): Problem[] {
  const inField = new Set(request.spec.env?.map(({ name }) => name));
  const path = templateContainer(request);
  const before = new Set<string>();
  return (env ?? []).flatMap((variable): Problem[] => {
    const { name } = variable;
    const setter = fieldSettingVariable(name, request);
    const field = setter ?? (inField.has(name) ? fieldOf(request, `env[${name}]`) : `${path}.env[${name}]`);
    const reference = referenceTooEarly(variable, before, request);
    before.add(name);
    if (!isLost(variable, request)) {
      return reference === undefined ? [] : [{
        path: field, reason: `refers to ${reference}, which is set after it, so Kubernetes does not expand the reference`,
        severity: 'warning',
      }];
    }
    const { by } = setAfterTemplate(name, request)!;
    return [setter === undefined ? overridden(field, by) : {
      path: field,
      reason: `does not reach ${name}, which ${by === SPARKS_OWN ? 'Spark sets itself when it builds the pod' : `is set by ${by}`}`,
      severity: 'warning',
    }];
  });
}

/**
 * Whether Spark sets the lifecycle of executors: a script that decommissions them
 * (BasicExecutorFeatureStep).
 */
export function isDecommissioned(properties: ReadonlySparkProperties): boolean {
  return properties.get(DECOMMISSION)?.trim().toLowerCase() === 'true';
}

/** Returns a warning about a value if the first existing property has another one. */
function byProperty(
  request: PodCustomization, field: string, value: string | undefined | null, keys: readonly string[], byDefault?: string,
): Problem[] {
  const { properties } = request;
  const key = keys.find(candidate => properties.has(candidate));
  const other = key === undefined ? byDefault : properties.get(key);
  if (value === undefined || value === null || value === '' || other === undefined || String(value) === other
    || sameQuantity(String(value), other)) {
    return [];
  }
  return [overridden(field, key === undefined ? `Spark's default, ${other}` : properties.sourceOf(key))];
}

/** Returns the field if it is set, otherwise the path in the template. */
function written(request: PodCustomization, field: keyof SparkPodSpec, inTemplate: string): string {
  return request.spec[field] === undefined ? inTemplate : fieldOf(request, field);
}

/** Returns seconds in the form of `setTemplateProperties`. */
export function seconds(period: number | undefined | null): string | undefined {
  // Kubernetes treats a negative period as one second; Spark rejects it.
  return period === undefined || period === null ? undefined : `${period < 0 ? 1 : period}s`;
}
