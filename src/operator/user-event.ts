/** An event for users. */
export interface UserEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Returns an event about a success. */
export function normal(reason: string, action: string, note: string): UserEvent {
  return { type: 'Normal', reason, action, note };
}

/** Returns an event that needs a user's attention. */
export function warning(reason: string, action: string, note: string): UserEvent {
  return { type: 'Warning', reason, action, note };
}
