import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { CommandError, fileProblem } from '../errors';
import type { Io } from '../io';
import { toError } from '../../kube/errors';
import { isObject } from '../../model/is-object';
import { isUri } from '../../plan/properties/dependencies';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';
import { TEMPLATES } from './application';
import type { SubmitRequest } from './request';

/**
 * Reads the pod templates that a submission names, by their properties.
 *
 * @throws {CommandError} if one cannot be read
 */
export async function podTemplatesOf({ properties }: SubmitRequest, { readFile }: Pick<Io, 'readFile'>): Promise<Map<string, unknown>> {
  const templates = new Map<string, unknown>();
  for (const key of TEMPLATES.keys()) {
    const setting = properties.get(key);
    if (!setting) continue;
    const { value: path, origin } = setting;
    if (isUri(path) && !/^file:/i.test(path)) throw new CommandError(`${origin} ${path}: sparkctl only reads local files; download the template first`);
    const text = await readFile(/^file:\/\//i.test(path) ? fileURLToPath(path) : path.replace(/^file:/i, ''))
      .catch((error: unknown) => { throw new CommandError(`${origin} ${path}: ${fileProblem(error)}`); });
    templates.set(key, templateIn(text, `${origin} ${path}`));
  }
  return templates;
}

function templateIn(text: string, place: string): unknown {
  try {
    const [document] = parseAllDocuments(text, KUBECTL_YAML);
    const pod: unknown = document && 'toJS' in document ? document.toJS() : undefined;
    if (!isObject(pod) || (document!.errors.length > 0)) throw new Error(document?.errors[0]?.message ?? 'it is no Pod');
    const { metadata, spec } = pod as { readonly metadata?: unknown; readonly spec?: unknown };
    return { ...(metadata !== undefined && { metadata }), ...(spec !== undefined && { spec }) };
  } catch (error) {
    throw new CommandError(`${place}: it is not the YAML of a Pod: ${toError(error).message}`);
  }
}
