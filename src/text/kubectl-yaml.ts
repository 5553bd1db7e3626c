import type { DocumentOptions, ParseOptions, ScalarTag, SchemaOptions, Tags } from 'yaml';

/**
 * Parses YAML as kubectl does: version 1.1 (`yes` is a boolean), but without times, sexagesimal
 * numbers and binary data, which are strings for the API server. `e3` and `.` are strings, too.
 */
export const KUBECTL_YAML: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1', customTags: asKubectl, prettyErrors: false, logLevel: 'error',
};

function asKubectl(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !(tag.format === 'TIME' || /:(binary|omap|pairs|set|timestamp)$/.test(tag.tag)))
    .map((tag) => (isNumber(tag) ? { ...tag, test: new RegExp(`^(?=[-+]?\\.?\\d)${tag.test!.source.replace(/^\^/, '')}`) } : tag));
}

/** Whether a tag is that of numbers with a point or an exponent: the library requires no digit. */
function isNumber(tag: Tags[number]): tag is ScalarTag {
  return typeof tag !== 'string' && tag.tag === 'tag:yaml.org,2002:float' && 'test' in tag && !/inf|nan/i.test(tag.test!.source);
}
