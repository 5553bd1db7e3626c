import { stringify } from 'yaml';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';
import type { Option } from '../options';

/** The forms for scripts. */
export const FORMATS = ['json', 'yaml', 'name'] as const;

export type Format = (typeof FORMATS)[number];

/** For commands that print objects. */
export const OUTPUT_OPTION = { short: 'o', value: 'FORMAT', choices: FORMATS, help: 'for scripts, in place of what people read' } as const satisfies Option;

/**
 * Objects for scripts, as kubectl prints them: several are a `List`.
 *
 * @param isList whether a list was asked for, so that one object is a list, too
 */
export function objectsText(format: Format, resource: Resource, objects: readonly KubeObject[], isList: boolean): string {
  const whole = objects.map((object) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }));
  if (format === 'name') return whole.map(({ metadata }) => `${resource.plural.replace(/s$/, '')}.${resource.group}/${metadata.name}\n`).join('');
  const content = isList ? { apiVersion: 'v1', kind: 'List', metadata: {}, items: whole } : whole[0];
  return format === 'json' ? `${JSON.stringify(content, undefined, 2)}\n` : stringify(content, { aliasDuplicateObjects: false });
}
