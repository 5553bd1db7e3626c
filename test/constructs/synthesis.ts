import { Chart, Testing } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** Returns the objects of the chart of a construct. It validates the whole app. */
export function synthesized(construct: IConstruct): any[] {
  return Testing.synth(Chart.of(construct));
}

/** Returns the problems that a synthesis reports, as `[path] problem`. */
export function problemsOf(construct: IConstruct): string[] {
  try {
    synthesized(construct);
  } catch (error) {
    const [first, ...problems] = (error as Error).message.split('\n  ');
    expect(first).toBe('Validation failed with the following errors:');
    return problems;
  }
  return [];
}
