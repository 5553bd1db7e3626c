/** Returns a time in milliseconds since the epoch as Kubernetes writes it, in whole seconds. */
export function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Returns a duration for users, in whole seconds. */
export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
