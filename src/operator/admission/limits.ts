/* What the webhook server takes, and where each number comes from. */

/**
 * The largest review, in bytes. The API server takes bodies of up to 3 MiB (`MaxRequestBodyBytes` of `k8s.io/apiserver/pkg/server`) and stores objects of up
 * to 1.5 MiB (etcd's `--max-request-bytes`); an update has the object twice. Go writes `<`, `>` and `&` with six bytes: a review of what can be stored still
 * fits, and what does not fit cannot be stored.
 */
export const MAX_REVIEW_BYTES = 8 * 1024 * 1024;

/**
 * How deeply a review may be nested. Specifications come to about 20; Go refuses more than 10,000 (`encoding/json`), and functions that
 * call themselves for each level would run out of stack before that.
 */
export const MAX_DEPTH = 500;

/** How many values a review may have: 8 MiB of `{},` would take 200 MiB as objects. A specification of 3 MiB of short texts has fewer. */
export const MAX_VALUES = 1_000_000;

/** Bytes of reviews that are being read or answered at the same time. At 500 a second of 20 KB each that are answered within a second it is 10 MB. */
export const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** What a review counts at least: its connection and the request itself are held, too. */
export const LEAST_HELD_BYTES = 16 * 1024;

/** Milliseconds for the handshake of a connection. */
export const HANDSHAKE_TIMEOUT = 10_000;

/** Milliseconds from one look for requests that take too long to the next. */
export const CHECKING_INTERVAL = 5_000;

/** Milliseconds for the head of a request, which the API server sends at once. */
export const HEADERS_TIMEOUT = 5_000;

/** Milliseconds for a whole request: who sends bytes one by one is not waited for. The API server gives a webhook 30 s at most, its answer included. */
export const REQUEST_TIMEOUT = 10_000;

/** The longest that an answer is worked on, in milliseconds: the API server does not wait longer (`timeoutSeconds` is 30 at most). */
export const MAX_ANSWER_TIME = 30_000;

/**
 * Milliseconds after which an idle connection is ended. Longer than the API server keeps one (90 s, `IdleConnTimeout` of `SetOldTransportDefaults` in
 * `k8s.io/apimachinery/pkg/util/net`): if the server ended it first, a review that is sent at this very moment would be lost, and Go does not send a POST twice.
 */
export const KEEP_ALIVE = 120_000;

/** Open connections at most. An API server keeps 25 that are idle, and opens more only for what it asks at the same time. */
export const MAX_CONNECTIONS = 2_048;

/** The longest warning, in characters: the API server may cut what is longer (`AdmissionResponse.warnings`). */
export const MAX_WARNING = 256;

/** All warnings of an answer together, in characters: the API server drops what is beyond 4,096, those of others included. */
export const MAX_WARNINGS = 3_000;

/** The longest message of a refusal, in characters: kubectl prints it whole, and events hold 1,024 of it. */
export const MAX_MESSAGE = 4_096;
