/** Moments of an application, in their order. `executors`: all of them are registered with the driver. */
export const MOMENTS = ['context', 'requested', 'executors', 'job', 'completed'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Milliseconds from the creation of an application to each moment. */
export type Phases = { readonly [moment in Moment]: number };

/** Line of a driver's log at a moment, in all versions of Spark since 3.5. */
const LINES: Readonly<Record<Exclude<Moment, 'executors' | 'completed'>, RegExp>> = {
  context: /Running Spark version/,
  requested: /Going to request \d+ executors/,
  job: /Got job 0 /,
};
const REGISTERED = /Registered executor /;

/**
 * Returns the moments of an application.
 *
 * @param log of the driver, each line with the time at which the kubelet read it
 * @param created and `completed`, by the same clock
 * @throws Error if the log lacks one of the moments
 */
export function phasesOf(log: string, executors: number, { created, completed }: { readonly created: number; readonly completed: number }): Phases {
  const lines = log.split('\n');
  const at = (moment: Moment, line: string | undefined): number => {
    if (line === undefined) throw new Error(`the log of the driver has no line of the moment "${moment}":\n${lines.slice(-20).join('\n')}`);
    return Date.parse(line.slice(0, line.indexOf(' '))) - created;
  };
  const first = (moment: keyof typeof LINES) => at(moment, lines.find((line) => LINES[moment].test(line)));
  return {
    context: first('context'), requested: first('requested'),
    executors: at('executors', lines.filter((line) => REGISTERED.test(line))[executors - 1]),
    job: first('job'), completed: completed - created,
  };
}
