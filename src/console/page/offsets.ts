/** Positions of elements of different sizes, one after another. */
export class Offsets {
  private readonly starts: Float64Array;
  private readonly count: number;

  constructor(sizes: readonly number[]) {
    this.count = sizes.length;
    this.starts = new Float64Array(sizes.length + 1);
    for (const [index, size] of sizes.entries()) this.starts[index + 1] = this.starts[index]! + size;
  }

  /** Size of all elements. */
  get total(): number {
    return this.starts[this.count]!;
  }

  /** Returns the position of an element; for the index after the last one, the end. */
  startOf(index: number): number {
    return this.starts[Math.max(0, Math.min(this.count, index))]!;
  }

  /** Returns the index of the element at a position, of the first or last one beyond them. */
  indexAt(position: number): number {
    let [low, high] = [0, Math.max(0, this.count - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
