/** What the words of a command are. */
export type Words = 'applications' | 'schedules' | 'targets' | 'files' | 'shells' | 'none';

/** By command; of those that are not here, nothing is offered. `targets` are applications, and with `schedule/` or `connect/` before it what is called so. */
export const WORDS: Readonly<Record<string, Words>> = {
  create: 'files',
  apply: 'files',
  list: 'none',
  status: 'targets',
  describe: 'targets',
  log: 'applications',
  event: 'targets',
  wait: 'applications',
  forward: 'applications',
  ui: 'applications',
  suspend: 'targets',
  resume: 'targets',
  rerun: 'applications',
  delete: 'targets',
  run: 'schedules',
  schedule: 'schedules',
  render: 'files',
  validate: 'files',
  convert: 'files',
  doctor: 'none',
  install: 'none',
  uninstall: 'none',
  completion: 'shells',
};
