import { adviceParts, logLink, type AdvicePart } from './advice';
import { shown, toneOf } from './format';
import { headlineOf } from './headline';
import type { ApplicationDetail } from '../wire';

/** Renders why an application is in its state, and what to do. */
export function Why({ detail, canChange }: { readonly detail: ApplicationDetail; readonly canChange: boolean }) {
  const { row, remedy, hasLog, hasNoLoggedCause } = detail;
  const { headline, text } = headlineOf(detail);
  const tone = row.attention && toneOf(row.state) !== 'bad' ? 'waiting' : toneOf(row.state);
  const hasLink = hasLog && (row.state === 'FAILED' || row.state === 'FAILING');
  const parts = remedy === undefined ? [] : adviceParts(remedy, { namespace: row.namespace, hasError: !hasNoLoggedCause, canChange });
  const link = logLink(row.namespace, row.name, !hasNoLoggedCause);
  const isLinked = parts.some((part) => typeof part !== 'string' && 'href' in part);
  return (
    <section class={`why ${tone}`} aria-label="Why">
      <p><strong>{shown(headline)}</strong>{text !== undefined && <> <span>{shown(text)}</span></>}</p>
      {parts.length > 0 && <p class="remedy">{parts.map(partView)}</p>}
      {hasLink && !isLinked && <p class="remedy"><a href={link.href} onClick={() => again(link.href)}>see {link.text}</a></p>}
    </section>
  );
}

function partView(part: AdvicePart) {
  if (typeof part === 'string') return shown(part);
  if ('code' in part) return <code key={part.code}>{shown(part.code)}</code>;
  return <a key={part.href} href={part.href} onClick={() => again(part.href)}>{part.text}</a>;
}

/** Follows a link to the current address, for which the browser does nothing. */
function again(href: string): void {
  if (href === location.hash) window.dispatchEvent(new HashChangeEvent('hashchange'));
}
