import { displayOf } from '../../../src/sparkctl/wait/live';
import { ManualClock } from '../../kube/helpers/manual-clock';

const application = (state: string) => ({ metadata: { namespace: 'jobs', name: 'a' }, spec: {}, status: { applicationState: { state } } }) as any;

function world(isTerminal: boolean) {
  const clock = new ManualClock();
  const output = { stdout: '', stderr: '' };
  const io = { stdout: (text: string) => { output.stdout += text; }, stderr: (text: string) => { output.stderr += text; } };
  const display = displayOf([{ namespace: 'jobs', name: 'a' }, { namespace: 'jobs', name: 'b' }], io, { isTerminal, columns: 80, colour: false }, clock);
  return { clock, output, display };
}

test('on a terminal it redraws lines, and erases them at the end', () => {
  const { clock, output, display } = world(true);
  expect(output.stdout).toMatch(/^. jobs\/a\n. jobs\/b\n$/);
  output.stdout = '';
  display.update({ namespace: 'jobs', name: 'a', application: application('RUNNING') });
  clock.advance(100);
  // Moves two lines up, and erases all below.
  expect(output.stdout).toMatch(/^\r\x1b\[2A\x1b\[0J. jobs\/a RUNNING .*\n. jobs\/b\n$/); // eslint-disable-line no-control-regex
  output.stdout = '';
  display.end();
  expect(output).toEqual({ stdout: '\r\x1b[2A\x1b[0J', stderr: '' });
  expect(clock.pending).toBe(0);
});

test('elsewhere it prints a line for each change on standard error', () => {
  const { clock, output, display } = world(false);
  for (const state of ['SUBMITTED', 'SUBMITTED', 'RUNNING']) {
    display.update({ namespace: 'jobs', name: 'a', application: application(state) });
    clock.advance(1_000);
  }
  display.end();
  expect(output).toEqual({ stdout: '', stderr: '00:00:00 jobs/a SUBMITTED\n00:00:02 jobs/a RUNNING\n' });
});
