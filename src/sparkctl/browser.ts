import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = { darwin: ['open'], linux: ['xdg-open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] };

/** Opens a browser, where there is one; the address has been printed for all others. Everybody on the machine can see its command line. */
export function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}
