/* Limits of the webhook server, and the source of each number. */

/**
 * Maximum size of a review, in bytes. An update contains the object twice, the stored one with its
 * status. The API server can store larger objects (1.5 MiB, etcd's `--max-request-bytes`);
 * `MAX_OBJECT_BYTES` explains why the webhook rejects them.
 */
export const MAX_REVIEW_BYTES = 2 * 1024 * 1024;

/** Maximum bytes of an unwanted body that the server reads before it ends the connection. */
export const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * Maximum depth of a review. Specifications reach about 20. Go rejects more than 10,000
 * (`encoding/json`), and recursive functions would exhaust the stack before that.
 */
export const MAX_DEPTH = 500;

/**
 * Maximum number of values in a review. `{}` takes two bytes of text, but a hundred as an object.
 * An update of an application with 500 properties and 40 variables has 3,000 values.
 */
export const MAX_VALUES = 100_000;

/**
 * Maximum bytes of reviews that the server reads or answers at the same time, for text and values.
 * 500 reviews a second of 70 KB each (20 KB of text and 500 values), answered within a second, take
 * 35 MB. The rest of the process takes less than 250 MiB of its pod's 512 MiB.
 */
export const MAX_HELD_BYTES = 96 * 1024 * 1024;

/**
 * Share of the memory for reviews, and of connections, that one address can have. A flooding client
 * then leaves room for the API servers.
 */
export const SHARE_OF_ADDRESS = 1 / 4;

/**
 * Maximum number of waiting reviews of one address. An API server handles 600 requests at the same
 * time (`--max-requests-inflight` and `--max-mutating-requests-inflight`). A thousand small reviews
 * take 1 to 2 s; any behind them would likely be answered too late.
 */
export const MAX_WAITING_OF_ADDRESS = 1_000;

/**
 * Minimum size that a review is counted with, in bytes. Its connection and the request itself take
 * memory, too.
 */
export const LEAST_HELD_BYTES = 16 * 1024;

/** Milliseconds for the handshake of a connection. */
export const HANDSHAKE_TIMEOUT = 10_000;

/** Milliseconds between two checks for requests that take too long. */
export const CHECKING_INTERVAL = 5_000;

/** Milliseconds for the head of a request, which the API server sends at once. */
export const HEADERS_TIMEOUT = 5_000;

/**
 * Milliseconds for a whole request, so that a client that sends single bytes is cut off. The API
 * server gives a webhook at most 30 s, including the answer.
 */
export const REQUEST_TIMEOUT = 10_000;

/**
 * Milliseconds without a byte after which the server ends a connection with a request, because the
 * client does not read the answer. An answer takes at most `MAX_ANSWER_TIME`.
 */
export const SILENCE_TIMEOUT = 40_000;

/**
 * Maximum milliseconds for an answer. The API server does not wait longer (`timeoutSeconds` is at
 * most 30).
 */
export const MAX_ANSWER_TIME = 30_000;

/**
 * Milliseconds after which the server ends an idle connection. The API server ends one earlier,
 * after 90 s (`IdleConnTimeout` of `SetOldTransportDefaults` in
 * `k8s.io/apimachinery/pkg/util/net`). Otherwise a review sent at that moment would be lost,
 * because Go does not send a POST twice.
 */
export const KEEP_ALIVE = 120_000;

/**
 * Maximum number of open connections. An API server keeps 25 idle ones, and opens more only for
 * concurrent reviews.
 */
export const MAX_CONNECTIONS = 2_048;

/**
 * Maximum length of a warning, in characters. The API server can cut longer ones
 * (`AdmissionResponse.warnings`).
 */
export const MAX_WARNING = 256;

/**
 * Maximum length of all warnings of an answer, in characters. The API server drops those beyond
 * 4,096, including those of other webhooks.
 */
export const MAX_WARNINGS = 3_000;

/**
 * Maximum length of a refusal's message, in characters. kubectl prints all of it, and events keep
 * 1,024.
 */
export const MAX_MESSAGE = 4_096;
