/* The page reads the log of a container to its end, across interruptions. */
import { RequestError } from '../../../../src/console/page/api';
import { readWhole, type LogPart } from '../../../../src/console/page/log/whole-log';
import { NOT_STARTED } from '../../../../src/console/wire';

/** Result of one request: chunks of text, what happens in between, and how it ends. */
type Answer = readonly (string | RequestError | Error | (() => void))[];

const line = (second: number, text: string) => `2026-03-01T10:00:0${second}.000000000Z ${text}\n`;
const notStarted = new RequestError(NOT_STARTED, 'has not started yet');
const gone = new RequestError(404, 'pi has no pod pi-driver (any more)');
const lost = new TypeError('network error');

/** Reads a log from a server with these results. */
async function read(answers: readonly Answer[], pod = { isAlive: true }) {
  const asked: LogPart[] = [];
  const troubles: (number | undefined)[] = [];
  let text = '';
  const error = await readWhole({
    async read(part, take) {
      asked.push(part);
      for (const each of answers[asked.length - 1]!) {
        if (each instanceof Error) throw each;
        if (typeof each === 'string') take(new TextEncoder().encode(each));
        else each();
      }
    },
    isAlive: () => pod.isAlive,
    pause: async () => {},
    isLeft: () => false,
  }, {
    onText: (piece) => { text += piece; }, onTrouble: (trouble) => {
      if (trouble?.status !== troubles.at(-1)) {
        troubles.push(trouble?.status);
      }
    },
  });
  return { text, error, asked, troubles };
}

test('the log of a finished container is read once', async () => {
  const { text, error, asked } = await read([[line(1, 'one'), line(2, 'two')]], { isAlive: false });
  expect({ text, error, asked }).toEqual({ text: line(1, 'one') + line(2, 'two'), error: undefined, asked: [{ follow: false }] });
});

test('reading resumes after a lost connection, and after a stream that ended although the container runs', async () => {
  const pod = { isAlive: true };
  const { text, error, asked, troubles } = await read([
    [line(4, 'one'), line(5, 'two').slice(0, -2), lost],
    [new RequestError(502, 'the API server cannot be reached')],
    [line(4, 'one'), line(5, 'two'), line(6, 'three')],
    [line(5, 'two'), line(6, 'three'), line(7, 'four'), () => { pod.isAlive = false; }],
    [line(6, 'three'), line(7, 'four'), line(8, 'last words')],
  ], pod);
  expect({ text, error }).toEqual({
    text: [line(4, 'one'), line(5, 'two'), line(6, 'three'), line(7, 'four'), line(8, 'last words')].join(''), error: undefined,
  });
  expect(asked.map(({ since, follow }) => [since?.getUTCSeconds(), follow])).toEqual([
    [undefined, true], [4, true], [4, true], [5, true], [6, false],
  ]);
  expect(troubles).toEqual([0, 502, undefined]);
});

test('reading waits for a container that has not started', async () => {
  const { text, troubles } = await read([[notStarted], [line(1, 'one')], [gone]]);
  expect({ text, troubles }).toEqual({ text: line(1, 'one'), troubles: [NOT_STARTED, undefined] });
});

test.each([
  ['the permission is missing', new RequestError(403, 'ann is not allowed to get pods/log'), true],
  ['there is no such pod', gone, true],
  ['a container that never started', notStarted, false],
])('%s: the log reports it without a retry', async (_, refusal, isAlive) => {
  const { error, asked } = await read([[refusal]], { isAlive });
  expect(error).toBe(refusal);
  expect(asked).toHaveLength(1);
});
