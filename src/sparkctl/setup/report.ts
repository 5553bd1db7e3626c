import { titleOf } from '../output/title';
import { painter, type Colour } from '../../text/colours';
import type { Context } from '../command';
import { printable } from '../../text/printable';
import type { KubeObject } from '../../kube/objects';

/** Result for an object. */
export type Change = 'created' | 'changed' | 'unchanged' | 'removed' | 'kept';

const COLOURS: Readonly<Record<Change, Colour>> = { created: 'green', changed: 'yellow', unchanged: 'dim', removed: 'red', kept: 'dim' };

/** Reports the result for an object. */
export type Report = (change: Change, object: KubeObject, why?: string) => void;

/**
 * Prints a line for each object on standard output.
 *
 * @param suffix end of each line, such as `(server dry run)`
 */
export function reporter({ io, terminal }: Pick<Context, 'io' | 'terminal'>, suffix = ''): Report {
  const paint = painter(terminal);
  return (change, object, why) => io.stdout(
    `${paint(change.padEnd(9), COLOURS[change])}  ${printable(titleOf(object))}`
      + `${why === undefined ? '' : printable(`: ${why}`)}${suffix && ` ${suffix}`}\n`,
  );
}
