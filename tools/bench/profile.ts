import type { ProfileFigures } from './measurements.ts';

const SHOWN = 25;

/** A CPU profile as V8 writes it; the parts that are read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Sums up a CPU profile by self time, without the time in which there was nothing to do. V8 measures by the clock: on a busy machine what makes the
 * kernel switch to another process, such as writing, looks dearer than it is.
 *
 * @param bundle the file that ran, not minified
 */
export function summarize(profile: CpuProfile, bundle: { readonly path: string; readonly text: string }): Pick<ProfileFigures, 'modules' | 'functions'> {
  const moduleAt = modulesOf(bundle.text);
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const modules = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  profile.samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = frames.get(id)!;
    if (functionName === '(idle)') return;
    const time = profile.timeDeltas[index]!;
    const isPseudo = functionName.startsWith('('); // such as (garbage collector)
    const module = isPseudo ? functionName : url.endsWith(bundle.path) ? moduleAt(lineNumber) : url || 'built in';
    const name = isPseudo ? functionName : `${functionName || '(anonymous)'} · ${module}`;
    total += time;
    modules.set(module, (modules.get(module) ?? 0) + time);
    functions.set(name, (functions.get(name) ?? 0) + time);
  });
  const greatest = (times: ReadonlyMap<string, number>) => [...times].sort(([, a], [, b]) => b - a).slice(0, SHOWN).map(([name, time]) => ({ name, share: time / total }));
  return { modules: greatest(modules), functions: greatest(functions) };
}

/** esbuild writes the path of each module above it. */
function modulesOf(text: string): (line: number) => string {
  const starts = text.split('\n').flatMap((line, index) => {
    const path = /^\/\/ ((?:src|node_modules|[\w-]+:)\S*)$/.exec(line.trim())?.[1];
    return path ? [{ index, path }] : [];
  });
  return (line) => starts.findLast(({ index }) => index <= line)?.path ?? 'bundle';
}
