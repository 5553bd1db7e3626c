import { Size } from 'cdk8s';
import { bytesOf, isSparkSize, parseMemorySize } from '../model/memory-size';
import { rejectArguments, wrongSize } from '../props/_check';
import { checkArguments, text as aText } from '../props/_prop-types';

const KIBIBYTE = 2 ** 10;

/** Sizes in the notation of Spark and Kubernetes. */
export class SparkMemory {
  /**
   * Parses a size as Spark or Kubernetes writes it, such as `512m`, `4g` or `4Gi`. All units are
   * powers of 1024 (`m` is MiB); a number without a unit is in MiB. Units are case-insensitive.
   *
   * @param text Size; not `1.5g`: Spark rejects fractions.
   */
  public static parse(text: string): Size {
    checkArguments('SparkMemory.parse', { text }, { text: aText });
    const parsed = parseMemorySize(text);
    const kibibytes = parsed && isSparkSize(parsed) ? bytesOf(parsed) / KIBIBYTE : undefined;
    const size = kibibytes === undefined ? undefined : Size.kibibytes(kibibytes);
    rejectArguments('SparkMemory.parse', [
      size === undefined
        ? { path: 'text', value: text, reason: 'must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi' }
        : wrongSize('text', size) && {
          path: 'text', value: text, reason: 'must be whole MiB, at least 1, because Spark measures memory in MiB',
        },
    ]);
    return size!;
  }

  private constructor() {}
}
