import { array, assert, integer, property, uint8Array } from 'fast-check';
import { framed } from '../../helpers/protobuf';
import { FrameReader } from '../../../src/kube/protobuf/frame-reader';

test('frames are complete and in order, however they arrive', () => {
  assert(property(array(uint8Array({ maxLength: 40 }), { maxLength: 10 }), array(integer({ min: 1, max: 30 }), { minLength: 1 }), (contents, sizes) => {
    const seen: Buffer[] = [];
    const reader = new FrameReader(40, (frame) => seen.push(Buffer.from(frame)), () => new Error('too long'));
    let rest = Buffer.concat(contents.map((content) => framed(Buffer.from(content))));
    for (let index = 0; rest.length > 0; index++) {
      const size = sizes[index % sizes.length]!;
      reader.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    expect(seen).toEqual(contents.map((content) => Buffer.from(content)));
    expect(reader.isMidway).toBe(false);
  }));
});

test('it reports whether a frame is incomplete', () => {
  const reader = new FrameReader(40, () => {}, () => new Error('too long'));
  const bytes = framed(Buffer.from('abc'));
  const midway = [...bytes].map((byte) => {
    reader.push(Buffer.from([byte]));
    return reader.isMidway;
  });
  expect(midway).toEqual([true, true, true, true, true, true, false]);
});

test('a frame that is too long is rejected before it has arrived', () => {
  const reader = new FrameReader(40, () => {}, () => new Error('too long'));
  expect(() => reader.push(framed(Buffer.alloc(41)).subarray(0, 4))).toThrow('too long');
});
