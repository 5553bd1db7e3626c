import { Size } from 'cdk8s';
import { rejectArguments, wrongSize } from '../props/_check';
import { checkArguments, text as aText } from '../props/_prop-types';

/** Spark's units, in MiB (org.apache.spark.network.util.JavaUtils). */
const MEBIBYTES: { readonly [unit: string]: number } = { b: 2 ** -20, k: 2 ** -10, m: 1, g: 2 ** 10, t: 2 ** 20, p: 2 ** 30 };

/** Sizes in Spark's notation. */
export class SparkMemory {
  /**
   * Parses a size of Spark's properties, such as `512m` or `4g`. Spark's units are powers of 1024
   * (`m` is MiB); a number without a unit is in MiB. Units are case-insensitive.
   *
   * @param text Size; not `4Gi`, which is Kubernetes' notation, and not `1.5g`: Spark rejects
   * fractions.
   */
  public static parse(text: string): Size {
    checkArguments('SparkMemory.parse', { text }, { text: aText });
    const match = /^([0-9]{1,18})(?:(b)|([kmgtp])b?)?$/.exec(text.trim().toLowerCase());
    const size = match ? Size.mebibytes(Number(match[1]) * MEBIBYTES[match[2] ?? match[3] ?? 'm']!) : undefined;
    rejectArguments('SparkMemory.parse', [
      size === undefined
        ? { path: 'text', value: text, reason: 'must be a whole number and a unit as Spark writes it, such as 512m or 4g (not 4Gi)' }
        : wrongSize('text', size) && {
          path: 'text', value: text, reason: 'must be whole MiB, at least 1, because Spark measures memory in MiB',
        },
    ]);
    return size!;
  }

  private constructor() {}
}
