import { environmentPrefix } from '../properties/role';
import type { SparkProperties } from '../properties/spark-conf';
import { fieldSettingVariable, HADOOP_CONFIG, SPARK_CONFIG } from './config-directories';
import { sparkContainer } from './container';
import { seconds } from './overridden-by-spark';
import { fieldOf, type PodCustomization } from './pod-template';
import { templateContainer } from './replace';
import { chosenScheduler } from './scheduler-name';
import { needsEscalation } from './security-context';

/** Fields and template of a pod, before its properties are complete. */
export type TemplatePropertiesInput = Omit<PodCustomization, 'properties' | 'metrics' | 'target'>;

/**
 * Sets the Spark properties for fields that a template contains, but that Spark would replace when
 * it builds the pod. Removes the properties of variables that the template sets. So fields take
 * precedence over `sparkConf`, and the template over Spark's defaults. `customizePod` warns about
 * fields without a Spark property.
 *
 * Must be called after the properties of all other fields are set.
 */
export function setTemplateProperties(properties: SparkProperties, input: TemplatePropertiesInput): void {
  const { role, spec, application } = input;
  const scheduler = chosenScheduler(input);
  if (scheduler) {
    properties.set(`spark.kubernetes.${role}.scheduler.name`, scheduler.name, scheduler.field);
  }
  const selector = (label: string) => `spark.kubernetes.${role}.node.selector.${label}`;
  for (const [label, value] of Object.entries(application.nodeSelector ?? {})) {
    const isOfRole = Object.hasOwn(spec.nodeSelector ?? {}, label);
    if (!isOfRole && properties.get(selector(label)) !== value) properties.remove(selector(label), `spec.nodeSelector[${label}]`);
  }
  for (const [label, value] of Object.entries(spec.nodeSelector ?? {})) {
    properties.set(selector(label), value, fieldOf(input, `nodeSelector[${label}]`));
  }
  setEscalation(properties, input);
  removeVariables(properties, input);
  if (role === 'executor') {
    setGracePeriod(properties, input);
    if (application.sparkConfigMap) {
      properties.set(`spark.executorEnv.${SPARK_CONFIG.variable}`, SPARK_CONFIG.path, `spec.${SPARK_CONFIG.field}`);
    }
  }
}

/**
 * Removes properties of variables: Spark adds them after the template's, and Kubernetes uses the
 * last variable of a name.
 */
function removeVariables(properties: SparkProperties, input: TemplatePropertiesInput): void {
  const { role, spec } = input;
  const own = (spec.env ?? []).filter(({ name }) => fieldSettingVariable(name, input) === undefined)
    .map(({ name, value, valueFrom }) => ({ name, value: valueFrom ? undefined : value ?? '', field: fieldOf(input, `env[${name}]`) }));
  const directories = [SPARK_CONFIG, HADOOP_CONFIG].filter(({ field }) => input.application[field])
    .map(({ variable, path, field }) => ({ name: variable, value: path, field: `spec.${field}` }));
  for (const { name, value, field } of [...own, ...directories]) {
    properties.remove(`spark.kubernetes.${role}.secretKeyRef.${name}`, field);
    const key = environmentPrefix(role) + name;
    if (properties.get(key) !== value) {
      properties.remove(key, field);
    }
  }
}

/**
 * Sets the grace period. Spark 4.1 and later replace the template's by this property or its
 * default, 30 seconds (BasicExecutorFeatureStep).
 */
function setGracePeriod(properties: SparkProperties, { spec }: TemplatePropertiesInput): void {
  const key = 'spark.kubernetes.executor.terminationGracePeriodSeconds';
  const [field, template] = [seconds(spec.terminationGracePeriodSeconds), seconds(spec.template?.spec?.terminationGracePeriodSeconds)];
  if (field !== undefined) {
    properties.set(key, field, 'spec.executor.terminationGracePeriodSeconds');
  } else if (template !== undefined) {
    properties.setIfMissing(key, template, 'spec.executor.template.spec.terminationGracePeriodSeconds');
  }
}

/**
 * Sets `allowPrivilegeEscalation`. Spark 4.3 and later replace the template's by this property or
 * its default, false (SPARK-57493), with which Kubernetes would reject a privileged container.
 */
function setEscalation(properties: SparkProperties, input: TemplatePropertiesInput): void {
  const key = `spark.kubernetes.${input.role}.securityContext.allowPrivilegeEscalation`;
  const { securityContext: field } = input.spec;
  const inTemplate = sparkContainer(input.spec.template?.spec, input)?.securityContext;
  const wanted = field ?? inTemplate;
  const value = wanted && (needsEscalation(wanted) ? true : wanted.allowPrivilegeEscalation);
  if (value === undefined || value === null) {
    return;
  }
  if (field) {
    properties.set(key, String(value), fieldOf(input, 'securityContext'));
  } else if (!properties.has('spark.kubernetes.securityContext.allowPrivilegeEscalation')) {
    properties.setIfMissing(key, String(value), `${templateContainer(input)}.securityContext`);
  }
}
