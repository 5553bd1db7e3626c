import { readFileSync } from 'node:fs';
import { createServer, connect as connectTo, type AddressInfo, type Server, type Socket } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Debian's Chromium without a window, which tools/test installs. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/**
 * Starts a browser without a screen. `redirects` leads connections elsewhere, as `host:port` → `host:port`, without telling the page.
 * With scroll bars, as on a desk, an element is narrower once its content is longer than itself.
 */
export function startBrowser(redirects: Readonly<Record<string, string>> = {}, { hasScrollBars = false } = {}): Promise<Browser> {
  const rules = Object.entries(redirects).map(([from, to]) => `MAP ${from} ${to}`).join(', ');
  return chromium.launch({
    executablePath: CHROMIUM,
    ...(hasScrollBars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
    // Tests run as root, in a network without a name server.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb', ...rules === '' ? [] : [`--host-resolver-rules=${rules}`]],
  });
}

/**
 * Describes the obstacles for users who rely on accessibility.
 *
 * @param part selector of the part of the page to check; by default all of it
 */
export async function barriers(page: Page, part?: string): Promise<string[]> {
  // Not as a script of the page, which its policy forbids.
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = await page.evaluate(async (selector) => {
    const { axe } = globalThis as any;
    const { violations: found } = await axe.run(selector === undefined ? (globalThis as any).document : selector, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] });
    return found.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ target, failureSummary }: any) => `${target.join(' ')} (${failureSummary})`).join('; ')}`);
  }, part);
  return violations as string[];
}

/** A connection that can be lost: what comes here is passed on, unless it is cut. */
export class Cable {
  static async to(port: number): Promise<Cable> {
    const cable = new Cable(port);
    await cable.plug();
    return cable;
  }

  private server?: Server;
  private readonly sockets = new Set<Socket>();
  private own = 0;

  private constructor(private readonly target: number) {}

  get port(): number {
    return this.own;
  }

  /** Lets connections through. */
  async plug(): Promise<void> {
    const server = createServer((socket) => {
      const onward = connectTo(this.target, '127.0.0.1');
      for (const each of [socket, onward]) {
        this.sockets.add(each);
        each.on('error', () => {});
        each.once('close', () => this.sockets.delete(each));
      }
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(this.own, '127.0.0.1', resolve));
    this.own = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Breaks all connections, and takes no new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = server && new Promise((resolve) => server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/**
 * Scrolls through an element from its top.
 *
 * @returns milliseconds of CPU time that the page worked for each frame, on average: script, style and layout
 */
export async function workWhileScrolling(page: Page, selector: string, pixels: number, frames: number): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  const before = await worked();
  await page.evaluate(async ([target, step, most]) => {
    const element = (globalThis as any).document.querySelector(target);
    element.scrollTop = 0;
    for (let frame = 0; frame < (most as number); frame++) {
      element.scrollTop += step as number;
      await new Promise((resolve) => (globalThis as any).requestAnimationFrame(resolve));
    }
  }, [selector, pixels, frames] as const);
  return (await worked() - before) / frames;
}

/** Presses a key at the moment at which another element matches a selector, before anything is painted. */
export async function pressOnceSeen(page: Page, selector: string, key: string): Promise<void> {
  await page.evaluate(([wanted, pressed]) => {
    const { document, KeyboardEvent, MutationObserver } = globalThis as any;
    const before = document.querySelector(wanted);
    const observer = new MutationObserver(() => {
      const found = document.querySelector(wanted);
      if (!found || found === before) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  }, [selector, key]);
}
