import type { Command } from './command';

/** Entry of the command table. */
export interface CommandEntry {
  readonly name: string;
  /** Effect of the command; one line of `sparkctl --help`. */
  readonly summary: string;
  /**
   * Imports the module of the command. Only the command that runs is loaded, so that it starts
   * fast.
   */
  readonly load: () => Promise<Command>;
}

/** All commands: one line here and one file in commands/ each. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'create', summary: 'create applications from manifests or from a schedule, with local files uploaded first',
    load: async () => (await import('./commands/create')).create,
  },
  { name: 'apply', summary: 'create or change what manifests describe', load: async () => (await import('./commands/apply')).apply },
  {
    name: 'list', summary: 'list applications, schedules or Spark Connect servers',
    load: async () => (await import('./commands/list')).list,
  },
  {
    name: 'status', summary: 'print the state of an application, the reason, and what to do',
    load: async () => (await import('./commands/status')).status,
  },
  { name: 'describe', summary: 'print all details of an application', load: async () => (await import('./commands/describe')).describe },
  { name: 'event', summary: 'print the events of an application and its pods', load: async () => (await import('./commands/event')).event },
  {
    name: 'wait', summary: 'wait until applications have ended, and show their progress',
    load: async () => (await import('./commands/wait')).wait,
  },
  {
    name: 'log', summary: 'print the log of a driver, of executors, or of all; --follow continues after restarts',
    load: async () => (await import('./commands/log')).log,
  },
  {
    name: 'forward', summary: 'make the Spark UI of a driver reachable on this machine',
    load: async () => (await import('./commands/forward')).forward,
  },
  { name: 'ui', summary: 'open the console in a browser', load: async () => (await import('./commands/ui')).ui },
  { name: 'suspend', summary: 'stop an application, and keep it', load: async () => (await import('./commands/suspend')).suspend },
  {
    name: 'resume', summary: 'run a suspended application from its beginning',
    load: async () => (await import('./commands/resume')).resume,
  },
  { name: 'rerun', summary: 'run an application again', load: async () => (await import('./commands/rerun')).rerun },
  {
    name: 'delete', summary: 'delete applications, schedules or Spark Connect servers',
    load: async () => (await import('./commands/delete')).deleteCommand,
  },
  { name: 'run', summary: 'start a run of a schedule now', load: async () => (await import('./commands/run')).runCommand },
  { name: 'schedule', summary: 'print when a schedule runs next', load: async () => (await import('./commands/schedule')).schedule },
  {
    name: 'validate', summary: 'check manifests by the rules of the CRDs and the operator, without a cluster',
    load: async () => (await import('./commands/validate')).validate,
  },
  {
    name: 'render', summary: 'print the objects that the operator would create for SparkApplication manifests, without a cluster',
    load: async () => (await import('./commands/render')).render,
  },
  { name: 'convert', summary: 'rewrite manifests of v1beta1 as v1beta2', load: async () => (await import('./commands/convert')).convert },
  {
    name: 'doctor', summary: 'find problems of a cluster or an installation, and print their remedies',
    load: async () => (await import('./commands/doctor')).doctor,
  },
  {
    name: 'install', summary: 'install the operator, as SparkOperator does',
    load: async () => (await import('./commands/install')).install,
  },
  {
    name: 'uninstall', summary: 'remove the objects that install has created',
    load: async () => (await import('./commands/uninstall')).uninstall,
  },
  {
    name: 'completion', summary: 'print the completion script of a shell',
    load: async () => (await import('./commands/completion')).completion,
  },
];
