/* Limits of a console in a cluster, with their reasons. Anyone who reaches its port can connect. */

/**
 * Open connections, in total and of one client. One client might be an attacker, or a proxy whose
 * users share its address. An open page uses one or two.
 */
export const CONNECTIONS = { all: 2_048, ofClient: 512 } as const;

/** Milliseconds for a TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;

/** Milliseconds without a byte after which a connection ends. Streams send something every 15 s. */
export const IDLE_TIMEOUT = 60_000;

/** Open streams, 40 KiB each, in total and of one user: a team might share a service account. */
export const STREAMS = { all: 1_000, ofUser: 100 } as const;

/** Concurrent requests of one user, more than a browser sends to one host, and waiting requests. */
export const REQUESTS = { limitPerKey: 8, waiting: 64, maxWait: 5_000 } as const;

/** Reviews of unknown tokens. 100 tokens of one address wait for two seconds. */
export const UNKNOWN_TOKENS = { limit: 8, limitPerKey: 4, waiting: 100, maxWait: 5_000 } as const;

/** Reviews of unknown tokens per second, and in a burst. */
export const UNKNOWN_TOKEN_RATE = { qps: 50, burst: 50 } as const;

/** Reviews of access. Each stream checks every namespace, eight at a time. */
export const RIGHTS = { limit: 32, limitPerKey: 8, waiting: 1_000, maxWait: 10_000 } as const;

/** Reviews of accepted tokens, fairly by user: many tokens of one user only delay that user. */
export const KNOWN_TOKENS = { limit: 16, limitPerKey: 4, waiting: 256, maxWait: 5_000 } as const;
