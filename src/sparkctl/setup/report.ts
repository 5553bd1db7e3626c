import { titleOf } from './kinds';
import { painter, type Colour } from '../../text/colours';
import type { Context } from '../command';
import { printable } from '../../text/printable';
import type { KubeObject } from '../../kube/objects';

/** What has become of an object. */
export type Change = 'created' | 'changed' | 'unchanged' | 'removed' | 'kept';

const COLOURS: Readonly<Record<Change, Colour>> = { created: 'green', changed: 'yellow', unchanged: 'dim', removed: 'red', kept: 'dim' };

/** Tells of each object what has become of it. */
export type Report = (change: Change, object: KubeObject, why?: string) => void;

/** A line for each object, on standard output. @param suffix what is to be said of all lines, such as `(server dry run)` */
export function reporter({ io, terminal }: Pick<Context, 'io' | 'terminal'>, suffix = ''): Report {
  const paint = painter(terminal);
  return (change, object, why) => io.stdout(`${paint(change.padEnd(9), COLOURS[change])}  ${printable(titleOf(object))}${why === undefined ? '' : printable(`: ${why}`)}${suffix && ` ${suffix}`}\n`);
}
