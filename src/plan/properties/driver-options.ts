import { DRIVER_CONTAINER } from '../../api/labels';
import type { SparkApplicationSpec } from '../../api/spark-application';
import type { EnvVar } from '../../k8s';
import { effectOf, jvmOptions, sparkOptions } from './java-option-text';
import { javaOptionProperties } from './java-options';
import { sparkContainer } from '../pods/container';
import { sparkConfField } from './denied-conf';
import { environmentPrefix } from './role';

/** A property that an option of the driver's JVM sets. */
export interface OptionProperty {
  readonly name: string;
  readonly value: string;
  /** Field of the option. */
  readonly field: string;
}

/** A source whose options only the driver knows. */
export interface UnreadableOptions {
  readonly field: string;
  /** Continuation of a sentence that starts with the field. */
  readonly reason: string;
  /** Remedy as an imperative. */
  readonly remedy: string;
}

/** Properties that options of the driver's JVM set, as far as the specification shows them. */
export interface DriverOptions {
  /** Spark's properties. */
  readonly properties: readonly OptionProperty[];
  readonly unreadable: readonly UnreadableOptions[];
  /** First source that was not read because there is too much text. */
  readonly tooLong?: UnreadableOptions;
}

/** Variables from which a JVM reads options. */
const JVM_VARIABLES: ReadonlySet<string> = new Set([
  'JDK_JAVA_OPTIONS', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'OPENJ9_JAVA_OPTIONS', 'IBM_JAVA_OPTIONS',
]);

/**
 * Variables from which Spark reads options of a JVM: SPARK_SUBMIT_OPTS, and by their names those of
 * its other scripts.
 */
const SPARK_VARIABLE = /^SPARK_\w*OPTS$/;

/**
 * Collects the properties that options of the driver's JVM set, from all possible sources of
 * options. Spark reads such a property like one of `sparkConf`, which takes precedence. Pure, and
 * linear in the size of the specification.
 *
 * It does not know files in the image or in volumes, `envFrom`, and properties that the program
 * sets.
 */
export function driverOptions(spec: SparkApplicationSpec): DriverOptions {
  const properties: OptionProperty[] = [];
  const unreadable: UnreadableOptions[] = [];
  let left = MAX_TEXT;
  for (const { field, read } of [...propertyTexts(spec), ...variableTexts(spec)]) {
    if (!read) {
      unreadable.push({ field, reason: 'has options from another source', remedy: WRITE_OPTIONS });
      continue;
    }
    const { text, split, missing } = read(left);
    left -= text.length;
    if (left < 0) {
      return {
        properties, unreadable, tooLong: {
          field, reason: `has more options than the ${MAX_TEXT} characters that are read`, remedy: 'write fewer options',
        },
      };
    }
    if (missing !== undefined) {
      unreadable.push({
        field, reason: `refers to the variable ${missing}, whose value is known only in the driver`, remedy: WRITE_OPTIONS,
      });
    }
    for (const option of split(text)) {
      const effect = effectOf(option);
      if (effect?.kind === 'property' && effect.name.startsWith('spark.')) {
        properties.push({ name: effect.name, value: effect.value, field });
      }
      if (effect?.kind === 'file') unreadable.push({ field, reason: 'names a file with options', remedy: WRITE_OPTIONS });
    }
  }
  return { properties, unreadable };
}

/**
 * Maximum length of the options. Linux limits each variable and argument of a process to 128 KiB
 * (MAX_ARG_STRLEN).
 */
const MAX_TEXT = 262_144;

const WRITE_OPTIONS = 'write the options themselves';

/** A source of options. */
interface OptionText {
  readonly field: string;
  /**
   * Returns the text, or more than `most` characters of it; undefined if only the driver knows it.
   */
  readonly read?: (most: number) => { readonly text: string; readonly split: (text: string) => string[]; readonly missing?: string };
}

/** The field takes precedence over its property. */
function propertyTexts({ driver, sparkConf = {} }: SparkApplicationSpec): OptionText[] {
  const [extra, byDefault] = javaOptionProperties('driver');
  const textOf = (field: string, text: string | undefined): OptionText[] => (text ? [
    { field, read: () => ({ text, split: sparkOptions }) },
  ] : []);
  return [
    ...(driver.javaOptions ? textOf('spec.driver.javaOptions', driver.javaOptions) : textOf(sparkConfField(extra), sparkConf[extra])),
    ...textOf(sparkConfField(byDefault), sparkConf[byDefault]),
  ];
}

/** A variable of the driver's container. */
interface Variable extends Pick<EnvVar, 'name' | 'value' | 'valueFrom'> {
  readonly field: string;
}

const SECRET_KEY_REF = 'spark.kubernetes.driver.secretKeyRef.';

/** Returns all variables, including replaced ones. */
function variablesOf({ driver, sparkConf = {} }: SparkApplicationSpec): Variable[] {
  const fromSecret: Variable['valueFrom'] = { secretKeyRef: { key: '' } };
  const withPrefix = (prefix: string) => (
    Object.entries(sparkConf).filter(([key]) => key.startsWith(prefix)).map(([key, value]) => ({
      name: key.slice(prefix.length), value, field: sparkConfField(key),
    }))
  );
  const container = sparkContainer(driver.template?.spec, {
    container: sparkConf['spark.kubernetes.driver.podTemplateContainerName'] ?? DRIVER_CONTAINER,
  });
  return [
    ...withPrefix(environmentPrefix('driver')),
    ...withPrefix(SECRET_KEY_REF).map(({ name, field }) => ({ name, valueFrom: fromSecret, field })),
    ...Object.entries(driver.envVars ?? {}).map(([name, value]) => ({ name, value, field: `spec.driver.envVars[${name}]` })),
    ...Object.keys(driver.envSecretKeyRefs ?? {}).map((name) => ({
      name, valueFrom: fromSecret, field: `spec.driver.envSecretKeyRefs[${name}]`,
    })),
    ...(container?.env ?? []).map((variable) => ({
      ...variable, field: `spec.driver.template.spec.containers[${container!.name}].env[${variable.name}]`,
    })),
    ...(driver.env ?? []).map((variable) => ({ ...variable, field: `spec.driver.env[${variable.name}]` })),
  ];
}

function variableTexts(spec: SparkApplicationSpec): OptionText[] {
  const variables = variablesOf(spec);
  const read = variables.filter(({ name }) => JVM_VARIABLES.has(name) || SPARK_VARIABLE.test(name));
  if (read.length === 0) return [];
  const values = valuesOf(variables);
  return read.map(({ field, name, value = '', valueFrom }): OptionText => {
    if (isTenants(valueFrom)) return { field };
    return { field, read: (most) => ({ ...expanded(value, values, most), split: JVM_VARIABLES.has(name) ? jvmOptions : sparkOptions }) };
  });
}

/**
 * Returns the values of variables to which others refer; undefined if only the driver knows the
 * value.
 */
function valuesOf(variables: readonly Variable[]): ReadonlyMap<string, string | undefined> {
  const values = new Map<string, string | undefined>();
  for (const { name, value = '', valueFrom } of variables) {
    const isKnown = !values.has(name) && !isTenants(valueFrom) && !value.includes('$');
    values.set(name, isKnown ? value : undefined);
  }
  return values;
}

/**
 * Whether a user chooses the value in another place. Addresses, names and resources of the pod
 * contain no options.
 */
function isTenants(source: EnvVar['valueFrom']): boolean {
  if (!source) return false;
  return !source.resourceFieldRef && !/^(?:status\.|spec\.|metadata\.(?:name|namespace|uid)$)/.test(source.fieldRef?.fieldPath ?? '');
}

/**
 * Replaces `$(NAME)` by the value of that variable, as the kubelet does, until the text has more
 * than `most` characters.
 */
function expanded(
  value: string, values: ReadonlyMap<string, string | undefined>, most: number,
): { readonly text: string; readonly missing?: string } {
  let [text, end] = ['', 0];
  let missing: string | undefined;
  for (let start = value.indexOf('$'); start >= 0 && text.length <= most; start = value.indexOf('$', end)) {
    const close = value[start + 1] === '(' ? value.indexOf(')', start) : -1;
    if (value[start + 1] === '(' && close < 0) break;
    text += value.slice(end, start);
    if (close < 0) {
      text += '$';
      end = start + (value[start + 1] === '$' ? 2 : 1);
      continue;
    }
    const name = value.slice(start + 2, close);
    end = close + 1;
    text += values.has(name) ? values.get(name) ?? '' : value.slice(start, end);
    if (values.has(name) && values.get(name) === undefined) missing ??= name;
  }
  return { text: text + value.slice(end), ...(missing !== undefined && { missing }) };
}
