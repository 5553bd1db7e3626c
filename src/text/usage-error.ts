/** Error of an invalid command line. The message names each flag, its value and the remedy. */
export class UsageError extends Error {}
