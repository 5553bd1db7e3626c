import type { DocumentOptions, ParseOptions, SchemaOptions, Tags } from 'yaml';

/**
 * Parses YAML as kubectl does: version 1.1 (`yes` is a boolean), but without times, sexagesimal
 * numbers and binary data, which are strings for the API server.
 */
export const KUBECTL_YAML: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1', customTags: asKubectl, prettyErrors: false, logLevel: 'error',
};

function asKubectl(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !(tag.format === 'TIME' || /:(binary|omap|pairs|set|timestamp)$/.test(tag.tag)));
}
