/* News about a pod that does not start: the words of the kubelet change with each of its tries. */
import { hasMessage, reports } from '../../../src/operator/driver/start-obstacle';

const failed = (port: number) => `ErrImagePull: failed to pull image "x": read udp 10.0.0.1:${port}->10.0.0.2:53: i/o timeout`;
const backoff = (port: number) => `ImagePullBackOff: Back-off pulling image "x": ${failed(port)}`;
const obstacle = (reason: string) => ({ reason, passes: false });

test.each([
  ['the same with another port', failed(1), failed(23), true],
  ['the backoff after the pull', failed(1), backoff(1), false],
  ['the pull that the backoff quotes', backoff(1), failed(23), true],
  ['a pull that fails for another reason', backoff(1), 'ErrImagePull: not found', false],
  ['a pull after a backoff that does not quote it', 'ImagePullBackOff: Back-off pulling image "x"', failed(1), false],
])('a status is written for news: %s', (_, before, after, isKnown) => {
  for (const words of ['driver does not start: ', 'the server does not start: ']) expect(hasMessage(words + before, words + after)).toBe(isKnown);
});

test('a message that comes or goes is news', () => {
  expect(hasMessage(undefined, undefined)).toBe(true);
  expect(hasMessage(undefined, 'driver does not start: x')).toBe(false);
  expect(hasMessage('driver does not start: x', undefined)).toBe(false);
});

test.each([
  ['driver does not start: ErrImagePull: x', 'ImagePullBackOff', true],
  ['driver does not start: ImagePullBackOff: x', 'ErrImagePull', true],
  ['the server does not start: ErrImagePull', 'ErrImagePull', true],
  ['driver does not start: Unschedulable: x', 'ErrImagePull', false],
  ['the state of the driver pod is unknown', 'ErrImagePull', false],
  [undefined, 'ErrImagePull', false],
])('%s reports %s: %s', (message, reason, isReported) => expect(reports(message, obstacle(reason))).toBe(isReported));
