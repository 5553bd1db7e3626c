import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorContext } from './_operator-context';
import { metricsPort } from './_operator-flags';
import type { ProgramNames } from './_operator-names';

/**
 * Name of the Service of a program's metrics.
 * @internal
 */
export function metricsServiceName({ name }: ProgramNames): string {
  return `${name}-metrics`;
}

/**
 * Adds the Services of the metrics. Each replica has its own metrics, so they are headless and do
 * not balance among them.
 * @internal
 */
export function addMetricsServices(scope: Construct, context: OperatorContext): void {
  const port = metricsPort(context.props);
  if (port === undefined) return;
  for (const [id, names] of programs(context)) {
    const { selector } = names;
    new ApiObject(scope, `${id}Metrics`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: metricsServiceName(names), namespace: context.namespace, labels: selector },
      spec: { clusterIP: 'None', selector, ports: [{ name: 'metrics', port, targetPort: 'metrics', protocol: 'TCP' }] },
    });
  }
}

/**
 * Adds the PodMonitors or ServiceMonitors, if the user wants them.
 * @internal
 */
export function addMonitors(scope: Construct, context: OperatorContext): void {
  const { namespace, props: { metrics: { monitor } = {} } } = context;
  if (!monitor || metricsPort(context.props) === undefined) return;
  for (const [id, { monitor: name, selector }] of programs(context)) {
    new ApiObject(scope, `${id}Monitor`, monitor._toManifest(name, namespace, selector, 'metrics'));
  }
}

/** Returns the programs that serve metrics, with a prefix for ids. */
function programs({ names, props: { webhook } }: OperatorContext): [id: string, names: ProgramNames][] {
  return [['', names.operator], ...(webhook?.deployment ? [['Webhook', names.webhook] as [string, ProgramNames]] : [])];
}
