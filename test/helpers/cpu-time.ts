/** Starts to count the CPU time of this thread, so that other work on the machine does not count; the function that comes back says how many milliseconds it took since. */
export function cpuTime(): () => number {
  const begin = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begin);
    return (user + system) / 1000;
  };
}
