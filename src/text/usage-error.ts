/** A command line that cannot be followed. The message names each flag, its value, and what to write instead. */
export class UsageError extends Error {}
