/* Lines of a log, without a browser: their times and levels, search, the error, and wrapping. */
import { beginsEarlier, countLevels, countLines, errorLine, matchesOf, ofLevels, onlyMatching, partsOf, textOf } from '../../../../src/console/page/log/find';
import { keptPosition, plainLayout, wrappedLayout } from '../../../../src/console/page/log/layout';
import { LogLines } from '../../../../src/console/page/log/log-lines';

function linesOf(...texts: readonly string[]) {
  const lines = new LogLines();
  lines.push(texts.map((text) => `${text}\n`).join(''));
  return lines.lines();
}

const PYTHON = linesOf(
  '26/03/01 10:00:00 INFO SparkContext: Running Spark version 4.1.1',
  '26/03/01 10:00:01 WARN Utils: Service SparkUI could not bind',
  'Pi is roughly 3.14',
  'Traceback (most recent call last):',
  '  File "/opt/spark/work-dir/fail.py", line 5, in <module>',
  'pyspark.errors.exceptions.captured.AnalysisException: [UNRESOLVED_COLUMN] no column `x`. Did you mean `id`?',
  '26/03/01 10:00:02 INFO ShutdownHookManager: Shutdown hook called',
);
const JAVA = linesOf(
  '26/03/01 10:00:00 ERROR Executor: Exception in task 0.0',
  'java.lang.IllegalStateException: first',
  '\tat Main.run(Main.java:3)',
  'Caused by: java.io.IOException: root',
  '\t... 7 more',
  'Exception in thread "main" org.apache.spark.SparkException: Job aborted',
  '\tat Main.main(Main.java:9)',
);

test('lines have their time and their level, and frames that of their error', () => {
  expect(PYTHON.map(({ level }) => level)).toEqual(['INFO', 'WARN', 'OUTPUT', 'ERROR', 'ERROR', 'ERROR', 'INFO']);
  expect(JAVA.map(({ level, begins }) => `${level} ${begins}`)).toEqual([
    'ERROR true', 'ERROR false', 'ERROR false', 'ERROR false', 'ERROR false', 'ERROR true', 'ERROR false',
  ]);
  expect(linesOf('2026-03-01T10:00:01.500000000Z 26/03/01 10:00:01 INFO a', 'without a time')).toEqual([
    { time: '2026-03-01T10:00:01.500000000Z', text: '26/03/01 10:00:01 INFO a', level: 'INFO', begins: true, row: 0 },
    { text: 'without a time', level: 'OUTPUT', begins: true, row: 1 },
  ]);
});

test.each([
  ['ERROR:root:Python', 'ERROR'], ['2026-03-01 10:00:00,123 - root - WARNING - Python', 'WARN'], ['[2026-03-01 10:00:00] FATAL: x', 'ERROR'],
  ['{"ts":"2026-03-01T10:00:00.000Z","level":"ERROR","msg":"structured"}', 'ERROR'], ['There was an ERROR in my text', 'OUTPUT'],
  ['INFORMATION', 'OUTPUT'], ['', 'OUTPUT'], ['+ exec /opt/spark/bin/spark-submit', 'OUTPUT'],
])('the level of %j is %s', (text, level) => {
  expect(linesOf(text)[0]!.level).toBe(level);
});

test('a text is split into lines however it is split into chunks, and a long line into several', () => {
  const text = '2026-03-01T10:00:01Z one\n2026-03-01T10:00:02Z two\nthree';
  for (let size = 1; size < 12; size++) {
    const lines = new LogLines();
    for (const piece of text.match(new RegExp(`[^]{1,${size}}`, 'g'))!) lines.push(piece);
    expect(lines.lines().map((line) => line.text)).toEqual(['one', 'two', 'three']);
  }
  expect(linesOf('x'.repeat(9_000)).map((line) => line.text.length)).toEqual([4_000, 4_000, 1_000]);
});

test('the parts of a long line are one line when they are counted and copied, however it arrives', () => {
  const text = `26/03/01 10:00:00 WARN json: ${'x'.repeat(9_000)}`;
  for (const size of [20_000, 5_000, 100]) {
    const lines = new LogLines();
    for (const piece of `first\n${text}\nlast`.match(new RegExp(`[^]{1,${size}}`, 'g'))!) lines.push(piece);
    const all = lines.lines();
    expect([all.length, countLines(all), textOf(all, false)]).toEqual([5, 3, `first\n${text}\nlast`]);
    expect(all.map(({ level }) => level)).toEqual(['OUTPUT', 'WARN', 'WARN', 'WARN', 'OUTPUT']);
    expect(countLevels(all)).toMatchObject({ WARN: 1, OUTPUT: 2 });
    // Parts whose beginnings are hidden are lines of their own.
    expect([countLines([all[0]!, all[2]!]), textOf([all[0]!, all[2]!], false)]).toEqual([2, `first\n${all[2]!.text}`]);
  }
});

test('the trace after a warning is part of the warning', () => {
  const lines = linesOf('26/03/01 10:00:00 WARN BlockedThreadChecker: Thread blocked', 'io.vertx.core.VertxException: Thread blocked', '\tat A.b(A.java:3)', 'Caused by: java.io.IOException: c');
  expect(lines.map(({ level, begins }) => `${level} ${begins}`)).toEqual(['WARN true', 'WARN false', 'WARN false', 'WARN false']);
  expect(countLevels(lines)).toMatchObject({ WARN: 1, OUTPUT: 0 });
});

test('errors of spark-submit, of Python and of Java in py4j', () => {
  const reader = new LogLines();
  reader.push("Error: Failed to load class org.example.Missing.\npython3: can't open file '/opt/no.py': [Errno 2]\noutput\n"
    + ': java.lang.OutOfMemoryError: Java heap space\n\tat java.base/java.util.Arrays.copyOf(Arrays.java)\n');
  expect(reader.lines().map(({ level, begins }) => `${level} ${begins}`)).toEqual(['ERROR true', 'ERROR true', 'OUTPUT true', 'ERROR true', 'ERROR false']);
});

describe('a stack trace with more than one part', () => {
  const levelsOf = (...texts: readonly string[]) => linesOf(...texts).map(({ level, begins }) => `${level}${begins ? '' : ' …'}`);
  const TRACEBACK = ['Traceback (most recent call last):', '  File "/opt/heap.py", line 3, in <module>'];
  const FAILURE = ['py4j.protocol.Py4JJavaError: An error occurred while calling o79.collectToPython.', ': org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 failed 4 times'];
  const FRAME = '\tat org.apache.spark.scheduler.DAGScheduler.failJob(DAGScheduler.scala:2935)';

  test('has the level of its error from the first line to the last, and is one error', () => {
    const lines = [...TRACEBACK, ...FAILURE, FRAME, '', 'Driver stacktrace:', FRAME, 'Caused by: java.lang.OutOfMemoryError: Java heap space', FRAME, '\t... 7 more'];
    expect(levelsOf(...lines)).toEqual(['ERROR', ...lines.slice(1).map(() => 'ERROR …')]);
    expect(levelsOf('26/03/01 10:00:00 INFO DAGScheduler: Job 0 failed', ...TRACEBACK, ...FAILURE, 'Driver stacktrace:', FRAME, '26/03/01 10:00:01 INFO SparkContext: stopped')).toEqual([
      'INFO', 'ERROR', 'ERROR …', 'ERROR …', 'ERROR …', 'ERROR …', 'ERROR …', 'INFO',
    ]);
  });

  test('has it also in further lines of the message, and what a program prints after a trace has not', () => {
    const lost = ['The executor with id 2 exited with exit code 137(SIGKILL, possible container OOM).', '', 'The API gave the following container statuses:', '\t container name: spark-kubernetes-executor'];
    expect(levelsOf(...FAILURE, ...lost, 'Driver stacktrace:', FRAME, 'printed')).toEqual(['ERROR', ...Array.from({ length: 7 }, () => 'ERROR …'), 'OUTPUT']);
    expect(levelsOf(...FAILURE, FRAME, 'printed', '  indented', '')).toEqual(['ERROR', 'ERROR …', 'ERROR …', 'OUTPUT', 'OUTPUT', 'OUTPUT']);
    expect(levelsOf(...FAILURE, 'printed', '26/03/01 10:00:00 INFO x: y', 'printed', FRAME)).toEqual(['ERROR', 'ERROR …', 'OUTPUT', 'INFO', 'OUTPUT', 'OUTPUT']);
    const printed = Array.from({ length: 200 }, () => 'printed');
    expect(new Set(levelsOf(...FAILURE, ...printed, FRAME).slice(2))).toEqual(new Set(['OUTPUT']));
  });

  test('is one error with the traceback that led to it, but not with an independent one', () => {
    const chained = [...TRACEBACK, 'KeyError: 1', '', 'During handling of the above exception, another exception occurred:', '', ...TRACEBACK, 'ValueError: 2'];
    expect(levelsOf(...chained)).toEqual(['ERROR', ...chained.slice(1).map(() => 'ERROR …')]);
    const udf = [...TRACEBACK, 'pyspark.errors.exceptions.captured.PythonException: ', '  An exception was thrown from the Python worker. Please see the stack trace below.', ...TRACEBACK, 'ZeroDivisionError: division by zero'];
    expect(levelsOf(...udf)).toEqual(['ERROR', ...udf.slice(1).map(() => 'ERROR …')]);
    expect(countLevels(linesOf(...TRACEBACK, 'ValueError: 1', ...TRACEBACK, 'ValueError: 2')).ERROR).toBe(2);
    expect(countLevels(linesOf('26/03/01 10:00:00 ERROR TaskSetManager: Task 0 failed 4 times; aborting job', ...TRACEBACK, 'ValueError: 1')).ERROR).toBe(2);
  });
});

test('the filter of levels, and the search in any case', () => {
  expect(countLevels(PYTHON)).toEqual({ ERROR: 1, WARN: 1, INFO: 2, OUTPUT: 1 });
  expect(ofLevels(PYTHON, new Set(['WARN', 'OUTPUT'])).map(({ level }) => level)).toEqual(['WARN', 'OUTPUT']);
  expect(ofLevels(PYTHON, new Set())).toBe(PYTHON);
  expect([matchesOf(PYTHON, 'SPARK'), matchesOf(PYTHON, 'nowhere'), matchesOf(PYTHON, '')]).toEqual([[0, 1, 4, 5], [], []]);
  expect(partsOf('a Spark, a spark', 'spark')).toEqual([
    { text: 'a ', isMatch: false }, { text: 'Spark', isMatch: true }, { text: ', a ', isMatch: false }, { text: 'spark', isMatch: true },
  ]);
});

test('a long line matches as a whole, whatever its parts', () => {
  const long = linesOf('needle', 'first', `${'x'.repeat(3_990)}Needle-Across${'y'.repeat(9_000)}`, 'last');
  expect(long.map(({ row, isRest }) => `${row}${isRest ? ' rest' : ''}`)).toEqual(['0', '1', '2', '3 rest', '4 rest', '5 rest', '6']);
  expect(['needle', 'needle-across', 'yyyy', 'last'].map((text) => matchesOf(long, text))).toEqual([[0, 2], [2], [3], [6]]);
  const { shown, matches } = onlyMatching(long, matchesOf(long, 'yyyy'));
  expect([shown, matches, countLines(shown)]).toEqual([long.slice(2, 6), [1], 1]);
  expect(onlyMatching(long, [0, 2, 6])).toEqual({ shown: [long[0], ...long.slice(2)], matches: [0, 1, 5] });
});

test.each(['ERROR:root:caught it', '2026-03-01 10:00:00,123 - jobs - CRITICAL - caught it'])('a traceback after %s is that of its exception', (line) => {
  const lines = linesOf(line, 'Traceback (most recent call last):', '  File "main.py", line 5, in <module>', 'ValueError: no rows', 'done');
  expect(countLevels(lines)).toEqual({ ERROR: 1, WARN: 0, INFO: 0, OUTPUT: 1 });
});

test.each(['INFO:root:begin', '26/03/01 10:00:00 ERROR SparkContext: lost', 'ERROR:root:caught it\n2 rows'])('a traceback after %j is another error', (line) => {
  const lines = linesOf(line, 'Traceback (most recent call last):', '  File "main.py", line 5, in <module>', 'ValueError: no rows');
  expect(lines.filter(({ level, begins }) => level === 'ERROR' && begins).at(-1)!.text).toContain('Traceback');
});

test.each<[string, string | undefined, number]>([
  ['by its text', 'AnalysisException: [UNRESOLVED_COLUMN] no column `x`. (fail.py:5)', 5],
  ['by its message, if the log has another name for the exception', 'SparkError: [UNRESOLVED_COLUMN] no column', 5],
  ['by the name of its exception, if the log has another message', 'AnalysisException: cannot be resolved', 5],
  ['of an unknown cause: the beginning of the last error', undefined, 3],
  ['of a cause that is not in the log', 'OOMKilled: the driver exceeded its limit of 2Gi', 3],
])('the line of the cause %s', (_, cause, index) => {
  expect(errorLine(PYTHON, cause)).toBe(index);
});

test('further jumps lead to earlier errors', () => {
  expect([errorLine(JAVA, undefined), errorLine(JAVA, undefined, 5), errorLine(JAVA, undefined, 0)]).toEqual([5, 0, undefined]);
});

test('a line stays where it is on the screen when lines begin to wrap', () => {
  const [plain, wrapped] = [plainLayout(4), wrappedLayout([0, 30, 11, 25], 10)];
  expect([keptPosition(plain, wrapped, 2, 1), keptPosition(wrapped, plain, 2, 3), keptPosition(wrapped, plain, 3, 0)]).toEqual([3, 1, 0]);
});

test('wrapped lines take several rows', () => {
  const layout = wrappedLayout([0, 10, 11, 25], 10);
  expect([layout.rows, ...[0, 1, 2, 3].map((line) => layout.rowOf(line))]).toEqual([7, 0, 1, 2, 4]);
  expect([0, 1, 2, 3, 4, 6, 99].map((row) => layout.lineAt(row))).toEqual([0, 1, 2, 2, 3, 3, 3]);
  expect([plainLayout(3).rows, plainLayout(3).lineAt(9), plainLayout(0).lineAt(0), wrappedLayout([], 10).lineAt(3)]).toEqual([3, 2, 0, 0]);
});

test('a log begins earlier if its last lines were there when it was opened, or its first were dropped', () => {
  const log = (count: number, from: number) => {
    const lines = new LogLines();
    lines.push(Array.from({ length: count }, (_, index) => `2026-03-01T10:00:${String(from + index).padStart(2, '0')}Z line\n`).join(''));
    return lines.lines();
  };
  const openedAt = Date.parse('2026-03-01T10:00:10Z');
  const lines = [log(5, 0), log(4, 0), log(9, 8), []];
  expect(lines.map((each) => beginsEarlier(each, 5, openedAt))).toEqual([true, false, false, false]);
  expect(beginsEarlier(log(9, 8).slice(1), 5, openedAt)).toBe(true);
});
