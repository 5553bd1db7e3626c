/* Schedules that start no runs. */
import { scheduleFindings } from '../../../src/sparkctl/doctor/schedules';

function schedule(name: string, spec: object, status?: object): any {
  return { metadata: { namespace: 'jobs', name }, spec: { schedule: '0 * * * *', template: {}, ...spec }, ...(status && { status }) };
}

function findings(...value: any[]): ReturnType<typeof scheduleFindings> {
  return scheduleFindings({ kind: 'found', value }, 'in jobs');
}

test.each([
  ['a day that no month has', schedule('never', { schedule: '0 0 30 2 *' }), /^ScheduledSparkApplication jobs\/never starts no runs: .*30/],
  ['one that the operator has rejected', schedule('odd', {}, { scheduleState: 'FailedValidation', reason: 'an unknown time zone: Mars' }), /^ScheduledSparkApplication jobs\/odd starts no runs: an unknown time zone: Mars$/],
  ['one whose run cannot be created', schedule('full', {}, { scheduleState: 'Scheduled', conditions: [{ type: 'Waiting', status: 'True', reason: 'CannotStart', message: 'exceeded quota: q' }] }), /^ScheduledSparkApplication jobs\/full starts no runs: exceeded quota: q$/],
])('%s', (_, invalid, message) => {
  const { metadata: { name } } = invalid;

  expect(findings(schedule('hourly', {}), invalid)).toEqual([{
    check: 'Schedules', level: 'warning', message: expect.stringMatching(message), remedy: `sparkctl status schedule/${name} -n jobs`,
    object: { kind: 'ScheduledSparkApplication', namespace: 'jobs', name },
  }]);
});

test('valid ones in one line; a suspended one is left alone, whatever it contains', () => {
  expect(findings(schedule('hourly', {}), schedule('never', { schedule: '0 0 30 2 *', suspend: true }))).toEqual([
    { check: 'Schedules', level: 'ok', message: 'the only active schedule in jobs is valid' },
  ]);
});

test('nothing without schedules, or without their CRD, which has its own finding', () => {
  expect(findings()).toEqual([]);
  expect(scheduleFindings({ kind: 'missing' }, 'in jobs')).toEqual([]);
});

test('those that the user cannot read', () => {
  const call = { verb: 'list', resource: 'scheduledsparkapplications', namespace: 'jobs' };

  expect(scheduleFindings({ kind: 'forbidden', call }, 'in jobs')).toEqual([expect.objectContaining({ check: 'Schedules', level: 'not allowed', message: 'you cannot read the schedules in jobs' })]);
});

test('many: the first, and a count of the others', () => {
  const found = findings(...Array.from({ length: 12 }, (_, index) => schedule(`never-${index}`, { schedule: '0 0 30 2 *' })));

  expect(found).toHaveLength(11);
  expect(found[10]).toMatchObject({ message: 'and 2 more schedules in jobs start no runs', remedy: 'sparkctl list schedules -A' });
});
