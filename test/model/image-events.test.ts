/* Events about images that cannot be pulled, of which there are five for each attempt. */
import { foldImageEvents, type ImageEvent } from '../../src/model/image-events';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();
const timeOf = ({ lastTimestamp }: ImageEvent) => Date.parse(lastTimestamp ?? '');
const event = (minute: number, reason: string, message: string, { name = 'pi-driver', kind = 'Pod', count = 1 } = {}): ImageEvent => ({
  reason, message, count, lastTimestamp: at(minute), involvedObject: { kind, name },
});

const ANSWER = 'Failed to pull image "example.org/a:1": not found';
const attempts = (name: string, first: number) => [
  event(first, 'Scheduled', 'assigned to node', { name }),
  event(first + 1, 'Pulling', 'Pulling image "example.org/a:1"', { name, count: 4 }),
  event(first + 2, 'Failed', ANSWER, { name, count: 4 }),
  event(first + 3, 'Failed', 'Error: ErrImagePull', { name, count: 4 }),
  event(first + 4, 'BackOff', 'Back-off pulling image "example.org/a:1"', { name, count: 12 }),
  event(first + 5, 'Failed', 'Error: ImagePullBackOff', { name, count: 12 }),
];

const lines = (events: readonly ImageEvent[]) => foldImageEvents(events, timeOf).map((each) => (
  `${each.lastTimestamp!.slice(14, 16)} x${each.count} ${each.involvedObject.name}: ${each.message}`
));

test('are one event, with the answer of the registry and the number of failed pulls', () => {
  expect(lines(attempts('pi-driver', 0))).toEqual(['00 x1 pi-driver: assigned to node', `05 x4 pi-driver: ${ANSWER}`]);
});

test('are one event for all pods with the image', () => {
  expect(lines([...attempts('pi-exec-1', 0), ...attempts('pi-exec-2', 10)]).at(-1)).toBe(`15 x8 pi-exec-2 and 1 more: ${ANSWER}`);
});

test('a node with the image, or another pull later, makes the failure no newer', () => {
  const present = 'Container image "example.org/a:1" already present on machine';
  const events = [...attempts('pi-driver', 0), event(20, 'Pulling', 'Pulling image "example.org/a:1"', { name: 'pi-exec-1' }), event(30, 'Pulled', present)];
  expect(lines(events)).toEqual(['00 x1 pi-driver: assigned to node', `05 x4 pi-driver: ${ANSWER}`, `30 x1 pi-driver: ${present}`]);
});

test('an image that must not be pulled is a failure', () => {
  const message = 'Container image "a" is not present with pull policy of Never';
  expect(lines([event(1, 'ErrImageNeverPull', message, { count: 3 }), event(2, 'Failed', 'Error: ErrImageNeverPull', { count: 3 })]))
    .toEqual(['02 x3 pi-driver: Error: ErrImageNeverPull']);
});

test('the operator reports two reasons in turn', () => {
  const pending = (minute: number, reason: string) => event(minute, 'SparkDriverPending', `Driver pi-driver does not start: ${reason}: x`, { kind: 'SparkApplication', name: 'pi' });
  expect(lines([pending(1, 'ErrImagePull'), pending(2, 'ImagePullBackOff'), pending(3, 'ErrImagePull')])).toEqual([
    '03 x3 pi: Driver pi-driver does not start: ErrImagePull: x',
  ]);
});

test('a pull that succeeds stays as it is, like all other events', () => {
  const events = [
    event(1, 'Pulling', 'Pulling image "example.org/a:1"'), event(2, 'Pulled', 'Successfully pulled image "example.org/a:1"'),
    event(3, 'BackOff', 'Back-off restarting failed container x'), event(4, 'Failed', 'Error: CreateContainerError'),
  ];
  expect(foldImageEvents(events, timeOf)).toEqual(events);
});
