import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { MISSING_VERSION } from '../props/_application-checks';
import { ChangingSpec } from '../props/_changing-spec';
import { wrongSeconds } from '../props/_check';
import { checkedProps, withoutRepetitions } from '../props/_prop-types';
import { rejectConstructs } from '../props/_foreign-constructs';
import { wrongProfile } from '../props/_profile-checks';
import { withPropPath } from '../props/_prop-paths';
import { found, wrongLabelName, wrongName } from '../rules/names';
import { CONNECT_PROP_TYPES } from './_construct-prop-types';
import { completeConnect, serverAsDriver } from './_connect-spec';
import { withNamespace } from './_job-namespace';
import { ApiSparkConnect, type ApiSparkConnectProps, normalizedConnect } from './api-spark-connect';
import { SparkConnectProps } from './spark-connect-props';
import { SparkWorkload } from './spark-workload';
import { SparkConnectSpec } from '../api/spark-connect';
import { CONNECT_PORT } from '../api/connect-server';
import type { Metadata } from '../rules/metadata';
import { moved, type Problem } from '../model/problem';

/**
 * A Spark Connect server: clients of many users run queries on it, each in its own session, on
 * shared executors.
 *
 * The server runs as the service account `spark`, which `SparkOperator` creates in each job
 * namespace, unless `server.serviceAccount` or the server's template sets another. Synthesis
 * rejects mistakes that can be found without a cluster, with the prop, its value and the reason. A
 * cluster can still reject more.
 */
export class SparkConnect extends SparkWorkload {
  /** The custom resource. */
  public readonly resource: ApiSparkConnect;

  /** Name of the Service through which clients reach the server. */
  public readonly serviceName: string;

  /** @internal */
  public readonly _props: SparkConnectProps;

  /** @internal */
  protected readonly _own: ChangingSpec;

  constructor(scope: Construct, id: string, props: SparkConnectProps) {
    super(scope, id);
    rejectConstructs(this, props);
    const { props: valid, problems } = checkedProps(props, CONNECT_PROP_TYPES, this);
    this._props = valid;
    this._own = serverAsDriver(valid);
    const complete = () => completeConnect(this._own, valid);
    this.resource = new Resource(this, {
      metadata: withNamespace(this, valid), spec: Lazy.any({ produce: () => normalizedConnect(complete().spec) }),
    }, withoutRepetitions(problems, wrongProps(valid)), (property) => complete().properties.fieldOf(property));
    this.serviceName = valid.server?.service?.name ?? `${this.resource.name}-server`;
  }

  /** Name of the server's Pod. */
  public get serverPodName(): string {
    return `${this.name}-server`;
  }

  /** @internal */
  public get _sparkVersion(): string | undefined {
    return completeConnect(this._own, this._props).spec.sparkVersion;
  }

  /**
   * Address for clients in the cluster, such as `sc://notebooks-server.team-a:15002`:
   * `SparkSession.builder.remote(…)`.
   */
  public get url(): string {
    const { _namespace: namespace } = this;
    return `sc://${this.serviceName}${namespace === undefined ? '' : `.${namespace}`}:${CONNECT_PORT}`;
  }
}

function wrongProps(props: SparkConnectProps): Problem[] {
  const { server, pods, executor, image, sparkVersion, profile, openLineage } = props;
  return [
    ...(sparkVersion === undefined && profile?._toSpec().sparkVersion === undefined ? [MISSING_VERSION] : []),
    ...found([
      wrongSeconds('idleTimeToLive', props.idleTimeToLive),
      wrongName('server.serviceAccount', server?.serviceAccount),
      wrongLabelName('ui.portName', props.ui?.portName),
    ]),
    ...wrongProfile({ image, pods, driver: server, executor, openLineage }).map((problem) => ({ ...problem, path: problem.path.replace(/^driver\b/, 'server') })),
  ];
}

/** Names of props for fields that only a SparkConnect has. */
const PROPS: readonly (readonly [field: RegExp, prop: string])[] = [
  [/^spec\.server\.service\.(metadata|spec)\b/, 'spec.server.service'],
  [/^spec\.idleTimeToLiveSeconds$/, 'spec.idleTimeToLive'],
];

/** Resource of a SparkConnect, which reports problems with the names of props. */
class Resource extends ApiSparkConnect {
  constructor(
    server: SparkConnect, props: ApiSparkConnectProps, private readonly ofProps: readonly Problem[],
    private readonly fieldOf: (property: string) => string,
  ) {
    super(server, 'Resource', props);
  }

  protected override _violations(metadata: Metadata, spec: SparkConnectSpec): Problem[] {
    return withoutRepetitions(this.ofProps, super._violations(metadata, spec));
  }

  protected override _specViolations(metadata: Metadata, spec: SparkConnectSpec): Problem[] {
    return super._specViolations(metadata, spec).map((problem) => this.inProps(problem));
  }

  private inProps(problem: Problem): Problem {
    const text = (words: string) => words.replace('spec.server.service.metadata.name', 'server.service.name')
      .replace(/\bspec\.(?=server|executor|sparkConf|dynamicAllocation)/g, '');
    const path = PROPS.reduce((field, [pattern, prop]) => field.replace(pattern, prop), problem.path)
      .replace(/^spec\.sparkConf\[([^\]]*)\]$/, (field, key: string) => (this.fieldOf(key) === key ? field : this.fieldOf(key)));
    const inProps = withPropPath({} as never)({ ...moved(problem, text), path });
    return { ...inProps, path: inProps.path.replace(/^driver\b/, 'server') };
  }
}
