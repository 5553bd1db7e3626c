import { apiVersionOfReview, REVIEW_KIND } from './answer';
import { MAX_DEPTH, MAX_VALUES } from './limits';
import { MAX_OBJECT_BYTES, MAX_VALUES_OF_POD } from '../../plan/review-size';
import { VALUE_COST } from '../../kube/json-weight';
import type { AdmissionRequest } from './review';
import type { KubeObject } from '../../kube/objects';

/** What was sent is not a review that an API server sends. The message is the answer, and tells nothing that was in it. */
export class NotAReview extends Error {
  /** The HTTP status. */
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

const OPERATIONS: readonly AdmissionRequest['operation'][] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** The longest uid that is repeated: those of Kubernetes have 36 characters. */
const MAX_UID = 256;

/**
 * Reads an AdmissionReview.
 *
 * Of the object only what is in every object is looked at: the API server asks mutating webhooks before it compares with the schema, so
 * that any value can be anywhere else.
 *
 * @param grow told how many bytes the values are going to take, before there are any; may throw
 * @throws NotAReview for everything that an API server does not send
 */
export function parseReview(body: Buffer, grow: (bytes: number) => void = () => {}): AdmissionRequest {
  const values = checkShape(body);
  grow(values * VALUE_COST);
  const review = parseJson(body);
  if (!isObject(review)) throw new NotAReview('the body is not a JSON object');
  if (review.kind !== REVIEW_KIND || review.apiVersion !== apiVersionOfReview) {
    throw new NotAReview(`only ${REVIEW_KIND} of ${apiVersionOfReview} is answered; write admissionReviewVersions: [v1] into the webhook configuration`);
  }
  const { request } = review;
  if (!isObject(request)) throw new NotAReview('request is missing, or not an object');
  const { kind, subResource } = request;
  if (!isObject(kind)) throw new NotAReview('request.kind is missing, or not an object');
  if (kind.kind === 'Pod' && values > MAX_VALUES_OF_POD) throw tooManyValues(MAX_VALUES_OF_POD);
  return {
    uid: uidIn(request.uid),
    operation: OPERATIONS.find((operation) => operation === request.operation) ?? notAReview(`request.operation is none of ${OPERATIONS.join(', ')}`),
    kind: { group: textIn(kind.group, 'request.kind.group'), version: textIn(kind.version, 'request.kind.version'), kind: textIn(kind.kind, 'request.kind.kind') },
    ...(!isEmpty(subResource) && { subResource: textIn(subResource, 'request.subResource') }),
    namespace: textIn(request.namespace, 'request.namespace'),
    ...(!isEmpty(request.name) && { name: textIn(request.name, 'request.name') }),
    ...objectIn(request, 'object'),
    ...objectIn(request, 'oldObject'),
    dryRun: isEmpty(request.dryRun) || typeof request.dryRun === 'boolean' ? request.dryRun === true : notAReview('request.dryRun is neither true nor false'),
  };
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map((character) => character.charCodeAt(0));

/** Where the object stands that is asked about: `{"request":{"object":` */
const OBJECT_DEPTH = 2;
const OBJECT_KEY = Buffer.from('"object"');

/**
 * Looks how deep and how large the text would become before it is made values of: afterwards the memory is gone.
 *
 * @returns how many values it has
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
          // Escaped, "object" would not be found. API servers escape no key.
          if (name.includes(BACKSLASH!)) throw new NotAReview('a field of the request has an escaped name');
          if (name.equals(OBJECT_KEY)) objectAt = index;
        }
        if (++depth > MAX_DEPTH) throw new NotAReview(`the body is nested more than ${MAX_DEPTH} deep`);
        values++;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        if (--depth !== OBJECT_DEPTH || objectAt < 0) break;
        if (index - objectAt >= MAX_OBJECT_BYTES) throw new NotAReview(`an object of more than ${MAX_OBJECT_BYTES} bytes is not looked at`, 413);
        objectAt = -1;
        break;
      case COMMA: values++;
    }
    if (values > MAX_VALUES) throw tooManyValues(MAX_VALUES);
  }
  return values;
}

function tooManyValues(most: number): NotAReview {
  return new NotAReview(`a review of more than ${most} values is not looked at`, 413);
}

/** Where a text ends that begins at an index. */
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
    // Its message quotes the text, which may hold secrets.
    throw new NotAReview('the body is not JSON');
  }
}

function uidIn(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_UID) throw new NotAReview('request.uid is missing, or not a text of at most 256 characters');
  return value;
}

/** Namespaces and groups may be empty, and Go then leaves them out. */
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
