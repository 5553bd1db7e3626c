import { TokenReviews, type User } from '../../../src/console/server/token-reviews';
import type { KubeClient } from '../../../src/kube/client';
import { ManualClock } from '../../kube/helpers/manual-clock';

/** Answers token reviews as an API server that accepts the tokens of some users. */
function reviewsOf(users: Readonly<Record<string, User>>) {
  const clock = new ManualClock();
  const reviewed: string[] = [];
  const client = {
    request: async ({ body }: { body: { spec: { token: string } } }) => {
      const { token } = body.spec;
      reviewed.push(token);
      return { status: { authenticated: token in users, user: users[token] } };
    },
  } as unknown as Pick<KubeClient, 'request'>;
  const reviews = new TokenReviews(client, clock);
  const userOf = (token: string) => reviews.userOf(token, '10.0.0.1', new AbortController().signal);
  return { clock, reviewed, userOf };
}

test.each([
  ['accepted', 'ann'], ['rejected', undefined],
])('the review of a token that is %s is cached for ten seconds', async (_, username) => {
  const { clock, reviewed, userOf } = reviewsOf(username ? { token: { username } } : {});
  const user = username && { username };
  expect(await Promise.all([userOf('token'), userOf('token')])).toEqual([user, user]);
  await clock.advanceAsync(9_999);
  expect(await userOf('token')).toEqual(user);
  expect(reviewed).toEqual(['token']);
  await clock.advanceAsync(1);
  expect(await userOf('token')).toEqual(user);
  expect(reviewed).toEqual(['token', 'token']);
});

test('a token that was accepted before does not wait for unknown ones, for 15 minutes', async () => {
  const { clock, userOf } = reviewsOf({ token: { username: 'ann' } });
  const answered = async () => {
    await clock.advanceAsync(10_000);
    // They use up the rate of unknown tokens.
    const invented = Array.from({ length: 50 }, (_, index) => userOf(`invented-${clock.now()}-${index}`));
    let isAnswered = false;
    const user = userOf('token').then(() => { isAnswered = true; });
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
    const result = isAnswered;
    await clock.advanceAsync(5_000);
    await Promise.all([...invented, user]);
    return result;
  };
  expect(await userOf('token')).toEqual({ username: 'ann' });
  expect(await answered()).toBe(true);
  await clock.advanceAsync(15 * 60_000);
  expect(await answered()).toBe(false);
});

test.each([
  [10, 1], [25_000, 2],
])('accepted tokens of 40 users with %i groups leave a token that was reviewed %i times', async (groups, times) => {
  const named = Array.from({ length: groups }, (_, index) => `group-${index}`);
  const others = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [
    `other-${index}`, { username: `user-${index}`, groups: named },
  ]));
  const { reviewed, userOf } = reviewsOf({ token: { username: 'ann' }, ...others });
  await userOf('token');
  for (const token of Object.keys(others)) await userOf(token);
  expect(await userOf('token')).toEqual({ username: 'ann' });
  expect(reviewed.filter((token) => token === 'token')).toHaveLength(times);
});
