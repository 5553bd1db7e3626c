/** Minimum heap in MiB: 1.5 times Spark's reserved memory of 300 MiB (UnifiedMemoryManager). @internal */
export const LEAST_HEAP = 450;
