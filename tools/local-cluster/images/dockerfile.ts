import { ToolError } from '../errors.ts';

/** What a Dockerfile takes in from outside: enough to tell whether an image would come out differently than before. */
export interface DockerfileReferences {
  /** The images that it starts from or copies from, without its own stages. */
  readonly bases: readonly string[];
  /** The paths that it copies out of its context. */
  readonly sources: readonly string[];
}

export interface DockerfileOptions {
  readonly buildArgs?: Readonly<Record<string, string>>;
  /** The stage that is wanted; by default the last one. Stages that it does not need are left out. */
  readonly target?: string;
}

interface Stage extends DockerfileReferences {
  readonly name: string | undefined;
}

export function parseDockerfile(text: string, { buildArgs = {}, target }: DockerfileOptions = {}): DockerfileReferences {
  const stages = parseStages(text, buildArgs);
  const wanted = target === undefined ? stages.length - 1 : stages.findIndex(({ name }) => name === target.toLowerCase());
  if (wanted < 0) throw new ToolError(`the Dockerfile has no stage ${target ?? 'at all'}`);
  const [bases, sources] = [new Set<string>(), new Set<string>()];
  const take = (index: number) => {
    for (const source of stages[index]!.sources) sources.add(source);
    for (const base of stages[index]!.bases) {
      const stage = stages.slice(0, index).findLastIndex(({ name }, before) => name === base.toLowerCase() || String(before) === base);
      if (stage >= 0) take(stage);
      else if (base !== 'scratch') bases.add(base);
    }
  };
  take(wanted);
  return { bases: [...bases], sources: [...sources] };
}

function parseStages(text: string, buildArgs: Readonly<Record<string, string>>): Stage[] {
  const variables: Record<string, string> = {};
  const stages: { name: string | undefined; bases: string[]; sources: string[] }[] = [];
  const expand = (word: string) => word.replace(/\$\{(\w+)(?::-([^}]*))?\}|\$(\w+)/g, (_, braced, fallback, plain) => (
    variables[braced ?? plain] ?? fallback ?? ''));

  for (const line of instructions(text)) {
    const [instruction = '', ...rest] = line.split(/\s+/);
    const words = rest.filter((word) => !word.startsWith('--'));
    switch (instruction.toUpperCase()) {
      case 'ARG': {
        const [name = '', ...value] = rest.join(' ').split('=');
        variables[name] = buildArgs[name] ?? unquote(value.join('='));
        break;
      }
      case 'FROM':
        stages.push({ name: words[1]?.toUpperCase() === 'AS' ? words[2]!.toLowerCase() : undefined, bases: [expand(words[0] ?? '')], sources: [] });
        break;
      case 'COPY':
      case 'ADD': {
        const from = rest.find((word) => word.startsWith('--from='));
        if (from) stages.at(-1)?.bases.push(expand(from.slice('--from='.length)));
        else stages.at(-1)?.sources.push(...copiedPaths(words).map(expand));
        break;
      }
      default:
    }
  }
  return stages;
}

function copiedPaths(words: readonly string[]): string[] {
  const paths = words[0]?.startsWith('[') ? JSON.parse(words.join(' ')) as string[] : words;
  return paths.slice(0, -1);
}

/** The instructions, one a line: without comments, and with continued lines put together. */
function instructions(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => !line.trimStart().startsWith('#'));
  return lines.join('\n').replace(/\\\s*\n/g, ' ').split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

function unquote(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2');
}
