/* docs/troubleshoot: every reason of an event, state, condition, cause and exit code has its row, and the remedies are those that sparkctl prints. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScheduleConditionType, ScheduleState } from '../src/api/scheduled-spark-application-status';
import { SparkConnectState } from '../src/api/spark-connect-status';
import { ApplicationState, ConditionType, ExecutorState } from '../src/api/states';
import { REMEDIES, remedyFor } from '../src/explain/remedy';
import { CAUSE_GROUPS } from '../src/model/cause/cause-class';
import { exitMeaning, type ExitRole } from '../src/model/cause/exit-code';
import { isStuckReason } from '../src/model/obstacle';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const [events, states, errors] = ['events', 'states', 'errors'].map((name) => read(`docs/troubleshoot/${name}.md`)) as [string, string, string];

/** Returns the part of a page under a heading, with the parts under deeper headings. */
function section(page: string, heading: string): string {
  const [, level] = new RegExp(`^(#+) ${heading}$`, 'm').exec(page)!;
  const [, text] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  return text!.split(new RegExp(`^#{1,${level!.length}} `, 'm'))[0]!;
}

/** Returns the cells of the rows of all tables, without the lines of headings. */
const rowsOf = (text: string): string[][] => text.split('\n').filter((line) => /^\| (?!-)/.test(line) && !/^\|-/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, each]) => each!);

describe('events', () => {
  const source = globSync('src/operator/**/*.ts', { cwd: root }).map(read).join('\n');
  const typed = [...source.matchAll(/\b(normal|warning)\(\s*'(\w+)'/g)].map(([, type, reason]) => ({ reason: reason!, type: type === 'normal' ? 'Normal' : 'Warning' }));
  // Reasons that reach these functions as a variable have the same form.
  const others = [...source.matchAll(/'((?:Spark(?:Application|Driver|Executor|Connect)|Scheduled(?:Run|SparkApplication))[A-Z]\w+)'/g)].map(([, reason]) => reason!);
  const contended = ['SparkApplication', 'ScheduledSparkApplication', 'SparkConnect'].map((kind) => `${kind}Contended`);
  const reasons = [...new Set([...typed.map(({ reason }) => reason), ...others, ...contended])].sort();
  const rows = rowsOf(events).filter(([cell]) => cell!.startsWith('`'));

  test('each reason in the source has one row, and each row its reason', () => {
    expect(reasons.length).toBeGreaterThan(45);
    expect(source).toContain('`${kind}Contended`');
    expect(rows.map(([reason]) => quoted(reason!)[0]).sort()).toEqual(reasons);
  });

  test('a row has the types with which the event is recorded', () => {
    const types = (reason: string) => [...new Set(typed.filter((each) => each.reason === reason).map(({ type }) => type))].sort().join(' or ');
    const wrong = rows.filter(([reason, type]) => types(quoted(reason!)[0]!) !== '' && types(quoted(reason!)[0]!) !== type);
    expect(wrong).toEqual([]);
  });

  test('each row has a cause and a remedy', () => {
    expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  });
});

describe('states', () => {
  test('each state of an application has a heading', () => {
    const headings = [...section(states, 'Applications').matchAll(/^### ([A-Z_]+)$/gm)].map(([, heading]) => heading!);
    expect(headings).toEqual(Object.keys(ApplicationState));
  });

  test.each<[string, readonly string[]]>([
    ['Executors', Object.values(ExecutorState)],
    ['Schedules', Object.values(ScheduleState)],
    ['Spark Connect servers', Object.values(SparkConnectState)],
  ])('each state of %s has a row', (heading, values) => {
    const named = rowsOf(section(states, heading)).map(([cell]) => cell === 'empty' ? '' : quoted(cell!)[0]);
    expect(named).toEqual(expect.arrayContaining(values));
  });

  test('each condition of an application, and each reason of one, is on the page', () => {
    const text = section(states, 'Conditions of an application');
    expect(quoted(text)).toEqual(expect.arrayContaining(Object.values(ConditionType)));
    const inSource = [...read('src/operator/kinds/spark-application/conditions.ts').matchAll(/\[ApplicationState\.\w+\]: '(\w+)'/g)].map(([, reason]) => reason);
    expect(inSource).toHaveLength(Object.keys(ApplicationState).length);
    expect(rowsOf(text).slice(1).map(([cell]) => quoted(cell!)[0])).toEqual(inSource);
  });

  test('each condition of a schedule, and each reason of one, has a row', () => {
    const source = read('src/operator/kinds/scheduled-spark-application/conditions.ts') + read('src/model/scheduled-spark-application.ts');
    const reasons = [...source.matchAll(/WaitingReason = ([^;]+);|reason: ('\w+')|Type\.\w+\]: ('\w+')/g)].flatMap((match) => match[0].match(/'(\w+)'/g) ?? []);
    expect(reasons.length).toBeGreaterThan(4);
    const named = quoted(section(states, 'Conditions of a schedule'));
    expect(named).toEqual(expect.arrayContaining([...reasons.map((reason) => reason.slice(1, -1)), ...Object.values(ScheduleConditionType)]));
  });

  test('each condition of a server, and each reason of one, has a row', () => {
    const source = read('src/model/spark-connect-conditions.ts');
    const [, union] = /export type ConditionReason =([^;]*);/.exec(source)!;
    const types = [...source.matchAll(/^export const [A-Z_]+ = '(\w+)'/gm)].map(([, type]) => type!);
    const reasons = union!.match(/\w+(?=')/g)!;
    expect(reasons.length).toBeGreaterThan(10);
    expect(quoted(section(states, 'Conditions of a server'))).toEqual(expect.arrayContaining([...types, ...reasons]));
  });
});

describe('errors', () => {
  test('each reason of a waiting container that needs user action has a row that says so', () => {
    const reasons = read('src/model/obstacle.ts').match(/(?<=')[A-Z][A-Za-z]+(?=')/g)!.filter((reason) => isStuckReason(reason) || reason === 'FailedMount');
    const rows = rowsOf(section(errors, 'The driver does not start'));
    const named = rows.filter(([,, needed]) => needed === 'yes').map(([reason]) => quoted(reason!)[0]);
    expect(new Set(reasons).size).toBeGreaterThan(9);
    expect(new Set(named)).toEqual(new Set(reasons));
  });

  test('each reason of a slow start has a row', () => {
    const reasons = [...read('src/operator/driver/start-obstacle.ts').matchAll(/reason: '(\w+)'/g)].map(([, reason]) => reason!);
    expect(reasons).toHaveLength(3);
    expect(rowsOf(section(errors, 'The driver does not start')).map(([reason]) => quoted(reason!)[0])).toEqual(expect.arrayContaining(reasons));
  });

  test('each group of causes has a row', () => {
    expect(rowsOf(section(errors, 'The driver failed')).slice(1).map(([group]) => quoted(group!)[0])).toEqual([...CAUSE_GROUPS]);
  });

  test('each exit code with a meaning has a row', () => {
    const roles: readonly ExitRole[] = ['driver', 'executor'];
    const expected = Array.from({ length: 256 }, (_, code) => code).flatMap((code) => {
      const of = roles.filter((role) => exitMeaning(code, role) !== undefined);
      return of.length === 0 ? [] : [[`${code}`, of.join(', '), exitMeaning(code, of[0]!)]];
    });
    expect(rowsOf(section(errors, 'Exit codes')).slice(1)).toEqual(expected);
  });

  const rows = rowsOf(section(errors, 'Remedies by message')).slice(1).map(([message, remedy]) => ({ message: message!.slice(1, -1), remedy: remedy! }));

  test.each(rows)('sparkctl prints the remedy for $message', ({ message, remedy }) => {
    expect(remedyFor(message)).toBe(remedy);
  });

  test('each remedy has a row', () => {
    const found = rows.map(({ message }) => REMEDIES.findIndex(([pattern]) => pattern.test(message)));
    expect(found).toEqual(REMEDIES.map((_, index) => index));
  });
});
