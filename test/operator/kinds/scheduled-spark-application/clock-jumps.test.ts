import { onClockJump } from '../../../../src/operator/kinds/scheduled-spark-application/clock-jumps';
import { ManualClock } from '../../../kube/helpers/manual-clock';

/** A clock whose hands can be moved. */
class Hands extends ManualClock {
  shift = 0;

  override now(): number {
    return super.now() + this.shift;
  }
}

test.each([3_600_000, -3_600_000, 600])('a clock that is moved by %d ms is noticed within seconds, once', (shift) => {
  const clock = new Hands();
  let reported = 0;
  const end = onClockJump(clock, () => reported++);
  clock.advance(60_000);
  expect(reported).toBe(0);
  clock.shift = shift;
  clock.advance(5_000);
  expect(reported).toBe(1);
  clock.advance(60_000);
  expect(reported).toBe(1);
  end();
  expect(clock.pending).toBe(0);
});

test('a clock that goes a little wrong adds up', () => {
  const clock = new Hands();
  let reported = 0;
  onClockJump(clock, () => reported++);
  for (let second = 0; second < 60; second++) {
    clock.shift += 20;
    clock.advance(1_000);
  }
  expect(reported).toBe(2);
});
