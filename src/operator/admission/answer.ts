import { MAX_MESSAGE, MAX_WARNING, MAX_WARNINGS } from './limits';
import type { AdmissionAnswer } from './review';
import { shortened } from '../../text/shorten';

/** The version that is spoken. */
export const apiVersionOfReview = 'admission.k8s.io/v1';

/** What question and answer are called. */
export const REVIEW_KIND = 'AdmissionReview';

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest', 403: 'Forbidden', 409: 'Conflict', 413: 'RequestEntityTooLarge', 422: 'Invalid', 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable',
};

/** The status of an answer, as metrics and users see it: 200, or why not. */
export function codeOf({ allowed, code = 403 }: AdmissionAnswer): number {
  return allowed ? 200 : code;
}

/** An answer as the API server reads it, for the question of this uid. */
export function encodeAnswer(uid: string, answer: AdmissionAnswer): string {
  const { allowed, message, warnings = [], patch = [] } = answer;
  const code = codeOf(answer);
  return JSON.stringify({
    apiVersion: apiVersionOfReview,
    kind: REVIEW_KIND,
    response: {
      uid,
      allowed,
      ...(!allowed && { status: { status: 'Failure', code, ...(REASONS[code] && { reason: REASONS[code] }), ...(message && { message: shortened(withoutControls(message), MAX_MESSAGE) }) } }),
      ...(warnings.length > 0 && { warnings: cutWarnings(warnings) }),
      // The patch of a refusal would be an error at the API server.
      ...(allowed && patch.length > 0 && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
    },
  });
}

/** As many as the API server passes on; it drops the others without a word, so that the last one tells of them. */
function cutWarnings(warnings: readonly string[]): string[] {
  const texts = warnings.map((warning) => shortened(withoutControls(warning).replace(/\s+/g, ' ').trim(), MAX_WARNING));
  let size = 0;
  const fitting = texts.findIndex((text) => (size += Buffer.byteLength(text)) > MAX_WARNINGS);
  if (fitting < 0) return texts;
  return [...texts.slice(0, fitting), `and ${texts.length - fitting} more`];
}

/** Headers, as which warnings travel, take no control characters, and terminals take some for commands. */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => (character === '\n' ? '\n' : ' '));
}
