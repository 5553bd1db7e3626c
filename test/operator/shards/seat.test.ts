import type { LeaderElection } from '../../../src/kube/leader-election';
import { Seat } from '../../../src/operator/shards/seat';
import { settle } from '../../kube/helpers/manual-clock';

/** A seat whose elections end when they are told to, and what was done with them. */
function seat() {
  const log: string[] = [];
  const ends: (() => void)[] = [];
  let made = 0;
  const newElection = () => {
    const name = made++;
    return {
      start: () => { log.push(`${name} starts`); },
      stop: () => new Promise<void>((end) => {
        log.push(`${name} stops`);
        ends.push(end);
      }),
      abandon: () => new Promise<void>((end) => {
        log.push(`${name} is abandoned`);
        ends.push(end);
      }),
      leading: () => name === 0,
      health: () => ({ leading: name === 0, hasTerm: true }),
    } as unknown as LeaderElection;
  };
  return { seat: new Seat(newElection), log, end: async () => { ends.shift()!(); await settle(); } };
}

test('it is idle until it is taken, and stands as its election does', async () => {
  const made = seat();
  expect([made.seat.leading(), made.seat.health()]).toEqual([false, { leading: false, hasTerm: false }]);
  await made.seat.stop();
  made.seat.take();
  made.seat.take();
  expect([made.log, made.seat.leading(), made.seat.health()]).toEqual([['0 starts'], true, { leading: true, hasTerm: true }]);
});

test('what is asked for while it is given up begins anew when that is done, and can be given up again', async () => {
  const made = seat();
  made.seat.take();
  made.seat.giveUp();
  made.seat.giveUp();
  made.seat.take();
  expect([made.log, made.seat.leading()]).toEqual([['0 starts', '0 stops'], true]);
  await made.end();
  expect([made.log.slice(2), made.seat.leading()]).toEqual([['1 starts'], false]);
  let hasStopped = false;
  void made.seat.stop().then(() => { hasStopped = true; });
  await settle();
  expect([made.log.slice(3), hasStopped]).toEqual([['1 stops'], false]);
  await made.end();
  expect([made.seat.health().hasTerm, hasStopped]).toEqual([false, true]);
});

test('what is asked for and given up again meanwhile is not begun', async () => {
  const made = seat();
  made.seat.take();
  made.seat.giveUp();
  made.seat.take();
  made.seat.giveUp();
  await made.end();
  expect(made.log).toEqual(['0 starts', '0 stops']);
});

test('what is lost while it is given up in order is abandoned', async () => {
  const made = seat();
  made.seat.take();
  void made.seat.stop();
  void made.seat.abandon();
  expect([made.log, made.seat.isIdle]).toEqual([['0 starts', '0 stops', '0 is abandoned'], false]);
  await made.end();
  expect(made.seat.isIdle).toBe(true);
});
