import { ReviewQueue } from '../../../src/operator/admission/review-queue';

const STAYS = new AbortController().signal;
const late = () => new Error('late');
const inTime = () => false;

/** The reviews that had a turn, in order. */
function queue(reviews: ReviewQueue) {
  const order: string[] = [];
  const wait = (address: string, name: string, signal = STAYS, isLate = inTime) => (
    reviews.next(address, signal, isLate, late).then(() => void order.push(name), (error) => error.message)
  );
  return { order, wait };
}

test('addresses have turns in rotation, and those of one address in order', async () => {
  const { order, wait } = queue(new ReviewQueue());
  await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => wait('a', name)), wait('b', 'b1'), wait('c', 'c1'), wait('b', 'b2')]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('one turn at a time: other work continues in between', async () => {
  const { order, wait } = queue(new ReviewQueue());
  const all = ['a', 'b', 'c'].map((name) => wait(name, name));
  const seen: number[] = [];
  while (order.length < 3) {
    await new Promise(setImmediate);
    seen.push(order.length);
  }
  await Promise.all(all);
  expect(seen).toEqual([0, 1, 2, 3]);
});

test('the waiting reviews of one address are limited, and further ones are refused with a 503; others are not', async () => {
  const reviews = new ReviewQueue(1);
  const { order, wait } = queue(reviews);
  const all = [wait('a', 'a1'), wait('a', 'a2')];
  await expect(reviews.next('a', STAYS, inTime, late)).rejects.toMatchObject({
    status: 503, message: 'there are too many reviews at once',
  });
  await Promise.all([...all, wait('b', 'b1')]);
  await wait('a', 'a4');
  expect(order).toEqual(['a1', 'a2', 'b1', 'a4']);
});

test('an aborted review makes room at once, and takes no turn', async () => {
  const { order, wait } = queue(new ReviewQueue(2));
  const leaving = new AbortController();
  const left = [wait('a', 'a1', leaving.signal), wait('a', 'a2', leaving.signal)];
  leaving.abort(new Error('left'));
  const stays = [wait('a', 'a3'), wait('a', 'a4')];
  expect(await Promise.all(left)).toEqual(['left', 'left']);
  expect(await wait('a', 'a5', leaving.signal)).toBe('left');
  await Promise.all(stays);
  expect(order).toEqual(['a3', 'a4']);
});

test('a late review is rejected, and later ones get their turns', async () => {
  const { order, wait } = queue(new ReviewQueue());
  const isLate = () => true;
  const all = [wait('a', 'a1', STAYS, isLate), wait('a', 'a2', STAYS, isLate), wait('b', 'b1', STAYS, isLate), wait('a', 'a3')];
  expect(await Promise.all(all)).toEqual(['late', 'late', 'late', undefined]);
  expect(order).toEqual(['a3']);
});
