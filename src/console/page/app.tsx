import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { enter, get, keepToken, RequestError } from './api';
import { Application } from './application';
import { Applications } from './applications';
import { followRows, type Health } from './connection';
import { go, stopClock, useKeys, useRoute, useRows } from './hooks';
import { Help, SignIn } from './dialogs';
import { Metrics } from './metrics';
import { isShownAt, placeOf, type Notice } from './notice';
import type { Route } from './route';
import type { Rows } from './rows';
import { Schedule, Schedules } from './schedules';
import { shown, timeText } from './format';
import { nextTheme, themeNow, useTheme } from './theme';
import type { Session } from '../wire';

const VIEWS = [['applications', 'Applications', 'a'], ['schedules', 'Schedules', 's'], ['metrics', 'Metrics', 'm']] as const;

/** Milliseconds within which the second key of a two-key shortcut must follow. */
const CHORD = 1_200;

/** Milliseconds for which the result of an action is shown. */
const NOTICE_TIME = 6_000;

/** Prefix of the user names of service accounts, before namespace and name. */
const SERVICE_ACCOUNT = /^system:serviceaccount:/;

const HEALTH: Readonly<Record<Health, string>> = {
  connecting: 'Connecting…', live: 'Live', lost: 'Connection lost', refused: 'Signed out',
};

/** Renders the whole page. */
export function App({ rows }: { readonly rows: Rows }) {
  const address = useRoute();
  // Unknown addresses lead to the applications.
  const route: Route = VIEWS.some(([id]) => id === address.path[0]) ? address : { path: [], query: {} };
  const [session, setSession] = useState<Session>();
  const [refusal, setRefusal] = useState<RequestError>();
  const [health, setHealth] = useState<Health>('connecting');
  const [lostAt, setLostAt] = useState<number>();
  const [isHelp, setHelp] = useState(false);
  const [notice, setNotice] = useState<Notice>();
  const [theme, setTheme] = useTheme();
  const [login, setLogin] = useState(0);
  const chordAt = useRef(0);
  useRows(rows);

  const place = placeOf(route.path);
  const report = useCallback((text: string, isBad = false) => setNotice({ text, isBad, place }), [place]);
  useEffect(() => {
    if (!notice) return undefined;
    const timer = window.setTimeout(() => setNotice(undefined), NOTICE_TIME);
    return () => window.clearTimeout(timer);
  }, [notice]);

  useEffect(() => {
    let isCurrent = true;
    let stop = () => {};
    setRefusal(undefined);
    enter().then(() => get<Session>('session')).then((found) => {
      if (!isCurrent) return;
      setSession(found);
      stop = followRows(rows, (next, error, at) => {
        setHealth(next);
        setLostAt(at);
        stopClock(at);
        if (error) setRefusal(error);
      });
    }, (error: unknown) => { if (isCurrent) setRefusal(error instanceof RequestError ? error : new RequestError(0, String(error))); });
    return () => {
      isCurrent = false;
      stop();
    };
  }, [login, rows]);

  const [view = 'applications', , name] = route.path;
  useEffect(() => {
    if (name === undefined) {
      document.title = `${VIEWS.find(([id]) => id === view)?.[1] ?? 'Console'} · Spark`;
    }
  }, [view, name]);

  useKeys((event) => {
    const isChord = Date.now() - chordAt.current < CHORD;
    chordAt.current = 0;
    if (isChord) {
      const target = VIEWS.find(([, , key]) => key === event.key);
      if (target) {
        event.preventDefault();
        go({ path: [target[0]], query: {} });
      } else if (event.key === 'g') {
        document.querySelector('[role=grid], .scroll')?.scrollTo({ top: 0 });
      }
    } else if (event.key === 'g') {
      chordAt.current = Date.now();
    } else if (event.key === '?') {
      setHelp(true);
    } else if (event.key === 't') {
      setTheme(nextTheme(themeNow(theme)));
    }
  });

  if (refusal) {
    return (
      <SignIn
        refusal={refusal}
        onToken={(token) => {
          keepToken(token);
          setLogin((count) => count + 1);
        }}
      />
    );
  }
  if (!session) return <main class="page"><p class="dim">Connecting…</p></main>;
  const cluster = session.namespace === undefined ? session.cluster : `${session.cluster} / ${session.namespace}`;
  const seen = notice && isShownAt(notice, place) ? notice : undefined;
  return (
    <>
      <a
        class="skip" href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#main [tabindex="0"], #main a, #main button')?.focus();
        }}
      >Skip to the content</a>
      <header class="top">
        <span class="brand"><img src="icon.svg" alt="" width={20} height={20} /> Spark <span class="dim">{shown(cluster)}</span></span>
        <nav aria-label="Views">{VIEWS.map(([id, title]) => <a
          key={id} href={`#/${id}`} class={id === view ? 'view current' : 'view'}
          {...(id === view && { 'aria-current': 'page' as const })}
        >{title}</a>)}</nav>
        <span class="spring" />
        {session.readOnly && <span class="tag">read-only</span>}
        {session.user && <span class="dim user" title={shown(session.user)}>{shown(session.user.replace(SERVICE_ACCOUNT, ''))}</span>}
        <span class={`health ${health}`} role="status"><span class="dot" aria-hidden="true" />{HEALTH[health]}
          {lostAt !== undefined && `: no news since ${timeText(lostAt)}; this might be outdated`}</span>
        <button
          type="button" class="icon" onClick={() => setTheme(nextTheme(themeNow(theme)))}
          aria-label={`Switch to ${nextTheme(themeNow(theme))} colours`} title="Light or dark (t)"
        >{themeNow(theme) === 'dark' ? '☀' : '☾'}</button>
        <button type="button" class="icon" onClick={() => setHelp(true)} aria-label="Keys" title="Keys (?)">?</button>
        {session.user && (
          <button
            type="button" class="button"
            onClick={() => {
              keepToken('');
              setLogin((count) => count + 1);
            }}
          >Sign out
          </button>
        )}
      </header>
      {rows.trouble !== '' && <p class="trouble banner" role="alert">The cluster cannot be read: {shown(rows.trouble)}</p>}
      {rows.noOperator !== '' && <p class="banner warning" role="alert">
        <strong>{rows.hasOthers ? 'An operator does not run' : 'No operator runs'}</strong>: {shown(rows.noOperator)}.
        {rows.hasOthers ? ' Its applications' : ' Applications'} do not start, and their states might be outdated.
      </p>}
      {view === 'schedules' ? (name ? <Schedule
        key={place} rows={rows} route={route} session={session} report={report}
      /> : <Schedules rows={rows} route={route} />)
        : view === 'metrics' ? <Metrics rows={rows} route={route} />
          : name ? <Application
            key={place} rows={rows} route={route} session={session} report={report}
          /> : <Applications rows={rows} route={route} session={session} report={report} />}
      <div class={seen ? `toast ${seen.isBad ? 'bad' : ''}` : 'toast gone'} role="status">{seen && shown(seen.text)}</div>
      {isHelp && <Help onClose={() => setHelp(false)} version={session.version} isReadOnly={session.readOnly} />}
    </>
  );
}
