/** A population. */
export interface Step {
  readonly applications: number;
  /** So many are copied; those that are missing then are created. @default - none are copied */
  readonly copiedTo?: number;
  readonly steadySeconds: number;
}

/** What is measured, one after the other, in one cluster. */
export interface Plan {
  /** Applications before those that are measured: connections are made and code is compiled by then. */
  readonly warmUp: number;
  /** Numbers of applications that go from creation to COMPLETED; the greatest last, which is measured once more at the end. */
  readonly lifecycle: readonly number[];
  /** For how long applications come one after the other. */
  readonly paceSeconds: number;
  /** Numbers of applications that run at the same time; each population grows out of the one before. */
  readonly population: readonly Step[];
  /** How many of the last population end. */
  readonly ending: number;
  /** How many finished ones are copied then. */
  readonly finished: number;
  /** The most that run at the same time. */
  readonly most: number;
}

/** Where the profile of a phase is. @param profile where they are made */
export function profileOf(profile: string, phase: string): string {
  return profile.replace(/(\.cpuprofile)?$/, `-${phase}$1`);
}

/** What is measured up to a population of so many applications. @param quick whether little time is to be taken @param whole whether none is to be copied */
export function planOf(applications: number, steadySeconds: number, { quick, whole }: { readonly quick: boolean; readonly whole: boolean }): Plan {
  const isCopied = !whole && !quick;
  const real = Math.ceil(applications / 10);
  const lifecycle = quick ? [20, 100] : [100, 1000];
  return {
    warmUp: quick ? 20 : 50,
    lifecycle,
    paceSeconds: quick ? 5 : 30,
    population: [
      ...(quick ? [] : [{ applications: real, steadySeconds: Math.min(30, steadySeconds) }]),
      { applications, steadySeconds, ...(isCopied && { copiedTo: applications - real }) },
    ],
    ending: isCopied ? real : applications,
    finished: isCopied ? applications - real : 0,
    most: Math.max(applications, ...lifecycle),
  };
}
