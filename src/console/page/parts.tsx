import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { dateTimeText, shown, stateText, toneOf } from './format';

/** A state, as a word beside a mark in its colour. */
export function State({ state }: { readonly state: string }) {
  return <span class={`state ${toneOf(state)}`}><span class="dot" aria-hidden="true" />{shown(stateText(state))}</span>;
}

/** A time, with the whole of it for those who point at it. */
export function Time({ at, children }: { readonly at: number; readonly children: ComponentChildren }) {
  return <time dateTime={new Date(at).toISOString()} title={dateTimeText(at)}>{children}</time>;
}

/** What is asked before something is done that cannot be taken back. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly onYes: () => void;
}

/** Asks, with the browser's own dialog: it keeps the focus, and Escape leaves it. */
export function Confirm({ question, onClose }: { readonly question: Question; readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} class="dialog" aria-labelledby="question" onClose={onClose}>
      <h2 id="question">{question.title}</h2>
      <p>{question.text}</p>
      <div class="buttons">
        <button type="button" class="button" autoFocus onClick={() => ref.current?.close()}>Cancel</button>
        <button
          type="button" class={question.isDangerous ? 'button danger' : 'button primary'}
          onClick={() => {
            question.onYes();
            ref.current?.close();
          }}
        >{question.verb}
        </button>
      </div>
    </dialog>
  );
}

interface TabsProps {
  readonly tabs: readonly (readonly [id: string, title: string])[];
  readonly current: string;
  readonly hrefOf: (id: string) => string;
  readonly label: string;
}

/** Parts of something, each with an address of its own. */
export function Tabs({ tabs, current, hrefOf, label }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([id, title]) => <a key={id} href={hrefOf(id)} class={id === current ? 'tab current' : 'tab'} {...(id === current && { 'aria-current': 'page' as const })}>{title}</a>)}
    </nav>
  );
}

/** Something went wrong. */
export function Trouble({ children }: { readonly children: ComponentChildren }) {
  return <p class="trouble" role="alert">{children}</p>;
}

/** Copies a text, and says that it has. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), 2_000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  return <button type="button" class="button" onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}>{isCopied ? 'Copied' : label}</button>;
}

/** Milliseconds after which somebody who types has come to an end. */
const PAUSE = 800;

/** Tells screen readers something when it is the answer to what they did, and not whenever it changes by itself. */
export function Announce({ text, when }: { readonly text: string; readonly when: string }) {
  const [told, setTold] = useState('');
  const latest = useRef(text);
  latest.current = text;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = window.setTimeout(() => setTold(latest.current), PAUSE);
    return () => window.clearTimeout(timer);
  }, [when]);
  return <span class="hidden" role="status">{told}</span>;
}
