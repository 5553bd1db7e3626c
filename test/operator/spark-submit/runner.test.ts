import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/kube/clock';
import { SubmissionError } from '../../../src/plan/errors';
import { SparkSubmitRunner } from '../../../src/operator/spark-submit/runner';
import type { SparkSubmitRequest, SparkSubmitRunnerOptions } from '../../../src/operator/spark-submit/runner';
import { ManualClock } from '../../kube/helpers/manual-clock';

/* Programs of a few lines stand in for spark-submit: what it is given and how it ends is all that the runner knows of it. */

jest.setTimeout(30_000); // for machines with much else to do

let folder: string;
let temporary: string;
let log: object[];
let spawned: EventEmitter;
let groups: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-'));
  temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  log = [];
  spawned = new EventEmitter();
  groups = [];
});
afterEach(() => {
  for (const group of groups) endGroup(group);
  rmSync(folder, { recursive: true });
});

/** What a failed test leaves running would keep the tests from ending. */
function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended, as it should have.
  }
}

const logger = {
  debug: () => {},
  info: (fields: object, message: string) => log.push({ ...fields, message }),
  warn: (fields: object, message: string) => log.push({ ...fields, message }),
  error: (fields: object, message: string) => log.push({ ...fields, message }),
  child: () => logger,
};

/** A runner whose spark-submit is a bash script. */
function runnerOf(script: string, options: Partial<SparkSubmitRunnerOptions> = {}): SparkSubmitRunner {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin', 'spark-submit'), `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(join(folder, 'bin', 'spark-submit'), 0o755);
  return new SparkSubmitRunner({
    environment: { PATH: process.env.PATH, SPARK_HOME: folder, PASSWORD_OF_THE_OPERATOR: 'hunter2' },
    temporary,
    archive: join(folder, 'spark-submit.jsa'),
    timeout: 60_000,
    logger,
    clock: systemClock,
    spawn: (command, args, spawnOptions) => {
      const child = spawn(command, args, spawnOptions);
      if (child.pid !== undefined) groups.push(child.pid);
      spawned.emit('child', child);
      return child;
    },
    files,
    ...options,
  });
}

const request = (args: readonly string[] = [], more: Partial<SparkSubmitRequest> = {}): SparkSubmitRequest => ({
  application: 'jobs/pi', templates: {}, argumentsFor: () => args, ...more,
});

/** The program that is started next, and the first thing that it prints. */
async function firstWords(): Promise<{ readonly child: ChildProcess; readonly words: string }> {
  const [child] = await once(spawned, 'child') as [ChildProcess];
  const [chunk] = await once(child.stdout!, 'data') as [Buffer];
  return { child, words: chunk.toString() };
}

/** False also for one that has ended and that nobody has asked about its end. */
function isRunning(pid: string): boolean {
  const stat = `/proc/${pid.trim()}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}

test('spark-submit gets the arguments as they are, templates that only the operator can read, and few variables', async () => {
  const seen = join(folder, 'seen');
  const runner = runnerOf(`{ printf '[%s]' "$@"; echo; stat -c %a "$PWD" "$1"; cat "$1"; echo; env | cut -d= -f1 | sort; } >${seen}`);
  const argumentsFor = jest.fn(({ driver }) => [driver, 'a b', '$(reboot)', '*', '']);

  await expect(runner.run(request([], { templates: { driver: { kind: 'Pod' } }, argumentsFor }))).resolves.toEqual({ kind: 'submitted' });

  const [args, folderMode, fileMode, template, ...variables] = readFileSync(seen, 'utf8').trimEnd().split('\n');
  const { driver } = argumentsFor.mock.calls[0]![0];
  expect(args).toBe(`[${driver}][a b][$(reboot)][*][]`);
  expect([folderMode, fileMode, template]).toEqual(['700', '600', '{"kind":"Pod"}']);
  expect(argumentsFor.mock.calls[0]![0]).toEqual({ driver });
  expect(variables.filter(name => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))).toEqual(['PATH', 'SPARK_HOME', 'SPARK_LAUNCHER_OPTS', 'SPARK_SUBMIT_OPTS']);
});

test('the class archive is used where there is one, with the jars in order', async () => {
  const seen = join(folder, 'seen');
  const runner = runnerOf(`echo "$SPARK_SUBMIT_OPTS" >${seen}`);
  mkdirSync(join(folder, 'jars'));
  for (const name of ['b.jar', 'a.jar', 'README']) writeFileSync(join(folder, 'jars', name), '');
  writeFileSync(join(folder, 'spark-submit.jsa'), '');
  await runner.run(request());

  expect(readFileSync(seen, 'utf8')).toContain(` -cp ${folder}/jars/a.jar:${folder}/jars/b.jar:${folder}/conf`);
});

test.each([
  ['ends well', 'exit 0'],
  ['fails', 'exit 1'],
  ['leaves files', 'touch left-behind; exit 1'],
])('known failure R7: nothing is left of its files when it %s', async (_, script) => {
  await runnerOf(script).run(request([], { templates: { driver: {}, executor: {} } }));

  expect(readdirSync(temporary)).toEqual([]);
});

test('arguments that cannot be are the caller\'s error, and nothing is left either', async () => {
  const error = new SubmissionError({ field: 'f', reason: 'is wrong', remedy: 'correct it' });
  const run = runnerOf('exit 0').run(request([], { argumentsFor: () => { throw error; } }));

  await expect(run).rejects.toBe(error);
  expect(readdirSync(temporary)).toEqual([]);
});

test('the log has the command and the outcome, and no secrets', async () => {
  const runner = runnerOf('echo "Exception in thread \\"main\\" java.io.IOException: s3a://me:hunter2@host" >&2; exit 1');
  const outcome = await runner.run(request(['--conf', 'spark.hadoop.fs.s3a.secret.key=hunter2', 'local:///app.jar', '--password', 'hunter2']));

  expect(outcome).toMatchObject({ kind: 'failed', message: 'failed to run spark-submit: s3a://***@host' });
  expect(log).toEqual([
    { application: 'jobs/pi', command: `${folder}/bin/spark-submit --conf spark.hadoop.fs.s3a.secret.key=*** local:///app.jar # and 2 arguments`, message: 'running spark-submit' },
    {
      application: 'jobs/pi', seconds: expect.any(Number), reason: 'failed to run spark-submit: s3a://***@host', retry: 'lasting', interrupted: false,
      message: 'spark-submit failed',
    },
  ]);
  expect(JSON.stringify(log)).not.toContain('hunter2');
});

test('much output does no harm', async () => {
  const outcome = await runnerOf('head -c 20000000 /dev/zero | tr "\\0" x >&2; echo >&2; echo "Error: too much" >&2; exit 1').run(request());

  expect(outcome).toMatchObject({ message: 'failed to run spark-submit: Error: too much' });
});

describe('a run that is ended', () => {
  /** Ignores the request to end, as does what it has started. */
  const STUBBORN = "trap '' TERM; sleep 1000 & echo $!; wait; sleep 1000";

  test('by the timeout: first asked, then killed, with all that it started', async () => {
    const clock = new ManualClock();
    const run = runnerOf(STUBBORN, { clock, timeout: 300_000 }).run(request());
    const { child, words: grandchild } = await firstWords();
    clock.advance(299_999);
    expect(isRunning(grandchild)).toBe(true);
    clock.advance(1);
    clock.advance(4_999);
    expect(isRunning(String(child.pid))).toBe(true);
    clock.advance(1);

    await expect(run).resolves.toEqual({
      kind: 'failed', message: 'failed to run spark-submit: it was ended because it took longer than 300 s', retry: 'lasting', interrupted: true,
    });
    expect(isRunning(grandchild)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('by an abort: the signal\'s reason, after the end of all that was started', async () => {
    const controller = new AbortController();
    const run = runnerOf('sleep 1000 & echo $!; wait').run(request([], { signal: controller.signal }));
    const { words: grandchild } = await firstWords();
    controller.abort(new Error('stopping'));

    await expect(run).rejects.toThrow('stopping');
    expect(isRunning(grandchild)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('by somebody else', async () => {
    const run = runnerOf('echo $$; exec sleep 1000').run(request());
    process.kill(Number((await firstWords()).words), 'SIGKILL');

    await expect(run).resolves.toMatchObject({ message: 'failed to run spark-submit: it was ended by SIGKILL, possibly because the operator has too little memory' });
  });
});

test('what it leaves running in its group is ended', async () => {
  const run = runnerOf('sleep 1000 & echo $!').run(request());
  const { words: left } = await firstWords();

  await expect(run).resolves.toEqual({ kind: 'submitted' });
  expect(isRunning(left)).toBe(false);
});

test('what left the group and holds the output open is not waited for', async () => {
  const clock = new ManualClock();
  const run = runnerOf('setsid sleep 1000 & echo $!', { clock }).run(request());
  const { words: left } = await firstWords();
  try {
    await clock.timer(ms => ms === 1_000);
    clock.advance(1_000);
    await expect(run).resolves.toEqual({ kind: 'submitted' });
  } finally {
    process.kill(Number(left), 'SIGKILL');
  }
});

test('a run that was aborted before it begins is not begun', async () => {
  const run = runnerOf('touch "$SPARK_HOME/was-run"').run(request([], { signal: AbortSignal.abort(new Error('stopping')) }));

  await expect(run).rejects.toThrow('stopping');
  expect(existsSync(join(folder, 'was-run'))).toBe(false);
});

describe('where it cannot be run', () => {
  test('there is no Spark', async () => {
    const runner = runnerOf('exit 0', { environment: {} });

    await expect(runner.isAvailable()).resolves.toBe(false);
    await expect(runner.run(request())).resolves.toMatchObject({ message: 'failed to run spark-submit: SPARK_HOME is not set' });
  });

  test('there is no such program', async () => {
    const runner = runnerOf('exit 0', { environment: { SPARK_HOME: join(folder, 'nothing') } });

    await expect(runner.isAvailable()).resolves.toBe(false);
    await expect(runner.run(request())).resolves.toMatchObject({ message: expect.stringMatching(/there is no program .*\/nothing\/bin\/spark-submit/) });
  });

  test('an argument is too long', async () => {
    await expect(runnerOf('exit 0').run(request(['x'.repeat(200_000)]))).resolves.toMatchObject({ message: expect.stringContaining('too long'), retry: 'final' });
  });

  test('there is no place for its files', async () => {
    const outcome = await runnerOf('exit 0', { temporary: join(folder, 'nothing') }).run(request());

    // The same with each try, whatever the folder would have been called: it is told once.
    expect(outcome).toMatchObject({ message: expect.stringMatching(/cannot write its temporary files \([A-Z]+\)$/), retry: 'lasting' });
  });

  test('and where it can', async () => {
    await expect(runnerOf('exit 0').isAvailable()).resolves.toBe(true);
  });
});
