import type { Command } from './command';

/** Entry of the command table. */
export interface CommandEntry {
  readonly name: string;
  /** Names by which users of other programs look for it. @default - none */
  readonly aliases?: readonly string[];
  /** Effect of the command; one line of `sparkctl --help`. */
  readonly summary: string;
  /**
   * Imports the module of the command. Only the command that runs is loaded, so that it starts
   * fast.
   */
  readonly load: () => Promise<{ readonly default: Command }>;
}

/** All commands: one line here and one file in commands/ each. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'create', summary: 'create applications from manifests or from a schedule, with local files uploaded first',
    load: () => import('./commands/create'),
  },
  { name: 'submit', summary: "run an application with spark-submit's own arguments", load: () => import('./commands/submit') },
  { name: 'apply', summary: 'create or change what manifests describe', load: () => import('./commands/apply') },
  { name: 'diff', summary: 'print what apply would change', load: () => import('./commands/diff') },
  {
    name: 'list', aliases: ['ls', 'get'], summary: 'list applications, schedules or Spark Connect servers',
    load: () => import('./commands/list'),
  },
  { name: 'status', summary: 'print the state of an application, the reason, and what to do', load: () => import('./commands/status') },
  { name: 'describe', summary: 'print all details of an application', load: () => import('./commands/describe') },
  {
    name: 'event', aliases: ['events'], summary: 'print the events of an application and its pods',
    load: () => import('./commands/event'),
  },
  { name: 'wait', summary: 'wait until applications have ended, and show their progress', load: () => import('./commands/wait') },
  {
    name: 'log', aliases: ['logs'], summary: 'print the log of a driver, of executors, or of all; --follow continues after restarts',
    load: () => import('./commands/log'),
  },
  { name: 'forward', summary: 'make the Spark UI of a driver reachable on this machine', load: () => import('./commands/forward') },
  { name: 'ui', summary: 'open the console in a browser', load: () => import('./commands/ui') },
  { name: 'suspend', summary: 'stop an application, and keep it', load: () => import('./commands/suspend') },
  { name: 'resume', summary: 'run a suspended application from its beginning', load: () => import('./commands/resume') },
  { name: 'rerun', summary: 'run an application again, also with other arguments', load: () => import('./commands/rerun') },
  { name: 'edit', summary: 'change an object in an editor', load: () => import('./commands/edit') },
  { name: 'delete', summary: 'delete applications, schedules or Spark Connect servers', load: () => import('./commands/delete') },
  { name: 'run', summary: 'start a run of a schedule now', load: () => import('./commands/run') },
  { name: 'schedule', summary: 'print when a schedule runs next', load: () => import('./commands/schedule') },
  {
    name: 'validate', summary: 'check manifests by the rules of the CRDs and the operator, without a cluster',
    load: () => import('./commands/validate'),
  },
  {
    name: 'render', summary: 'print the objects that the operator would create for SparkApplication manifests, without a cluster',
    load: () => import('./commands/render'),
  },
  {
    name: 'convert', summary: "convert manifests of v1beta1, or of Apache's operator, to v1beta2",
    load: () => import('./commands/convert'),
  },
  { name: 'image', summary: 'add an archive to an image of Spark, with which applications start faster', load: () => import('./commands/image') },
  {
    name: 'doctor', summary: 'find problems of a cluster or an installation, and print their remedies',
    load: () => import('./commands/doctor'),
  },
  { name: 'install', summary: 'install the operator, as SparkOperator does', load: () => import('./commands/install') },
  {
    name: 'migrate', summary: "print what the Helm values of kubeflow's operator become, check a cluster, and print the steps",
    load: () => import('./commands/migrate'),
  },
  { name: 'uninstall', summary: 'remove the objects that install has created', load: () => import('./commands/uninstall') },
  { name: 'completion', summary: 'print the completion script of a shell', load: () => import('./commands/completion') },
];

/** Returns the command with a name or alias. */
export function findCommand(commands: readonly CommandEntry[], word: string | undefined): CommandEntry | undefined {
  return word === undefined ? undefined : commands.find(({ name, aliases }) => name === word || aliases?.includes(word));
}
