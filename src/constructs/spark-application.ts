import { Construct } from 'constructs';
import { applicationSpec, completeApplication } from '../props/_application-spec';
import { ChangingSpec } from '../props/_changing-spec';
import { rejectConstructs } from '../props/_foreign-constructs';
import { withoutRepetitions } from '../props/_prop-types';
import { withPropPath } from '../props/_prop-paths';
import { withNamespace } from './_job-namespace';
import { ApiSparkApplication, type ApiSparkApplicationProps, lazily } from './api-spark-application';
import { SparkWorkload } from './spark-workload';
import { SparkApplicationProps } from '../props/spark-application-props';
import { objectName } from '../api/object-name';
import { SparkApplicationSpec } from '../api/spark-application';
import type { Metadata } from '../rules/metadata';
import type { Problem } from '../model/problem';

/**
 * A Spark application: the operator submits it, watches it and reports its state in the resource's
 * status.
 *
 * The driver runs as the service account `spark`, which `SparkOperator` creates in each job
 * namespace, unless `driver.serviceAccount` or the driver's template sets another.
 *
 * Synthesis rejects mistakes that can be found without a cluster. These are violations of the CRD's
 * rules, invalid names and sizes, and combinations with which Spark does not start. Synthesis
 * checks the props with all later additions, and reports all mistakes of an app at once, each with
 * the prop, its value and the reason. Then it writes no file. The operator, quotas, policies and
 * webhooks of a cluster can still reject more.
 */
export class SparkApplication extends SparkWorkload {
  /** The custom resource. */
  public readonly resource: ApiSparkApplication;

  /** @internal */
  public readonly _props: SparkApplicationProps;

  /** @internal */
  protected readonly _own: ChangingSpec;

  constructor(scope: Construct, id: string, props: SparkApplicationProps) {
    super(scope, id);
    rejectConstructs(this, props);
    const { props: valid, spec, found } = applicationSpec(props, this);
    this._props = valid;
    this._own = spec;
    this.resource = new Resource(this, {
      metadata: withNamespace(this, valid), spec: lazily(() => completeApplication(this._own, valid)),
    }, found);
  }

  /** @internal */
  public get _sparkVersion(): string | undefined {
    return completeApplication(this._own, this._props).sparkVersion;
  }

  /** Name of the driver's Pod. */
  public get driverPodName(): string {
    const { driver, sparkConf } = completeApplication(this._own, this._props);
    return driver.podName ?? (sparkConf?.['spark.kubernetes.driver.pod.name'] || `${this.name}-driver`);
  }

  /** Name of the Service of Spark's web UI, which exists while the driver runs. */
  public get uiServiceName(): string {
    return objectName('Service', this.name, 'ui-svc');
  }

  /**
   * Returns the name of the Service of another port of the driver, which exists while the driver
   * runs.
   *
   * @param port One of the ports of `driverIngresses`.
   */
  public driverServiceName(port: number): string {
    if (!this._own.driverIngressOptions?.some(({ servicePort }) => servicePort === port)) {
      throw new Error(`SparkApplication at ${this.node.path}: driverServiceName: port = ${port} has no Service: add it to driverIngresses`);
    }
    return objectName('Service', this.name, `driver-${port}`);
  }
}

/** Resource of a SparkApplication, which reports problems with the names of props. */
class Resource extends ApiSparkApplication {
  constructor(application: SparkApplication, props: ApiSparkApplicationProps, private readonly found: readonly Problem[]) {
    super(application, 'Resource', props);
  }

  protected override _violations(metadata: Metadata, spec: SparkApplicationSpec): Problem[] {
    const ofManifest = super._violations(metadata, spec);
    return withoutRepetitions(this.found, spec ? ofManifest.map(withPropPath(spec)) : ofManifest);
  }
}
