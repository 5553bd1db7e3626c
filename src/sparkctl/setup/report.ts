import { printMessage } from '../output/wrapped-output';
import { titleOf } from '../output/title';
import { painter, type Colour } from '../../text/colours';
import type { Context } from '../command';
import { printable } from '../../text/printable';
import type { KubeObject } from '../../kube/objects';

/** Result for an object. */
export type Change = 'created' | 'changed' | 'unchanged' | 'removed' | 'kept';

const COLOURS: Readonly<Record<Change, Colour>> = { created: 'green', changed: 'yellow', unchanged: 'dim', removed: 'red', kept: 'dim' };

/** Words for results of a dry run. */
const EXPECTED: Readonly<Record<Change, string>> = {
  created: 'would be created', changed: 'would be changed', unchanged: 'unchanged', removed: 'would be removed', kept: 'would be kept',
};

/** Reports the result for an object. */
export type Report = (change: Change, object: KubeObject, why?: string) => void;

/**
 * Prints a line for each object on standard output.
 *
 * @param isDryRun whether nothing changes, so that the words are those of an expectation
 */
export function reporter({ io, terminal }: Pick<Context, 'io' | 'terminal'>, isDryRun = false): Report {
  const paint = painter(terminal);
  const words = (change: Change) => (isDryRun ? EXPECTED[change].padEnd(EXPECTED.created.length) : change.padEnd(9));
  return (change, object, why) => {
    const text = printable(`${titleOf(object)}${why === undefined ? '' : `: ${why}`}`);
    printMessage({ io, terminal }, `${paint(words(change), COLOURS[change])}  ${text}`);
  };
}
