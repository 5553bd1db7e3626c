import type { KubeObject } from '../../kube/objects';
import { apiVersionOf, type Resource } from '../../kube/resource';
import { yamlText } from '../../text/yaml';
import type { Option } from '../options';

/** Output formats for scripts. */
export const FORMATS = ['json', 'yaml', 'name'] as const;

export type Format = (typeof FORMATS)[number];

/** Option of commands that print objects. */
export const OUTPUT_OPTION = { short: 'o', value: 'FORMAT', choices: FORMATS, help: 'output format for scripts' } as const satisfies Option;

/**
 * Prints objects for scripts, as kubectl does: several are a `List`, without managed fields.
 *
 * @param isList whether a list was requested, so that one object is also a list
 */
export function objectsText(format: Format, resource: Resource, objects: readonly KubeObject[], isList: boolean): string {
  const whole = objects.map(({ metadata, ...rest }) => {
    const { managedFields: _, ...kept } = metadata as typeof metadata & { readonly managedFields?: unknown };
    return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: kept, ...rest };
  });
  if (format === 'name') {
    return whole.map(({ metadata }) => `${resource.plural.replace(/s$/, '')}.${resource.group}/${metadata.name}\n`).join('');
  }
  const content = isList ? { apiVersion: 'v1', kind: 'List', metadata: {}, items: whole } : whole[0];
  return format === 'json' ? `${JSON.stringify(content, undefined, 2)}\n` : yamlText(content);
}
