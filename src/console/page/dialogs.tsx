import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestError } from './api';
import { sentenceText, shown } from './format';
import { isToken } from './token';

/** Key that a read-only console does not have. */
const SELECT = 'x';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['j k ↓ ↑', 'next row, previous row'],
  ['Enter', 'open the row'],
  [SELECT, 'select the row, for actions on several'],
  ['Escape', 'back; clear the selection and the filter'],
  ['/', 'filter'],
  ['g g · G', 'first row, last row'],
  ['g a · g s · g m', 'applications, schedules, metrics'],
  ['[ ]', 'previous tab, next tab'],
  ['l', 'logs'],
  ['n N · e', 'in logs: next match, previous match; jump to the error'],
  ['t', 'light or dark'],
  ['?', 'this'],
];

interface HelpProps {
  readonly onClose: () => void;
  readonly version: string;
  readonly isReadOnly: boolean;
}

/** Renders the keyboard shortcuts. */
export function Help({ onClose, version, isReadOnly }: HelpProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} class="dialog" aria-labelledby="keys" onClose={onClose}>
      <h2 id="keys">Keys</h2>
      <dl class="keys">{KEYS.filter(([keys]) => !(isReadOnly && keys === SELECT)).map(([keys, meaning]) => <div key={keys}><dt><kbd>{keys}</kbd></dt><dd>{meaning}</dd></div>)}</dl>
      <p class="dim">cdk8s-spark-operator {version}</p>
      <div class="buttons"><button type="button" class="button" autoFocus onClick={() => ref.current?.close()}>Close</button></div>
    </dialog>
  );
}

/** Renders the reason why nothing can be shown; in a cluster, with a sign-in form. */
export function SignIn({ refusal, onToken }: { readonly refusal: RequestError; readonly onToken: (token: string) => void }) {
  const [token, setToken] = useState('');
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Browsers apply `autofocus` only once for each document, and not after a rejected token.
  useEffect(() => field.current?.focus(), [refusal]);
  return (
    <main class="page sign-in" id="main">
      <h1>Spark applications</h1>
      <p role="alert">{shown(sentenceText(refusal.message))}</p>
      {refusal.asksForToken
        ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const entered = token.trim();
              setWrong(!isToken(entered));
              if (isToken(entered)) onToken(entered);
            }}
          >
            <label>Bearer token <input
              ref={field} type="password" autoComplete="off" value={token} onInput={(event) => setToken(event.currentTarget.value)} required
            /></label>
            {isWrong && <p role="alert">
              This is not a whole bearer token: it has a space, a quote or another character that tokens do not have. Copy it again,
              on one line.
            </p>}
            <button type="submit" class="button primary">Sign in</button>
            <p class="dim">It stays in this tab. <code>kubectl create token NAME -n NAMESPACE</code> makes one for a service account.</p>
          </form>
        )
        : <button type="button" class="button" onClick={() => onToken('')}>Try again</button>}
    </main>
  );
}
