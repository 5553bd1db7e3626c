import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Actions, type Action, type Report } from './actions';
import { notAllowed, useAllowed } from './allowed';
import { ACTION_TEXTS, disabledReason, FINAL_STATES, questionOf, withoutOperator } from './application-actions';
import { isUnavailable, pathTo, post, RequestError } from './api';
import { lacksOperator } from './attention';
import { Attempts } from './attempts';
import { Executors, Events, Owned } from './application-parts';
import { Facts } from './facts';
import { shown } from './format';
import { listHash, useKeys, useLoaded, useNow, useRows } from './hooks';
import { Logs } from './logs';
import { missingText } from './missing-rights';
import { CopyButton, State, Tabs, Trouble } from './parts';
import { Pods } from './pods';
import { routeHash, type Route } from './route';
import { keyOf, type Rows } from './rows';
import { Timeline } from './timeline';
import { useUsage } from './usage';
import { Why } from './why';
import type { Permissions, ApplicationDetail, ApplicationRow, Session } from '../wire';

const TABS = [
  ['overview', 'Overview'], ['pods', 'Pods'], ['logs', 'Logs'], ['events', 'Events'], ['objects', 'Objects'], ['spec', 'YAML'],
] as const;

/**
 * Milliseconds after which the details are read again although the row is unchanged: events and
 * pods change on their own.
 */
const REFRESH = 10_000;

/** The same after the end of an application, whose pods can be deleted. */
const REFRESH_AFTER_END = 60_000;

interface ApplicationProps {
  readonly rows: Rows;
  readonly route: Route;
  readonly session: Session;
  readonly report: Report;
}

/** Renders one application. */
export function Application({ rows, route, session, report }: ApplicationProps) {
  useRows(rows);
  const [, namespace = '', name = '', tab = 'overview'] = route.path;
  const now = useNow(1_000);
  const row = rows.applications.get(keyOf({ namespace, name }));
  const isOver = row === undefined || FINAL_STATES.includes(row.state);
  // The row changes when the application changes. The explanation names the operator's absence, as
  // the banner does.
  const again = useMemo(() => ({}), [row, rows.noOperator, Math.floor(now / (isOver ? REFRESH_AFTER_END : REFRESH))]);
  const { value: detail, error, reload } = useLoaded<ApplicationDetail>(pathTo('applications', namespace, name), again);
  const allowed = useAllowed(session.readOnly ? undefined : namespace);
  const hrefOf = (id: string) => routeHash({ path: ['applications', namespace, name, ...(id === 'overview' ? [] : [id])], query: {} });

  useEffect(() => { document.title = `${name} · Spark applications`; }, [name]);
  useKeys((event) => {
    const index = TABS.findIndex(([id]) => id === tab);
    if (event.key === 'Escape') location.hash = listHash();
    else if (event.key === ']') location.hash = hrefOf(TABS[(index + 1) % TABS.length]![0]);
    else if (event.key === '[') location.hash = hrefOf(TABS[(index + TABS.length - 1) % TABS.length]![0]);
    else if (event.key === 'l') location.hash = hrefOf('logs');
  });

  // The row can be there for a moment longer.
  const current = isUnavailable(error) ? undefined : row ?? detail?.row;
  const actions = current ? actionsOf(current, detail?.noDriver === undefined, allowed, session.readOnly) : [];
  const isUnattended = current && lacksOperator(current, { hasOperator: rows.noOperator === '', now });
  const missing = detail && missingText(tab, detail.hidden, namespace);
  const hasTabs = detail !== undefined || !isUnavailable(error);
  return (
    <main class="page scroll" id="main">
      <header class="head">
        <p class="crumbs">
          <a href={listHash()}>Applications</a> / <a href={routeHash({ path: ['applications'], query: { namespace } })}>{namespace}</a>
        </p>
        <div class="head-line">
          <h1>{name}</h1>
          {current && <State state={current.state} />}
          {current?.schedule && <a
            class="dim" href={routeHash({ path: ['schedules', namespace, current.schedule], query: {} })}
          >run of {current.schedule}</a>}
          {current && (
            <Actions
              kind="applications" namespace={namespace} name={name} uid={current.uid} report={report}
              actions={isUnattended ? actions.map(withoutOperator) : actions}
              onDone={(id) => {
                if (id === 'delete') location.hash = listHash();
                else reload();
              }}
            />
          )}
        </div>
      </header>
      {error && <Trouble>{error.status === 404 ? 'There is no such application (any more).' : error.message}</Trouble>}
      {!detail && !error && <p class="dim">Reading the application…</p>}
      {detail && <Why detail={detail} canChange={allowed.change && !session.readOnly} />}
      {hasTabs && <Tabs label="Parts of the application" tabs={TABS} current={tab} hrefOf={hrefOf} />}
      {detail && <Tab
        tab={tab} detail={detail} route={route} now={now} forward={allowed.forward} readOnly={session.readOnly} report={report}
      />}
      {missing !== undefined && <p class="dim">{missing}</p>}
    </main>
  );
}

interface TabProps {
  readonly tab: string;
  readonly detail: ApplicationDetail;
  readonly route: Route;
  readonly now: number;
  readonly forward: boolean;
  readonly readOnly: boolean;
  readonly report: Report;
}

function Tab({ tab, detail, route, now, forward, readOnly, report }: TabProps) {
  const usage = useUsage(detail.row, tab === 'pods' && !FINAL_STATES.includes(detail.row.state), now);
  switch (tab) {
    case 'pods': return <Pods detail={detail} usage={usage} now={now} />;
    case 'logs': return <Logs detail={detail} route={route} report={report} />;
    case 'events': return <Events detail={detail} now={now} />;
    case 'objects': return <Owned detail={detail} now={now} />;
    case 'spec': return <section class="yaml"><CopyButton
      text={() => detail.yaml} label="Copy" onFail={(reason) => report(reason, true)}
    /><pre tabIndex={0} aria-label="The application as YAML">{shown(detail.yaml)}</pre></section>;
    default: return (
      <div class="overview">
        <section>
          <h2>Time</h2>
          <Timeline states={detail.states} attempts={detail.attempts} now={now} />
          <Attempts attempts={detail.attempts} omitted={detail.omittedAttempts} now={now} />
        </section>
        <section><Executors detail={detail} now={now} /></section>
        <section><h2>Facts</h2><Facts detail={detail} now={now} /><WebUis
          detail={detail} forward={forward} readOnly={readOnly} report={report}
        /></section>
      </div>
    );
  }
}

/** Renders a button that opens Spark's web UI, and links to other web UIs. */
function WebUis({ detail, forward, readOnly, report }: Omit<TabProps, 'tab' | 'route' | 'now'>) {
  const path = pathTo('applications', detail.row.namespace, detail.row.name, 'spark-ui');
  const runs = detail.row.state === 'RUNNING' && !detail.isDriverGone && !detail.hasDriverEnded;
  const reason = runs ? notAllowed(forward, readOnly) : 'its driver is not running';
  const open = async () => {
    // The window opens before the answer arrives, because browsers block windows that no click
    // opens.
    const opened = window.open('about:blank', '_blank');
    try {
      const { url } = await post<{ readonly url: string }>(path);
      if (opened) {
        opened.opener = null;
        opened.location.replace(url);
      } else {
        report(`The browser blocked the window; the Spark UI is at ${url}`);
      }
    } catch (error) {
      opened?.close();
      report(error instanceof RequestError ? error.message : String(error), true);
    }
  };
  return (
    <p class="buttons">
      <button
        type="button" class="button" aria-disabled={reason !== undefined} title={reason}
        onClick={() => (reason === undefined ? void open() : report(`Spark UI: ${reason}`, true))}
      >Open the Spark UI
      </button>
      <OutsideLink url={detail.historyServer}>History Server</OutsideLink>
      {detail.sparkUi !== undefined && <OutsideLink url={detail.sparkUi}>{shown(detail.sparkUi)}</OutsideLink>}
    </p>
  );
}

/** Renders a link to another web site; nothing for a URL that is not of HTTP. */
function OutsideLink({ url, children }: { readonly url: string | undefined; readonly children: ComponentChildren }) {
  if (url === undefined || !/^https?:\/\//.test(url)) return null;
  return <a class="button" href={url} target="_blank" rel="noopener noreferrer">{children}</a>;
}

function actionsOf(row: ApplicationRow, hasDriver: boolean, allowed: Permissions, isReadOnly: boolean): readonly Action[] {
  return ([row.suspended ? 'resume' : 'suspend', 'rerun', 'delete'] as const).map((id) => {
    const reason = disabledReason(id, row, allowed, isReadOnly);
    const question = questionOf(id, row, hasDriver, Date.now());
    return { ...ACTION_TEXTS[id], question, ...(reason !== undefined && { disabledReason: reason }) };
  });
}
