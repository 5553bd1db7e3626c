/* In each test file (setupFilesAfterEnv): notes the CPU time of the file, for `npm test -- --times`. */
import { appendFileSync, readFileSync } from 'node:fs';

const { TEST_TIMES: file } = process.env;

/** Ticks of a second, as Linux counts CPU time. */
const TICKS = 100;

/** Returns the seconds of CPU of this process and of its children that have ended. */
function cpuSeconds(): number {
  const [, fields] = /\) (.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8'))!;
  // utime, stime, cutime and cstime (proc(5)); the name before them can have spaces.
  return fields!.split(' ').slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

if (file && process.platform === 'linux') {
  const begin = { cpu: cpuSeconds(), wall: performance.now() };
  afterAll(() => {
    const { testPath } = expect.getState();
    appendFileSync(file, `${JSON.stringify({ path: testPath, cpu: cpuSeconds() - begin.cpu, wall: (performance.now() - begin.wall) / 1000 })}\n`);
  });
}
