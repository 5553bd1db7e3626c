import type { SparkApplicationSpec } from '../api/spark-application';
import type { Problem } from '../model/problem';

/** Props whose names differ from the manifest's; the first match applies. */
const PROPS: readonly (readonly [field: RegExp, prop: string])[] = [
  [/^sparkUIOptions\.servicePortName\b/, 'ui.portName'],
  [/^sparkUIOptions\.servicePort\b/, 'ui.port'],
  [/^sparkUIOptions\.ingressTLS\b/, 'ui.ingressTls'],
  [/^sparkUIOptions\b/, 'ui'],
  [/^driverIngressOptions(\[\d+\])?\.servicePortName\b/, 'driverIngresses$1.portName'],
  [/^driverIngressOptions(\[\d+\])?\.servicePort\b/, 'driverIngresses$1.port'],
  [/^driverIngressOptions(\[\d+\])?\.ingressURLFormat\b/, 'driverIngresses$1.url'],
  [/^driverIngressOptions(\[\d+\])?\.ingressTLS\b/, 'driverIngresses$1.ingressTls'],
  [/^driverIngressOptions\b/, 'driverIngresses'],
  [/^activeDeadlineSeconds$/, 'activeDeadline'],
  [/^timeToLiveSeconds$/, 'timeToLive'],
  [/^batchSchedulerOptions\b/, 'batchScheduler'],
  [/^monitoring\.prometheus\.port$/, 'monitoring.jmxExporter.port'],
  [/^dynamicAllocation\.shuffleTrackingEnabled$/, 'dynamicAllocation.shuffleTracking'],
  [/^(driver|executor)\.secrets(\[\d+\])\.secretType$/, '$1.secrets$2.type'],
  [/^(driver|executor)\.ports(\[\d+\])\.containerPort$/, '$1.ports$2.port'],
  [/^(driver|executor)\.terminationGracePeriodSeconds$/, '$1.terminationGracePeriod'],
];

/** Names of props for terms in messages about the manifest. */
const TERMS: readonly (readonly [word: RegExp, prop: string])[] = [
  [/\bvolumes of spec\.volumes\b/g, 'entries of volumes'],
  [/\bspec\./g, ''],
  [/\beach servicePort\b/g, 'each port'],
  [/\beach ingressURLFormat\b/g, 'each url'],
];

/**
 * Returns a violation with the path of the user's prop.
 * @internal
 */
export function withPropPath(spec: SparkApplicationSpec): (violation: Problem) => Problem {
  return (violation) => {
    // Rules about several fields begin with the path of the main one.
    const [, path, sentence] = violation.path === 'spec' ? /^(\S+) (.*)$/.exec(violation.reason)! : [
      undefined, violation.path, violation.reason,
    ];
    const field = path!.replace(/^spec\./, '');
    if (field === path && violation.path !== 'spec') return violation;
    const inProps = (text: string) => TERMS.reduce((result, [word, prop]) => result.replace(word, prop), text);
    const { remedy } = violation;
    return {
      ...violation, value: violation.path === 'spec' ? undefined : violation.value, path: propOf(field, spec), reason: inProps(sentence!),
      ...(remedy !== undefined && { remedy: inProps(remedy) }),
    };
  };
}

function propOf(field: string, spec: SparkApplicationSpec): string {
  const variable = /^(driver|executor)\.env\[(\d+)\](.*)$/.exec(field);
  if (variable) {
    // Several props write this list; a variable is identified by its name.
    const [, role, index, rest] = variable;
    return `${role}.env[${spec[role as 'driver' | 'executor']?.env?.[Number(index)]?.name ?? index}]${rest}`;
  }
  const [pattern, prop] = PROPS.find(([candidate]) => candidate.test(field)) ?? [];
  return pattern ? field.replace(pattern, prop!) : field;
}
