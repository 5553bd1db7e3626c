import { shortened } from '../../text/shorten';
import type { PartialSpecUse } from './partial-spec';
import { withoutNulls } from '../../rules/validate';
import { problemText, type Problem } from '../../model/problem';
import { knownFields } from '../../rules/known-fields';
import type { KubeObject } from '../../kube/objects';
import { parseBoundedYaml } from './bounded-yaml';
import { DEFAULTS_KEY, ENFORCED_KEY, LIMITS_KEY, type Layer, type PartialSpec } from './layer';
import { parseLimits } from './parse-limits';
import { partialViolations } from './partial-schema';

/** The parts of a ConfigMap that are read here. */
export interface RawConfigMap extends KubeObject {
  readonly data?: { readonly [key: string]: string };
  readonly binaryData?: { readonly [key: string]: string };
}

/**
 * An invalid ConfigMap. The message is for users: the ConfigMap, the key, the place in it, the
 * problem and the remedy. It contains no values that can be secrets.
 */
export class DefaultsError extends Error {}

const KEYS: readonly string[] = [DEFAULTS_KEY, ENFORCED_KEY, LIMITS_KEY];

/** Maximum number of mistakes in a message. */
const MAX_MISTAKES = 5;

/** Maximum length of a message, which is written into a status and an event. */
const MAX_LENGTH = 700;

/**
 * Reads a ConfigMap with defaults and limits.
 *
 * @throws DefaultsError with all mistakes, or the first few of them
 */
export function parseLayer({ metadata, data = {}, binaryData = {} }: RawConfigMap): Layer {
  const mistakes: string[] = [...Object.keys(data), ...Object.keys(binaryData)]
    .filter((key) => !KEYS.includes(key) || !Object.hasOwn(data, key))
    .map((key) => (
      KEYS.includes(key) ? `${key} is binary; write it as text` : `${key} is not a key that is read; ${knownFields(key, KEYS)}`
    ));
  const read = <T>(key: string, parse: (value: PartialSpec, refuse: (...found: Problem[]) => void) => T): T => {
    const found = fileOf(data[key] ?? '');
    const isWrong = typeof found === 'string';
    if (isWrong) mistakes.push(`${key}: ${found}`);
    return parse(isWrong ? {} : found, (...wrong) => mistakes.push(...wrong.map((violation) => `${key}: ${problemText(violation)}`)));
  };
  const readSpec = (key: string, use: PartialSpecUse) => read(key, (spec, refuse) => {
    refuse(...partialViolations(spec, use));
    return spec;
  });
  const defaults = readSpec(DEFAULTS_KEY, 'defaults');
  const enforced = readSpec(ENFORCED_KEY, 'enforced');
  const limits = read(LIMITS_KEY, parseLimits);
  const configMap = `${metadata.namespace}/${metadata.name}`;
  if (mistakes.length > 0) throw new DefaultsError(messageOf(configMap, mistakes));
  return { configMap, resourceVersion: metadata.resourceVersion ?? '', defaults, enforced, limits };
}

/**
 * Returns the object in a text, or the problem as the rest of a sentence. An empty text is an empty
 * object.
 */
function fileOf(text: string): PartialSpec | string {
  const parsed = parseBoundedYaml(text);
  if (parsed.problem !== undefined) return parsed.problem;
  const { value } = parsed;
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    return 'is not an object; write fields, such as those of the spec of a SparkApplication';
  }
  return withoutNulls(value) as PartialSpec;
}

function messageOf(configMap: string, mistakes: readonly string[]): string {
  const more = mistakes.length - MAX_MISTAKES;
  const shown = mistakes.slice(0, MAX_MISTAKES).join('; ');
  const text = `ConfigMap ${configMap} cannot be used: ${shown}${more > 0 ? `; and ${more} more` : ''}`;
  return shortened(text, MAX_LENGTH);
}
