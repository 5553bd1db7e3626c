import { MetricsPage } from '../../../src/operator/metrics/page';
import { ManualClock } from '../../kube/helpers/manual-clock';

/** A registry whose pages a test finishes. */
function slowRegistry() {
  const renderings: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }[] = [];
  return {
    renderings,
    contentType: 'text/x',
    metrics() {
      return new Promise<string>((resolve, reject) => renderings.push({ resolve, reject }));
    },
  };
}

test('requests share a rendering, and the bytes of its page for a second', async () => {
  const clock = new ManualClock();
  const registry = slowRegistry();
  const page = new MetricsPage(registry, clock);
  const first = page.read();
  await clock.advanceAsync(5_000);
  const second = page.read();
  registry.renderings[0]!.resolve('a 1\n');
  expect(await first).toEqual({ status: 200, type: 'text/x', body: Buffer.from('a 1\n') });
  await clock.advanceAsync(999);
  const bodies = (await Promise.all([first, second, page.read()])).map(({ body }) => body);
  expect(bodies.every((body) => body === bodies[0])).toBe(true);
  expect(registry.renderings.length).toBe(1);

  await clock.advanceAsync(1);
  const next = page.read();
  registry.renderings[1]!.resolve('a 2\n');
  expect((await next).body).toEqual(Buffer.from('a 2\n'));
});

test('a rendering that fails is not kept', async () => {
  const registry = slowRegistry();
  const page = new MetricsPage(registry, new ManualClock());
  const first = page.read();
  registry.renderings[0]!.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  const next = page.read();
  registry.renderings[1]!.resolve('a 1\n');
  expect((await next).body).toEqual(Buffer.from('a 1\n'));
});
