/** Reports progress to the user. The tool reports only through this, so that a caller can be silent, or count. */
export interface Progress {
  /** Shows `label` while `work` runs. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>;
  /** A sentence that stays on the screen. */
  note(line: string): void;
}

export const silent: Progress = {
  step: (_label, work) => work(),
  note: () => {},
};

/** Milliseconds that a step must last to get a line. */
const QUIET_MS = 1000;
const HEARTBEAT_MS = 30_000;
const REDRAW_MS = 100;

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface Step {
  readonly label: string;
  readonly started: number;
}

export function terminalProgress(output: Output = process.stderr): Progress {
  return output.isTTY ? liveProgress(output) : lineProgress(output);
}

/** For a terminal: one line with the steps under way, redrawn in place; a line for each that took long. */
function liveProgress(output: Output): Progress {
  const active = new Set<Step>();
  let timer: NodeJS.Timeout | undefined;
  let drawn = false;

  const erase = () => {
    if (drawn) output.write('\r\u001b[K');
    drawn = false;
  };
  const draw = () => {
    const line = [...active].filter((step) => Date.now() - step.started > REDRAW_MS)
      .map((step) => `${step.label} ${elapsed(step)}`).join(' · ');
    if (line === '') return;
    erase();
    output.write(line.slice(0, (output.columns || 80) - 1));
    drawn = true;
  };
  const print = (line: string) => {
    erase();
    output.write(`${line}\n`);
  };

  return {
    note: print,
    async step(label, work) {
      const step = { label, started: Date.now() };
      active.add(step);
      timer ??= setInterval(draw, REDRAW_MS);
      try {
        const result = await work();
        if (Date.now() - step.started >= QUIET_MS) print(`${label}: ${elapsed(step)}`);
        return result;
      } finally {
        active.delete(step);
        if (active.size === 0) {
          clearInterval(timer);
          timer = undefined;
          erase();
        }
      }
    },
  };
}

/** For a log: a line when a step turns out to last, one at its end, and a sign of life in between. */
function lineProgress(output: Output): Progress {
  const print = (line: string) => output.write(`${line}\n`);
  return {
    note: print,
    async step(label, work) {
      const step = { label, started: Date.now() };
      const announcement = setTimeout(() => print(`${label} …`), QUIET_MS);
      const heartbeat = setInterval(() => print(`${label} … still running after ${elapsed(step)}`), HEARTBEAT_MS);
      try {
        const result = await work();
        if (Date.now() - step.started >= QUIET_MS) print(`${label}: done in ${elapsed(step)}`);
        return result;
      } finally {
        clearTimeout(announcement);
        clearInterval(heartbeat);
      }
    },
  };
}

function elapsed(step: Step): string {
  return formatDuration(Date.now() - step.started);
}

export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
