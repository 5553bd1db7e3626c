/** A time (milliseconds since the epoch) as Kubernetes writes it: with a precision of seconds. */
export function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A duration for people. */
export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
