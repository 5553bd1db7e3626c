/* Schedules whose template is large: only the schedule is in memory. */
import type { WholeSchedule } from '../../../../src/model/scheduled-spark-application';
import { transform } from '../../../../src/operator/kinds/scheduled-spark-application/transform';
import { bytesOf } from '../../../../src/text/json-bytes';
import { World } from './world';

const text = (kib: number) => 'x'.repeat(kib * 1024);
const template = (kib: number): any => ({
  type: 'Python', sparkVersion: '4.1.1', image: 'i', mainApplicationFile: 'local:///pi.py', driver: {}, executor: {}, sparkConf: { 'spark.example.long': text(kib) },
});

const schedule = (spec: object) => ({
  metadata: { name: 'nightly', namespace: 'jobs', uid: 'uid', generation: 1 }, spec: { schedule: '@daily', template: template(0), ...spec },
}) as unknown as WholeSchedule;

test('of a large schedule the template is not kept', () => {
  expect(transform(schedule({ template: template(100), suspend: true })).spec).toEqual({ schedule: '@daily', suspend: true });
  const small = schedule({});
  expect(transform(small).spec).toBe(small.spec);
});

test('a schedule without end is not kept either', () => {
  const kept = transform(schedule({ schedule: text(1_300) }));
  expect(bytesOf(kept)).toBeLessThan(1_024);
  expect(kept.cut!.oversized).toMatch(/^spec must have at most 16 KiB as JSON in schedule together, not 1301 KiB/);
});

test('the runs of a large template have all of it', async () => {
  const world = new World('2026-03-01T10:00:00Z', { template: template(100) });
  await world.goOnUntil('2026-03-02T03:00:05Z');
  expect(world.names).toEqual(['nightly-1772420400']);
  expect(world.runs[0]!.spec).toEqual(template(100));
  const reads = world.server.made.filter((call) => call === 'get scheduledsparkapplications').length;
  await world.goOnUntil('2026-03-03T02:00:00Z');
  expect(world.server.made.filter((call) => call === 'get scheduledsparkapplications').length).toBe(reads);
});

test('a template beyond a limit makes the schedule invalid, with the reason, and no runs', async () => {
  const world = new World('2026-03-01T10:00:00Z', { template: template(600) });
  await world.goOnUntil('2026-03-03T03:00:05Z');
  expect(world.runs).toEqual([]);
  expect(world.status).toEqual({ scheduleState: 'FailedValidation', reason: expect.stringMatching(/^spec\.template must have at most 256 KiB as JSON, not 601 KiB; move long values into/) });
  expect(world.server.made.filter((call) => call === 'update scheduledsparkapplications').length).toBe(1);
  world.edit({ template: template(0) });
  await world.goOnUntil('2026-03-04T03:00:05Z');
  expect(world.runs.length).toBe(1);
});
