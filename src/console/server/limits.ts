/* What a console in a cluster takes, and where each number comes from. Whoever reaches its port may connect. */

/**
 * Open connections at most, and of one address: that is a proxy, behind which all users share it, or somebody who floods the
 * console. A page that is open takes one or two.
 */
export const CONNECTIONS = { all: 2_048, ofAddress: 512 } as const;

/** Milliseconds for a TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;

/** Milliseconds without a byte in either direction after which a connection ends. Streams have a sign of life every 15 s. */
export const IDLE_TIMEOUT = 60_000;

/** Open streams at most, 40 KiB each, and of one user: people may share the token of a service account. */
export const STREAMS = { all: 1_000, ofUser: 100 } as const;

/** Requests of one user that are worked on at the same time, as many as a browser sends to one host and some more; that wait; and for how long, in milliseconds. */
export const REQUESTS = { ofKey: 8, waiting: 64, maxWait: 5_000 } as const;

/**
 * Reviews of tokens that are not known: under way, of one address, and that wait of one address, which is two seconds' worth;
 * and for how long, in milliseconds.
 */
export const UNKNOWN_TOKENS = { atOnce: 8, ofKey: 4, waiting: 100, maxWait: 5_000 } as const;

/** Reviews of tokens that are not known, a second and at once. */
export const UNKNOWN_TOKEN_RATE = { qps: 50, burst: 50 } as const;

/** Questions whether a user may do something: under way, of one user, and that wait: a stream asks one for each namespace, some at a time. */
export const RIGHTS = { atOnce: 32, ofKey: 8, waiting: 1_000, maxWait: 10_000 } as const;

/** Reviews of tokens that the API server accepted before: under way, and of one user. One user with many tokens waits alone. */
export const KNOWN_TOKENS = { atOnce: 16, ofKey: 4, waiting: 256, maxWait: 5_000 } as const;
