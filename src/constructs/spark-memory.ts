import { Size } from 'cdk8s';
import { refuseArguments, wrongSize } from '../props/_check';

/** MiB of each unit that Spark knows (org.apache.spark.network.util.JavaUtils). */
const MEBIBYTES: { readonly [unit: string]: number } = { b: 2 ** -20, k: 2 ** -10, m: 1, g: 2 ** 10, t: 2 ** 20, p: 2 ** 30 };

/** Sizes as Spark writes them. */
export class SparkMemory {
  /**
   * Reads a size as it stands in Spark's properties, such as `512m` or `4g`. Spark's units are powers of 1024 (`m` is MiB); a number without a unit is in MiB. Case
   * does not matter.
   *
   * @param text The size; not `4Gi`, which is how Kubernetes writes sizes, and not `1.5g`: Spark takes no fractions.
   */
  public static parse(text: string): Size {
    const match = /^([0-9]{1,18})(?:(b)|([kmgtp])b?)?$/.exec(text.trim().toLowerCase());
    const size = match ? Size.mebibytes(Number(match[1]) * MEBIBYTES[match[2] ?? match[3] ?? 'm']!) : undefined;
    refuseArguments('SparkMemory.parse', [
      size === undefined
        ? { path: 'text', value: text, reason: 'must be a whole number and a unit as Spark writes it, such as 512m or 4g (not 4Gi)' }
        : wrongSize('text', size) && { path: 'text', value: text, reason: 'must be whole MiB, at least 1, as Spark counts memory in MiB' },
    ]);
    return size!;
  }

  private constructor() {}
}
