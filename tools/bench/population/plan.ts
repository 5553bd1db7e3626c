/** A population. */
export interface Step {
  readonly applications: number;
  readonly steadySeconds: number;
}

/** What is measured, one after the other, in one cluster. */
export interface Plan {
  /** Applications before those that are measured: connections are made and code is compiled by then. With 0 the first that are measured do that. */
  readonly warmUp: number;
  /** Numbers of applications that go from creation to COMPLETED; the greatest last. */
  readonly lifecycle: readonly number[];
  /** Which of these is measured once more at the end, beside all that is finished by then. */
  readonly again: number;
  /** For how long applications come one after the other. */
  readonly paceSeconds: number;
  /** Numbers of applications that run at the same time; each population grows out of the one before. */
  readonly population: readonly Step[];
  /** The most that run at the same time. */
  readonly most: number;
}

/** Where the profile of a phase is. @param profile where they are made */
export function profileOf(profile: string, phase: string): string {
  return profile.replace(/(\.cpuprofile)?$/, `-${phase}$1`);
}

/** What is measured up to a population of so many applications. @param quick whether little time is to be taken */
export function planOf(applications: number, steadySeconds: number, { quick }: { readonly quick: boolean }): Plan {
  const lifecycle = quick ? [20, 100] : [100, 300, 1000];
  return {
    warmUp: quick ? 0 : 50,
    lifecycle,
    again: quick ? 100 : 300,
    paceSeconds: quick ? 5 : 30,
    population: [
      ...(quick ? [] : [{ applications: Math.ceil(applications / 10), steadySeconds: Math.min(15, steadySeconds) }]),
      { applications, steadySeconds },
    ],
    most: Math.max(applications, ...lifecycle),
  };
}
