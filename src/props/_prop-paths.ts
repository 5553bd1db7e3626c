import type { SparkApplicationSpec } from '../api/spark-application';
import type { Problem } from '../model/problem';
import { RESOLVED_FIELDS } from '../plan/fields';

/** Props whose names differ from the manifest's; the first match applies. */
const PROPS: readonly (readonly [field: RegExp, prop: string])[] = RESOLVED_FIELDS.flatMap(({ path, prop }) => (
  prop === undefined ? [] : [[path.join('.'), prop] as const]
)).sort(([a], [b]) => b.length - a.length).map(([field, prop]) => [
  new RegExp(`^${field.replaceAll('.', '\\.').replace('[]', '(\\[\\d+\\])')}\\b`), prop.replace('[]', '$1'),
]);

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
