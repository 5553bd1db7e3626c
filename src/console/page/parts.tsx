import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fullTimeText, shown, stateText, toneOf } from './format';
import { zonedText } from './zone';

/** Renders a state as a word with a coloured mark, amber if the application does not progress. */
export function State({ state, isUrgent = false }: { readonly state: string; readonly isUrgent?: boolean }) {
  const tone = toneOf(state);
  return <span class={`state ${isUrgent && tone !== 'bad' ? 'waiting' : tone}`}><span class="dot" aria-hidden="true" />{shown(stateText(state))}</span>;
}

interface TimeProps {
  readonly at: number;
  /** Zone of a schedule, for the tooltip. @default - only the user's */
  readonly zone?: string;
  readonly children: ComponentChildren;
}

/** Renders a short time, with the full one as a tooltip. */
export function Time({ at, zone, children }: TimeProps) {
  const title = `${fullTimeText(at)}${zone === undefined ? '' : zonedText(at, zone, ' = ')}`;
  return <time dateTime={new Date(at).toISOString()} title={title}>{children}</time>;
}

/** Confirmation before an action. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** Label of the button. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly onYes: () => void;
}

/** Renders the browser's own modal dialog, which keeps the focus and closes with Escape. */
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

/** Renders tabs, each with its own address. */
export function Tabs({ tabs, current, hrefOf, label }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([id, title]) => <a
        key={id} href={hrefOf(id)} class={id === current ? 'tab current' : 'tab'}
        {...(id === current && { 'aria-current': 'page' as const })}
      >{title}</a>)}
    </nav>
  );
}

/** Renders an error. */
export function Trouble({ children }: { readonly children: ComponentChildren }) {
  return <p class="trouble" role="alert">{children}</p>;
}

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  readonly title?: string;
  /** Receives the reason why the browser did not copy. */
  readonly onFail: (reason: string) => void;
}

/** Renders a button that copies a text, and confirms it. */
export function CopyButton({ text, label, title, onFail }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), 2_000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    // Browsers hide it from pages that are served over plain HTTP by another machine.
    if (!('clipboard' in navigator)) return onFail('The browser copies only from pages with HTTPS; select the text instead');
    navigator.clipboard.writeText(text()).then(() => setCopied(true), () => onFail('The browser did not allow to copy'));
  };
  return <button type="button" class="button" title={title} onClick={copy}>{isCopied ? 'Copied' : label}</button>;
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** Renders a checkbox with its label. */
export function Check({ checked, onChange, children }: CheckProps) {
  return <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} /> {children}
  </label>;
}

/** Milliseconds after the last key press when typing counts as finished. */
const PAUSE = 800;

/** Announces a text to screen readers after the user's own action, not after each change. */
export function Announce({ text, when }: { readonly text: string; readonly when: string }) {
  const [announced, setAnnounced] = useState('');
  const latest = useRef(text);
  latest.current = text;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = window.setTimeout(() => setAnnounced(latest.current), PAUSE);
    return () => window.clearTimeout(timer);
  }, [when]);
  return <span class="hidden" role="status">{announced}</span>;
}
