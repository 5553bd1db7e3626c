import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'], linux: ['xdg-open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a browser if there is one; other users read the printed URL. Every user of the machine can
 * see the browser's command line.
 */
export function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}
