import type { ProfileFigures } from '../measurements.ts';
import type { BenchFigures } from './figures.ts';

/** What counts of a profile. */
export type ProfileSummary = Pick<ProfileFigures, 'modules' | 'functions'>;

/**
 * Where the operator's CPU time went, in a run of its own: the file profiles.json beside the figures of a run without a profiler, which would make them worse. The profiles
 * themselves are megabytes.
 */
export interface BenchProfiles {
  /** When it ran. */
  readonly day: string;
  /** Whether sizes and times were small. */
  readonly quick: boolean;
  /** What ran, as in the figures. */
  readonly version: string;
  readonly phases: readonly { readonly phase: string; readonly profile: ProfileSummary }[];
}

/** As many lines of each profile are kept. */
const SHOWN = 12;

/** What a run with a profiler found. @returns undefined when it made no profile */
export function profilesOf({ quick, parts: { submission, population } }: BenchFigures): BenchProfiles | undefined {
  const of = (phase: string, profile: ProfileFigures | undefined) => (profile ? [{ phase, profile: summaryOf(profile) }] : []);
  const { lifecycle, steady, restart } = population?.figures.profiles ?? {};
  const phases = [...of('submission of many at once', submission?.figures.cluster.profile), ...of('lifecycle', lifecycle), ...of('steady state', steady), ...of('restart', restart)];
  const ran = submission ?? population;
  return ran && phases.length > 0 ? { day: ran.day, quick, version: ran.version, phases } : undefined;
}

/** What is left of profiles that were there: phases of the same version that did not run again. */
export function mergeProfiles(before: BenchProfiles | undefined, after: BenchProfiles): BenchProfiles {
  if (before?.version !== after.version || before.quick !== after.quick) return after;
  return { ...after, phases: [...before.phases.filter(({ phase }) => !after.phases.some((one) => one.phase === phase)), ...after.phases] };
}

function summaryOf({ modules, functions }: ProfileFigures): ProfileSummary {
  // The profiler itself.
  const ours = ({ name }: { readonly name: string }) => !/node:inspector|profile-hook/.test(name);
  return { modules: modules.filter(ours).slice(0, SHOWN), functions: functions.filter(ours).slice(0, SHOWN) };
}
