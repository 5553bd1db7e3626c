import { adviceParts } from './advice';
import { sentenceText, shown, toneOf } from './format';
import { routeHash } from './route';
import type { ApplicationDetail } from '../wire';

/** Renders why an application is in its state, and what to do. */
export function Why({ detail: { row, headline, sentence, remedy, hasLog } }: { readonly detail: ApplicationDetail }) {
  const tone = row.attention && toneOf(row.state) !== 'bad' ? 'waiting' : toneOf(row.state);
  const hasLink = hasLog && (row.state === 'FAILED' || row.state === 'FAILING');
  const parts = remedy === undefined ? [] : adviceParts(remedy, row.namespace);
  const isLinked = parts.some((part) => typeof part !== 'string');
  return (
    <section class={`why ${tone}`} aria-label="Why">
      <p><strong>{shown(headline)}</strong> {sentenceText(shown(sentence))}</p>
      {parts.length > 0 && <p class="remedy">{parts.map((part) => (typeof part === 'string'
        ? shown(part)
        : <a key={part.href} href={part.href}>{part.text}</a>))}</p>}
      {hasLink && !isLinked && <p class="remedy"><a
        href={routeHash({ path: ['applications', row.namespace, row.name, 'logs'], query: { jump: 'error' } })}
      >see the error in the log</a></p>}
    </section>
  );
}
