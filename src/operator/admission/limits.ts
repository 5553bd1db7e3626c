/* What the webhook server takes, and where each number comes from. */

/**
 * The largest review, in bytes: an update has the object twice, the one that is stored with its status. Larger objects can be stored (1.5 MiB, etcd's `--max-request-bytes`);
 * see `MAX_OBJECT_BYTES` for why they are not looked at.
 */
export const MAX_REVIEW_BYTES = 2 * 1024 * 1024;

/** The most of what is not wanted that is read all the same, in bytes, before its sender is cut off. */
export const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/**
 * How deeply a review may be nested. Specifications come to about 20; Go refuses more than 10,000 (`encoding/json`), and functions that
 * call themselves for each level would run out of stack before that.
 */
export const MAX_DEPTH = 500;

/** How many values a review may have: `{}` takes two bytes, and a hundred as an object. An update of an application with 500 properties and 40 variables has 3,000. */
export const MAX_VALUES = 100_000;

/**
 * Bytes of reviews that are being read or answered at the same time, by text and values. At 500 a second of 70 KB each (20 KB of text and 500 values) that are answered
 * within a second it is 35 MB. The rest of a process takes less than 250 MiB of the 512 MiB that its pod has.
 */
export const MAX_HELD_BYTES = 96 * 1024 * 1024;

/** The share of the room for reviews, and of connections, that one address may have: who floods the webhook leaves room for the API servers. */
export const SHARE_OF_ADDRESS = 1 / 4;

/**
 * Reviews of one address that wait for their turn at most. API servers work on 600 requests at the same time (`--max-requests-inflight` and `--max-mutating-requests-inflight`), and
 * a thousand small reviews are worked on in 1 to 2 s: what comes behind more of them would rather be late than answered.
 */
export const MAX_WAITING_OF_ADDRESS = 1_000;

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

/**
 * Milliseconds without a byte after which a connection with a request ends: the client does not
 * read the answer. An answer takes at most `MAX_ANSWER_TIME`.
 */
export const SILENCE_TIMEOUT = 40_000;

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
