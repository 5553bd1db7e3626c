import { parseArgs } from 'node:util';
import { ToolError } from './errors.ts';
import { DEFAULT_CLUSTER, checkClusterName } from './paths.ts';

/** A command line, taken apart. */
export type Command =
  | { readonly verb: 'help' }
  | { readonly verb: 'up'; readonly name: string; readonly controlPlane: boolean; readonly oldest: boolean; readonly install: boolean; readonly audit: boolean }
  | { readonly verb: 'down'; readonly name: string; readonly all: boolean }
  | { readonly verb: 'status'; readonly name: string; readonly json: boolean }
  | { readonly verb: 'exec'; readonly name: string; readonly command: readonly string[] }
  | { readonly verb: 'forward'; readonly name: string; readonly localPort: number; readonly target: ForwardTarget };

/** Command line of one verb. */
export type CommandOf<Verb extends Command['verb']> = Extract<Command, { readonly verb: Verb }>;

export interface ForwardTarget {
  readonly namespace: string;
  /** A pod, or else a service. */
  readonly resource: string;
  readonly port: number;
}

export const USAGE = `A local Kubernetes cluster with one node and the images of this project. Needs Linux and root.

  npm run cluster -- up [--control-plane [--oldest]] [--audit] [--no-install]
      Start the cluster, or repair it. --control-plane leaves out the node: objects can be created, but pods do not run.
      --oldest takes the oldest Kubernetes that the project is meant for, in place of the newest.
      --audit logs each request; --no-install refuses to install missing Debian packages.
  npm run cluster -- down [--all]                     Remove the cluster, or all of them, without a trace
  npm run cluster -- status [--output json]
  npm run cluster -- exec <command> …                 Run a command in the cluster's network, kubectl included
  npm run cluster -- forward <local port> <namespace>/<pod or service>:<port>

Every command takes --name <cluster>, before the command that is to be executed; "${DEFAULT_CLUSTER}" is the default.`;

const NAME = { name: { type: 'string', default: DEFAULT_CLUSTER } } as const;

export function parseCommandLine(argv: readonly string[]): Command {
  const [verb, ...args] = argv;
  try {
    return parseVerb(verb, args);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`${verb}: ${(error as Error).message}`, 'See `npm run cluster -- help`.', { cause: error });
  }
}

function parseVerb(verb: string | undefined, args: readonly string[]): Command {
  switch (verb) {
    case 'up': {
      const { values } = parseArgs({
        args: [...args],
        options: {
          ...NAME,
          'control-plane': { type: 'boolean', default: false },
          'oldest': { type: 'boolean', default: false },
          'audit': { type: 'boolean', default: false },
          'no-install': { type: 'boolean', default: false },
        },
      });
      return {
        verb, name: checkClusterName(values.name), controlPlane: values['control-plane'], oldest: values.oldest, audit: values.audit, install: !values['no-install'],
      };
    }
    case 'down': {
      const { values } = parseArgs({ args: [...args], options: { ...NAME, all: { type: 'boolean', default: false } } });
      return { verb, name: checkClusterName(values.name), all: values.all };
    }
    case 'status': {
      const { values } = parseArgs({ args: [...args], options: { ...NAME, output: { type: 'string', short: 'o', default: 'text' } } });
      if (values.output !== 'text' && values.output !== 'json') throw new Error(`--output is text or json, not "${values.output}"`);
      return { verb, name: checkClusterName(values.name), json: values.output === 'json' };
    }
    case 'exec':
      return parseExec(args);
    case 'forward': {
      const { values, positionals } = parseArgs({ args: [...args], options: NAME, allowPositionals: true });
      if (positionals.length !== 2) throw new Error('a local port and a target are needed');
      return {
        verb, name: checkClusterName(values.name), localPort: parsePort(positionals[0]!, 0), target: parseForwardTarget(positionals[1]!),
      };
    }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { verb: 'help' };
    default:
      throw new ToolError(`there is no command "${verb}"`, USAGE);
  }
}

/** Only a --name at the very beginning is ours: everything behind it belongs to the command, flags included. */
function parseExec(args: readonly string[]): Command {
  let name = DEFAULT_CLUSTER;
  let rest = args;
  if (rest[0]?.startsWith('--name=')) {
    name = rest[0].slice('--name='.length);
    rest = rest.slice(1);
  } else if (rest[0] === '--name') {
    name = rest[1] ?? '';
    rest = rest.slice(2);
  }
  if (rest[0] === '--') rest = rest.slice(1);
  if (rest.length === 0) throw new Error('the command is missing');
  return { verb: 'exec', name: checkClusterName(name), command: rest };
}

function parsePort(text: string, lowest = 1): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < lowest || port > 65535) throw new Error(`"${text}" is not a port`);
  return port;
}

export function parseForwardTarget(text: string): ForwardTarget {
  const match = /^([^/:]+)\/([^/:]+):(\d+)$/.exec(text);
  if (!match) throw new ToolError(`"${text}" is not a target`, 'Write it as <namespace>/<pod or service>:<port>, such as spark/pi-driver:4040.');
  return { namespace: match[1]!, resource: match[2]!, port: parsePort(match[3]!) };
}
