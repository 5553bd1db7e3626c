/* An operator, a history server, and what a team runs, in TypeScript; app.py, App.java and main.go beside it synthesize the same manifests. */
import { App, Chart, Duration, Size } from 'cdk8s';
import {
  DynamicAllocation, EventLogStorage, RestartPolicy, SparkApplication, SparkApplicationType, SparkConnect, SparkHistoryServer,
  SparkJobNamespace, SparkOperator, SparkProfile,
} from 'cdk8s-spark-operator';

const app = new App();
const platform = new Chart(app, 'operator');
const operator = new SparkOperator(platform, 'operator', { jobNamespaces: [], replicas: 2, defaultsConfigMapName: 'spark-defaults' });
const team = new SparkJobNamespace(platform, 'team', { name: 'spark-jobs', operator });
const history = new SparkHistoryServer(platform, 'history', {
  namespace: team.name,
  sparkVersion: '4.1.1',
  eventLogs: EventLogStorage.claim('event-logs'),
  nodeSelector: { pool: 'platform' },
  tolerations: [{ key: 'platform', operator: 'Exists' }],
});
history.connectNamespace(team);

// Settings that everything of the team shares.
const base = SparkProfile.of({
  sparkVersion: '4.1.1',
  pods: { env: { TZ: 'UTC' } },
  executor: { cores: 2, memory: Size.gibibytes(4) },
  openLineage: { url: 'http://marquez.lineage:5000' },
});
const batch = base.extend({
  restartPolicy: RestartPolicy.onFailure({ retries: 2, interval: Duration.seconds(30) }),
  timeToLive: Duration.days(1),
});

const jobs = new Chart(app, 'jobs', { namespace: team.name });
const report = new SparkApplication(jobs, 'report', {
  metadata: { name: 'report' },
  profile: batch,
  jobNamespace: team,
  type: SparkApplicationType.PYTHON,
  mainApplicationFile: 's3a://jobs/report.py',
  arguments: ['--day', 'yesterday'],
  sparkConf: { 'spark.sql.shuffle.partitions': '64' },
  driver: { cores: 1, memory: Size.gibibytes(2) },
  dynamicAllocation: DynamicAllocation.between(1, 4),
});
report.mountSecret('warehouse', '/mnt/warehouse');
new SparkConnect(jobs, 'notebooks', { metadata: { name: 'notebooks' }, profile: base, jobNamespace: team });

app.synth();
