import { routeHash } from './route';

/** Part of an advice: text, code, or a link to a part of the console. */
export type AdvicePart = string | { readonly code: string } | AdviceLink;

/** Link to a part of the console. */
export interface AdviceLink {
  readonly text: string;
  readonly href: string;
}

/** Commands that show what the console shows, too: their tab, and the text of the link. */
const TABS: Readonly<Record<string, readonly [tab: string, text: string]>> = {
  event: ['events', 'the events'], events: ['events', 'the events'], describe: ['', 'the overview'], status: ['', 'the overview'],
};

/** Commands that show the log. */
const LOGS: readonly string[] = ['log', 'logs'];

/** Commands that are buttons of the console. */
const BUTTONS: Readonly<Record<string, string>> = { resume: 'Resume', suspend: 'Suspend', rerun: 'Run again', delete: 'Delete' };

/** Command about one application, such as `sparkctl log pi -n default`; backticks are optional. */
const COMMAND = /`?sparkctl (log|logs|event|events|describe|status|resume|suspend|rerun|delete) ([a-z0-9.-]+)(?: -n ([a-z0-9-]+))?`?/g;

/** Context of an advice. */
export interface AdviceContext {
  /** Namespace of commands that do not name one. */
  readonly namespace: string;
  /** Whether the log has an error to see. */
  readonly hasError: boolean;
  /** Whether the user can press the buttons of the console. */
  readonly canChange: boolean;
}

/** Replaces the commands of an advice by links to tabs of the console and names of its buttons. */
export function adviceParts(advice: string, { namespace, hasError, canChange }: AdviceContext): readonly AdvicePart[] {
  const parts: AdvicePart[] = [];
  let from = 0;
  for (const match of advice.matchAll(COMMAND)) {
    const [text, verb = '', name = '', place = namespace] = match;
    if (match.index > from) parts.push(...withCode(advice.slice(from, match.index)));
    from = match.index + text.length;
    const tab = TABS[verb];
    const link = LOGS.includes(verb) ? logLink(place, name, hasError) : tab && { text: tab[1], href: hrefOf(place, name, tab[0]) };
    if (!link) parts.push(...(canChange ? [`press “${BUTTONS[verb]}”`] : ['run ', { code: text.replaceAll('`', '') }]));
    else parts.push({ ...link, text: match.index === 0 ? `see ${link.text}` : link.text });
  }
  if (from < advice.length) parts.push(...withCode(advice.slice(from)));
  return parts;
}

/** Returns a text with the code in it, which is in backticks. A command alone is to be run. */
function withCode(text: string): AdvicePart[] {
  if (/^(?:sparkctl|kubectl) [^;,`]+$/.test(text)) return ['run ', { code: text }];
  return text.split('`').flatMap((part, index): AdvicePart[] => (part === '' ? [] : [index % 2 === 0 ? part : { code: part }]));
}

/** Returns a link to the error in the log of an application, or to its end. */
export function logLink(namespace: string, name: string, hasError: boolean): AdviceLink {
  return hasError
    ? { text: 'the error in the log', href: hrefOf(namespace, name, 'logs', { jump: 'error' }) }
    : { text: 'the end of the log', href: hrefOf(namespace, name, 'logs') };
}

function hrefOf(namespace: string, name: string, tab: string, query: Readonly<Record<string, string>> = {}): string {
  return routeHash({ path: ['applications', namespace, name, ...(tab === '' ? [] : [tab])], query });
}
