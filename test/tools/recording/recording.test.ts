import { framesOf, played, type Chunk } from '../../../tools/recording/frames.ts';
import { Screen, type Picture } from '../../../tools/recording/screen.ts';
import { svgOf } from '../../../tools/recording/svg.ts';

function screenAfter(columns: number, ...texts: readonly string[]): Picture {
  const screen = new Screen(columns);
  for (const text of texts) screen.write(text);
  return screen.picture();
}

/** The lines of a picture without looks. */
function linesOf(picture: Picture): string[] {
  return picture.map((spans) => spans.reduce((line, { column, text }) => line.padEnd(column) + text, ''));
}

describe('a screen', () => {
  test('has text in its looks, without blanks at the edges', () => {
    expect(screenAfter(80, '\x1b[1mjobs/pi\x1b[22m \x1b[32mRUN', 'NING\x1b[39m   8s\r\n  \x1b[2mdim\x1b[0m')).toEqual([
      [{ column: 0, text: 'jobs/pi', isBold: true }, { column: 8, text: 'RUNNING', colour: 'green' }, { column: 18, text: '8s' }],
      [{ column: 2, text: 'dim', isDim: true }],
    ]);
  });

  test('is drawn over, as progress is', () => {
    expect(linesOf(screenAfter(80, 'created\r\n', '⠋ pi NEW\r\n', '\x1b[1A\x1b[0J⠙ pi\r\n', '\x1b[1A\x1b[0J', 'done\r\n'))).toEqual(['created', 'done']);
    expect(linesOf(screenAfter(80, 'words.py 10 %', '\rwords.py 9 %\x1b[K'))).toEqual(['words.py 9 %']);
  });

  test('wraps what is too long', () => {
    expect(linesOf(screenAfter(4, 'abcdefgh\r\nij'))).toEqual(['abcd', 'efgh', 'ij']);
  });

  test.each(['\x1b[2J', '\x1b[3;4H', '\x1b[1L', '\x1b[95m', '\x07', '\x1b]0;title\x07'])('does not guess what %j means', (sequence) => {
    expect(() => screenAfter(80, sequence)).toThrow('teach it to Screen');
  });
});

describe('a session', () => {
  const steps = [
    { command: 'ls', output: [{ at: 10, text: 'a\r\n' }, { at: 60_000, text: 'b\r\n' }] },
    { command: 'id', output: [] },
  ];

  test('is typed, and does not wait for long', () => {
    const chunks = played(steps, { letter: 10, send: 100, read: 500, readLine: 50, idle: 1_000, speed: 2 });
    expect(chunks.map(({ at }) => at)).toEqual([0, 110, 120, 220, 225, 1225, 1825, 1935, 1945, 2045, 2545]);
    const frames = framesOf(chunks, 80);
    expect(linesOf(frames.at(-1)!.picture)).toEqual(['$ ls', 'a', 'b', '$ id', '$']);
    expect(frames.map(({ picture }) => linesOf(picture).at(-1))).toEqual(['$', '$ ls', 'a', 'b', '$', '$ id', '$ id', '$']);
  });

  test('has one frame for what comes at once', () => {
    const chunks: Chunk[] = [{ at: 0, text: 'a' }, { at: 89, text: 'b' }, { at: 91, text: 'c' }, { at: 400, text: 'd' }];
    expect(framesOf(chunks, 80).map(({ at, picture }) => [at, ...linesOf(picture)])).toEqual([[0, 'ab'], [90, 'abc'], [360, 'abcd']]);
  });
});

describe('a drawing', () => {
  const frames = [['$', 'stays'], ['x', 'stays'], ['y <&"', 'stays']].map((lines, index) => ({ at: 1_000 * index, picture: lines.map((text) => [{ column: 0, text, colour: 'red' as const }]) }));
  const svg = svgOf(frames, { columns: 80, title: 'a <title>', hold: 2_000 });

  test('shows each text for its time, and in the end what is there then', () => {
    const shown = [...svg.matchAll(/<g class="(\w+)" style="animation-name:(\w+)">(.*)<\/g>/g)].map(([, when, name, texts]) => {
      const [, keyframes] = new RegExp(`@keyframes ${name}{(.*)}`).exec(svg)!;
      return [[...texts!.matchAll(/>([^<]+)</g)].map(([, text]) => text), when, keyframes!.replaceAll('visibility:', '')];
    });
    expect(shown).toEqual([
      [['$'], 'past', '0%{visible}25%,to{hidden}'],
      [['x'], 'past', '0%{hidden}25%{visible}50%,to{hidden}'],
      [['stays'], 'last', '0%,to{visible}'],
      [['y &#60;&#38;&#34;'], 'last', '0%{hidden}50%,to{visible}'],
    ]);
    expect(svg).toContain('animation:4s step-end infinite');
  });

  test('is a picture and nothing else', () => {
    expect(svg).toContain('aria-label="a &#60;title&#62;"');
    expect(svg).not.toMatch(/<script|\bon\w+=|href|url\(|@import/);
  });
});
