import { MAX_MESSAGE, MAX_WARNING, MAX_WARNINGS } from './limits';
import type { AdmissionAnswer } from './review';
import { shortened } from '../../text/shorten';

/** The version of AdmissionReview that the webhook supports. */
export const apiVersionOfReview = 'admission.k8s.io/v1';

/** The kind of both the request and the response. */
export const REVIEW_KIND = 'AdmissionReview';

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest', 403: 'Forbidden', 409: 'Conflict', 413: 'RequestEntityTooLarge', 422: 'Invalid', 429: 'TooManyRequests',
  500: 'InternalError', 503: 'ServiceUnavailable',
};

/** Returns the status of an answer for metrics and users: 200, or the code of the refusal. */
export function codeOf({ allowed, code = 403 }: AdmissionAnswer): number {
  return allowed ? 200 : code;
}

/** Encodes an answer to the review with this uid, as the API server reads it. */
export function encodeAnswer(uid: string, answer: AdmissionAnswer): string {
  const { allowed, message, warnings = [], patch = [] } = answer;
  const code = codeOf(answer);
  return JSON.stringify({
    apiVersion: apiVersionOfReview,
    kind: REVIEW_KIND,
    response: {
      uid,
      allowed,
      ...(!allowed && {
        status: {
          status: 'Failure', code, ...(REASONS[code] && { reason: REASONS[code] }),
          ...(message && { message: shortened(withoutControls(message), MAX_MESSAGE) }),
        },
      }),
      ...(warnings.length > 0 && { warnings: cutWarnings(warnings) }),
      // The API server rejects a refusal that has a patch.
      ...(allowed && patch.length > 0 && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
    },
  });
}

/**
 * Returns as many warnings as the API server passes on. The last one reports the omitted ones,
 * because the API server drops them silently.
 */
function cutWarnings(warnings: readonly string[]): string[] {
  const texts = warnings.map((warning) => shortened(withoutControls(warning).replace(/\s+/g, ' ').trim(), MAX_WARNING));
  let size = 0;
  const fitting = texts.findIndex((text) => (size += Buffer.byteLength(text)) > MAX_WARNINGS);
  if (fitting < 0) return texts;
  return [...texts.slice(0, fitting), `and ${texts.length - fitting} more`];
}

/**
 * Replaces control characters. Warnings travel as HTTP headers, which allow none, and terminals
 * interpret some as commands.
 */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => (character === '\n' ? '\n' : ' '));
}
