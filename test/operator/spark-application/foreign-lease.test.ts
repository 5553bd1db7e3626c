import { judgeForeignLease, type LeaseChange } from '../../../src/operator/spark-application/foreign-lease';

describe('a Lease of somebody else', () => {
  const lease = (renewTime: string, holderIdentity = 'spark-operator-controller-7d9_0c5a') => (
    { metadata: { name: 'spark-operator-controller-lock' }, spec: { holderIdentity, leaseDurationSeconds: 15, renewTime } }
  );

  /** The verdicts of looks at these times. */
  function verdicts(looks: readonly (readonly [now: number, lease: ReturnType<typeof lease> | undefined])[]): string[] {
    let observed: LeaseChange | undefined;
    return looks.map(([now, seen]) => {
      const judged = judgeForeignLease(seen, observed, now);
      observed = judged.observed;
      return judged.verdict;
    });
  }

  test('is live when it is renewed, whatever the time in it says', () => {
    expect(verdicts([[0, lease('1999-01-01T00:00:00Z')], [2_000, lease('1999-01-01T00:00:02Z')], [16_000, lease('1999-01-01T00:00:02Z')]])).toEqual(['unknown', 'live', 'live']);
  });

  test('is dead when nobody renews it for its duration, or it was released, or is not there', () => {
    expect(verdicts([[0, lease('2026-03-01T10:00:00Z')], [15_000, lease('2026-03-01T10:00:00Z')], [15_001, lease('2026-03-01T10:00:00Z')]])).toEqual(['unknown', 'unknown', 'dead']);
    expect(verdicts([[0, lease('2026-03-01T10:00:00Z', '')], [1, undefined]])).toEqual(['dead', 'dead']);
  });

  test('that comes to life again is live at once', () => {
    expect(verdicts([[0, lease('2026-03-01T10:00:00Z')], [20_000, lease('2026-03-01T10:00:00Z')], [21_000, lease('2026-03-01T10:00:21Z')]])).toEqual(['unknown', 'dead', 'live']);
  });
});
