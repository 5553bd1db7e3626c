/** What a Dockerfile takes in from outside: enough to tell whether an image would come out differently than before. */
export interface DockerfileReferences {
  /** The images that it starts from, without its own stages. */
  readonly bases: readonly string[];
  /** The paths that it copies out of its context. */
  readonly sources: readonly string[];
}

export function parseDockerfile(text: string, buildArgs: Readonly<Record<string, string>> = {}): DockerfileReferences {
  const variables: Record<string, string> = {};
  const stages = new Set<string>(['scratch']);
  const bases = new Set<string>();
  const sources = new Set<string>();
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
      case 'FROM': {
        const base = expand(words[0] ?? '');
        if (!stages.has(base)) bases.add(base);
        if (words[1]?.toUpperCase() === 'AS') stages.add(words[2]!);
        break;
      }
      case 'COPY':
      case 'ADD': {
        if (rest.some((word) => word.startsWith('--from='))) break;
        const paths = words[0]?.startsWith('[') ? JSON.parse(words.join(' ')) as string[] : words;
        for (const path of paths.slice(0, -1)) sources.add(expand(path));
        break;
      }
      default:
    }
  }
  return { bases: [...bases], sources: [...sources] };
}

/** The instructions, one a line: without comments, and with continued lines put together. */
function instructions(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => !line.trimStart().startsWith('#'));
  return lines.join('\n').replace(/\\\s*\n/g, ' ').split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

function unquote(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, '$2');
}
