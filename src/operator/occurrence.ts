/** Something to tell users as an event. */
export interface UserEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Something that went as it should. */
export function normal(reason: string, action: string, note: string): UserEvent {
  return { type: 'Normal', reason, action, note };
}

/** Something that a user should look at. */
export function warning(reason: string, action: string, note: string): UserEvent {
  return { type: 'Warning', reason, action, note };
}
