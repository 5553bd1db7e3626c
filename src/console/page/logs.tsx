import { shown } from './format';
import { go } from './hooks';
import { LogView } from './log/log-view';
import type { Report } from './actions';
import type { Route } from './route';
import type { ApplicationDetail, PodRow } from '../wire';

/** Renders the logs of an application: the choice of a pod and a container, and the log. */
export function Logs({ detail, route, report }: { readonly detail: ApplicationDetail; readonly route: Route; readonly report: Report }) {
  const { namespace, name } = detail.row;
  const { pods } = detail;
  const wanted = route.query.pod;
  const found = pods.find((each) => each.name === wanted);
  const pod = found ?? pods[0];
  const choose = (query: Readonly<Record<string, string>>) => go({ path: ['applications', namespace, name, 'logs'], query }, true);
  // Without the permission to list pods, the page reports only that.
  if (!pod) return detail.noDriver === undefined ? null : <p class="dim">There is no log: {shown(detail.noDriver)}.</p>;
  const container = pod.containers.find((each) => each === route.query.container) ?? pod.containers[0];
  return (
    <section class="logs">
      <div class="log-choice">
        <label>Pod{' '}
          <select value={pod.name} onChange={(event) => choose({ pod: event.currentTarget.value })}>
            {pods.map((each) => <option key={each.name} value={each.name}>{podTitle(each)}</option>)}
          </select>
        </label>
        {pod.containers.length > 1 && (
          <label>Container{' '}
            <select value={container} onChange={(event) => choose({ pod: pod.name, container: event.currentTarget.value })}>
              {pod.containers.map((each) => <option key={each} value={each}>{each}</option>)}
            </select>
          </label>
        )}
      </div>
      {wanted !== undefined && !found && <p class="why waiting">
        There is no pod {shown(wanted)} (any more). This is the log of {pod.name}.
      </p>}
      <LogView
        source={{
          namespace, application: name, pod: pod.name, uid: pod.uid, ...(container !== undefined && { container }),
          isAlive: pod.ended === undefined,
        }}
        jumps={route.query.jump === 'error'} report={report} {...(detail.row.reason !== undefined && { cause: detail.row.reason })}
      />
    </section>
  );
}

function podTitle({ name, role, executor, state }: PodRow): string {
  return `${role === 'driver' ? 'Driver' : `Executor ${executor ?? '?'}`} · ${state} · ${name}`;
}
