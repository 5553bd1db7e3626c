import { apiVersionOfReview, REVIEW_KIND } from './answer';
import { MAX_DEPTH, MAX_VALUES } from './limits';
import { MAX_OBJECT_BYTES, MAX_VALUES_OF_POD } from '../../plan/review-size';
import { VALUE_COST } from '../../kube/json-weight';
import type { AdmissionRequest } from './review';
import type { KubeObject } from '../../kube/objects';

/**
 * A request that is not a review of an API server. The message is the answer, and reveals nothing
 * of the request.
 */
export class NotAReview extends Error {
  /** The HTTP status. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

const OPERATIONS: readonly AdmissionRequest['operation'][] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Maximum length of a uid that is repeated. Those of Kubernetes have 36 characters. */
const MAX_UID = 256;

/**
 * Parses an AdmissionReview.
 *
 * It checks only the fields that every object has. The API server calls mutating webhooks before it
 * applies the schema, so any other field can have any value.
 *
 * @param grow called with the bytes that the values will take, before they are allocated; can throw
 * @throws NotAReview for everything that an API server does not send
 */
export function parseReview(body: Buffer, grow: (bytes: number) => void = () => {}): AdmissionRequest {
  const values = checkShape(body);
  grow(values * VALUE_COST);
  const review = parseJson(body);
  if (!isObject(review)) throw new NotAReview('the body is not a JSON object');
  if (review.kind !== REVIEW_KIND || review.apiVersion !== apiVersionOfReview) {
    throw new NotAReview(
      `only ${REVIEW_KIND} of ${apiVersionOfReview} is answered; write admissionReviewVersions: [v1] into the webhook configuration`,
    );
  }
  const { request } = review;
  if (!isObject(request)) throw new NotAReview('request is missing, or not an object');
  const { kind, subResource } = request;
  if (!isObject(kind)) throw new NotAReview('request.kind is missing, or not an object');
  if (kind.kind === 'Pod' && values > MAX_VALUES_OF_POD) throw tooManyValues(MAX_VALUES_OF_POD);
  return {
    uid: uidIn(request.uid),
    operation: OPERATIONS.find((operation) => operation === request.operation)
      ?? notAReview(`request.operation is none of ${OPERATIONS.join(', ')}`),
    kind: {
      group: textIn(kind.group, 'request.kind.group'),
      version: textIn(kind.version, 'request.kind.version'),
      kind: textIn(kind.kind, 'request.kind.kind'),
    },
    ...(!isEmpty(subResource) && { subResource: textIn(subResource, 'request.subResource') }),
    namespace: textIn(request.namespace, 'request.namespace'),
    ...(!isEmpty(request.name) && { name: textIn(request.name, 'request.name') }),
    ...objectIn(request, 'object'),
    ...objectIn(request, 'oldObject'),
    dryRun: isEmpty(request.dryRun) || typeof request.dryRun === 'boolean'
      ? request.dryRun === true
      : notAReview('request.dryRun is neither true nor false'),
  };
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}']
  .map((character) => character.charCodeAt(0));

/** Depth of the reviewed object: `{"request":{"object":` */
const OBJECT_DEPTH = 2;
const OBJECT_KEY = Buffer.from('"object"');

/**
 * Checks the depth and size of the text before it is parsed, because parsing allocates the memory.
 *
 * @returns the number of its values
 */
function checkShape(body: Buffer): number {
  let depth = 0;
  let values = 0;
  let [key, keyEnd] = [-1, -1];
  let objectAt = -1;
  for (let index = 0; index < body.length; index++) {
    switch (body[index]) {
      case QUOTE:
        if (depth === OBJECT_DEPTH) key = index;
        index = endOfText(body, index);
        if (depth === OBJECT_DEPTH) keyEnd = index;
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (depth === OBJECT_DEPTH && key >= 0) {
          const name = body.subarray(key, keyEnd + 1);
          // An escaped "object" would not be found. API servers do not escape keys.
          if (name.includes(BACKSLASH!)) throw new NotAReview('a field of the request has an escaped name');
          if (name.equals(OBJECT_KEY)) objectAt = index;
        }
        if (++depth > MAX_DEPTH) throw new NotAReview(`the body is nested more than ${MAX_DEPTH} deep`);
        values++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (--depth !== OBJECT_DEPTH || objectAt < 0) break;
        if (index - objectAt >= MAX_OBJECT_BYTES) throw new NotAReview(`an object of more than ${MAX_OBJECT_BYTES} bytes is not read`, 413);
        objectAt = -1;
        break;
      case COMMA: values++;
    }
    if (values > MAX_VALUES) throw tooManyValues(MAX_VALUES);
  }
  return values;
}

function tooManyValues(most: number): NotAReview {
  return new NotAReview(`a review of more than ${most} values is not read`, 413);
}

/** Returns the index at which a text ends that begins at `begin`. */
function endOfText(body: Buffer, begin: number): number {
  for (let end = body.indexOf(QUOTE!, begin + 1); end >= 0; end = body.indexOf(QUOTE!, end + 1)) {
    let backslashes = 0;
    while (body[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return body.length;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The message of the error quotes the text, which can contain secrets.
    throw new NotAReview('the body is not JSON');
  }
}

function uidIn(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_UID) {
    throw new NotAReview('request.uid is missing, or not a text of at most 256 characters');
  }
  return value;
}

/** Returns a text. Namespaces and groups can be empty, and Go then omits them. */
function textIn(value: unknown, field: string): string {
  if (isEmpty(value)) return '';
  return typeof value === 'string' ? value : notAReview(`${field} is not a text`);
}

function objectIn(request: Record<string, unknown>, field: 'object' | 'oldObject'): { readonly [K in typeof field]?: KubeObject } {
  const value = request[field];
  if (isEmpty(value)) return {};
  if (!isObject(value)) throw new NotAReview(`request.${field} is not an object`);
  if (!isObject(value.metadata)) throw new NotAReview(`request.${field}.metadata is missing, or not an object`);
  const { name, namespace, labels, annotations } = value.metadata;
  textIn(name, `request.${field}.metadata.name`);
  textIn(namespace, `request.${field}.metadata.namespace`);
  for (const [where, texts] of Object.entries({ labels, annotations })) {
    const areTexts = isEmpty(texts) || (isObject(texts) && Object.values(texts).every((text) => typeof text === 'string'));
    if (!areTexts) throw new NotAReview(`request.${field}.metadata.${where} has something other than texts`);
  }
  return { [field]: value as unknown as KubeObject };
}

function isEmpty(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAReview(message: string): never {
  throw new NotAReview(message);
}
