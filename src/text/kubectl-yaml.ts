import type { DocumentOptions, ParseOptions, SchemaOptions, Tags } from 'yaml';

/**
 * YAML as kubectl reads it: version 1.1 (`yes` is a truth value), but without times, numbers to the base of 60 and binary data: to the API
 * server these are texts.
 */
export const KUBECTL_YAML: ParseOptions & DocumentOptions & SchemaOptions = { version: '1.1', customTags: asKubectl, prettyErrors: false, logLevel: 'error' };

function asKubectl(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !(tag.format === 'TIME' || /:(binary|omap|pairs|set|timestamp)$/.test(tag.tag)));
}
