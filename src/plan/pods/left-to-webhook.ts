import { EXECUTOR_ONLY, executorOnly, type ExecutorOnly } from '../../model/executor-only';
import { overridden, type Problem } from '../../model/problem';
import { directoryValue, HADOOP_CONFIG, SPARK_CONFIG, fieldSettingVariable } from './config-directories';
import { lastOfEach } from './env';
import { resourceProperty } from './gpu';
import { DECOMMISSION, isDecommissioned } from './overridden-by-spark';
import { fieldOf, type PodCustomization } from './pod-template';
import { sameQuantity } from './quantity';
import { isLost, referenceTooEarly, setAfterTemplate, SPARKS_OWN } from './spark-variables';

/** A field that has no effect in a template, because Spark sets the same when it builds the pod. */
export interface LeftToWebhook {
  /** Path, such as `spec.executor.memoryLimit`. */
  readonly field: string;
  /** Warning about the user's field that this one replaces. Default: none. */
  readonly replaces?: Problem;
}

/**
 * Returns the fields of a role that a pod template cannot set. With these, the webhook would still
 * change the pod that Spark has built from the template. This includes every memory limit, even one
 * that equals Spark's.
 *
 * Sources: BasicExecutorFeatureStep and later steps in KubernetesExecutorBuilder;
 * KubernetesDriverBuilder for drivers of spark-submit. Resource profiles other than the default are
 * unknown until executors request them.
 */
export function leftToWebhook(request: PodCustomization): LeftToWebhook[] {
  const { role, spec, properties } = request;
  return [
    ...variables(request),
    ...(spec.memoryLimit ? [{ field: fieldOf(request, 'memoryLimit') }] : []),
    ...gpu(request),
    ...(role === 'executor' && spec.lifecycle && isDecommissioned(properties)
      ? [overriddenScript(properties.fieldOf(DECOMMISSION), fieldOf(request, 'lifecycle'))]
      : []),
  ];
}

/**
 * Returns the customization with only these fields, for a pod that was built from the operator's
 * template. The template's fields are already set, and other webhooks, such as one that rewrites
 * images, might have changed them since.
 *
 * @param marked fields that the pod itself names: those of executors that a template could set
 */
export function onlyLeft(request: PodCustomization, marked: readonly string[] = []): PodCustomization {
  const fields = new Set(leftToWebhook(request).map(({ field }) => field));
  const { env, memoryLimit, gpu: amount, lifecycle, template } = request.spec;
  const { sparkConfigMap, hadoopConfigMap, mainApplicationFile } = request.application;
  const isLeft = (field: string) => fields.has(fieldOf(request, field));
  const later = onlyFields(request, EXECUTOR_ONLY.filter((field) => marked.includes(fieldOf(request, field))));
  return {
    ...request,
    metrics: undefined,
    spec: {
      template,
      ...later.spec,
      env: env?.filter(({ name }) => isLeft(`env[${name}]`)),
      ...(isLeft('memoryLimit') && { memoryLimit }),
      ...(isLeft('gpu') && { gpu: amount }),
      ...(isLeft('lifecycle') && { lifecycle }),
    },
    application: {
      ...later.application,
      mainApplicationFile,
      ...(fields.has('spec.sparkConfigMap') && { sparkConfigMap }),
      ...(fields.has('spec.hadoopConfigMap') && { hadoopConfigMap }),
    },
  };
}

/** Returns the parts of a customization for some fields of the role. */
export function onlyFields(
  { spec, application: { mainApplicationFile, batchScheduler } }: PodCustomization, fields: readonly ExecutorOnly[],
): Pick<PodCustomization, 'spec' | 'application'> {
  return {
    spec: { template: spec.template, ...executorOnly(spec, fields) },
    // It takes precedence over `schedulerName`.
    application: { mainApplicationFile, ...(fields.includes('schedulerName') && { batchScheduler }) },
  };
}

function variables(request: PodCustomization): LeftToWebhook[] {
  const wanted = lastOfEach(request.spec.env ?? []).filter(({ name }) => fieldSettingVariable(name, request) === undefined);
  const before = new Set<string>();
  const directories = [SPARK_CONFIG, HADOOP_CONFIG].filter(({ field }) => request.application[field]);
  return [
    ...wanted.flatMap((variable) => {
      const [field, lost] = [fieldOf(request, `env[${variable.name}]`), isLost(variable, request)];
      const isTooEarly = !lost && referenceTooEarly(variable, before, request) !== undefined;
      before.add(variable.name);
      return lost || isTooEarly ? [{ field, ...(lost && { replaces: replaced(variable.name, field, request) }) }] : [];
    }),
    ...directories.filter((directory) => isLost(
      { name: directory.variable, value: directoryValue(directory, request) }, request,
    )).map(({ field, variable }): LeftToWebhook => {
      const { by } = setAfterTemplate(variable, request)!;
      // Replacing Spark's own variable is the purpose of the field, so it needs no warning.
      return {
        field: `spec.${field}`,
        ...(by !== SPARKS_OWN && {
          replaces: { path: by, reason: `does not reach ${variable}, which spec.${field} sets`, severity: 'warning' },
        }),
      };
    }),
  ];
}

function replaced(name: string, field: string, request: PodCustomization): Problem {
  const { by } = setAfterTemplate(name, request)!;
  return by === SPARKS_OWN
    ? { path: field, reason: `replaces ${name}, which Spark sets itself`, severity: 'warning' }
    : overridden(by, field);
}

function gpu(request: PodCustomization): LeftToWebhook[] {
  const { spec: { gpu: wanted }, properties } = request;
  const property = wanted?.name && wanted.quantity > 0 ? resourceProperty(wanted.name, request) : undefined;
  if (property === undefined || sameQuantity(properties.get(property)!, String(wanted!.quantity))) {
    return [];
  }
  const field = fieldOf(request, 'gpu');
  return [{ field, replaces: overridden(properties.fieldOf(property), field) }];
}

function overriddenScript(script: string, field: string): LeftToWebhook {
  return {
    field, replaces: { path: script, reason: `has no effect on the lifecycle of executors, which ${field} sets`, severity: 'warning' },
  };
}
