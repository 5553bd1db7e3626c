import { ChangingSpec } from '../props/_changing-spec';
import { seconds } from '../props/_check';
import { completeSpec, workloadSpec } from '../props/_workload-spec';
import { SparkConnectProps, SparkConnectServiceProps } from './spark-connect-props';
import { hasImage } from '../api/connect-server';
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from '../api/labels';
import { SparkConnectService, SparkConnectSpec } from '../api/spark-connect';
import { PodTemplateSpec } from '../k8s';
import { customizeUnchecked } from '../plan/pods/customize';
import { setTemplateProperties } from '../plan/pods/template-properties';
import { setLabels } from '../plan/properties/labels';
import { setLocalDirVolumes } from '../plan/properties/local-dir-properties';
import { ROLES, type Role } from '../plan/properties/role';
import { setSecrets } from '../plan/properties/secret-properties';
import { setFields, setOverriddenFields } from '../plan/properties/set-fields';
import { SparkProperties } from '../plan/properties/spark-conf';

/**
 * Converts props to the specification of an application whose driver is the server, without the
 * profile.
 * @internal
 */
export function serverAsDriver(props: SparkConnectProps): ChangingSpec {
  const { server: { service: _, ...driver } = {}, metadata: __, profile: ___, jobNamespace: ____, strict: _____, ...shared } = props;
  const { suspend: ______, idleTimeToLive: _______, restartPolicy: ________, ...same } = shared;
  return workloadSpec({ ...same, driver });
}

/** A specification, and its Spark properties with the fields that set them. */
interface CompleteConnect {
  readonly spec: SparkConnectSpec;
  readonly properties: SparkProperties;
}

/**
 * Returns the specification to write. A SparkConnect has few fields: the others become Spark
 * properties and parts of pod templates, as the operator makes them for an application.
 * @param own the own specification, with all later changes
 * @internal
 */
export function completeConnect(own: ChangingSpec, props: SparkConnectProps): CompleteConnect {
  const { profile, jobNamespace, server = {} } = props;
  const spec = completeSpec(own, {
    profile: profile?._toSpec(), serviceAccountName: jobNamespace?.serviceAccountName,
    hasImage: (role) => hasImage(role === 'driver' ? 'server' : role, own[role].template),
  });
  const properties = propertiesOf(spec);
  const sparkConf = Object.fromEntries(properties.entries().filter(([key]) => !isField(key, spec)));
  const { driver, executor } = spec;
  return {
    properties,
    spec: {
      sparkVersion: spec.sparkVersion,
      image: spec.image,
      sparkConf: Object.keys(sparkConf).length > 0 ? sparkConf : undefined,
      hadoopConf: spec.hadoopConf,
      server: { cores: driver.cores, memory: driver.memory, template: templateOf('driver', spec, properties), service: serviceOf(server.service) },
      executor: {
        instances: executor.instances, cores: executor.cores, memory: executor.memory, template: templateOf('executor', spec, properties),
      },
      dynamicAllocation: spec.dynamicAllocation,
      suspend: props.suspend,
      restartPolicy: props.restartPolicy?._toConnectPolicy(),
      idleTimeToLiveSeconds: seconds(props.idleTimeToLive),
      sparkUIOptions: spec.sparkUIOptions,
    },
  };
}

function propertiesOf(spec: ChangingSpec): SparkProperties {
  const properties = new SparkProperties();
  setOverriddenFields(properties, spec);
  for (const [key, value] of Object.entries(spec.sparkConf ?? {})) properties.set(key, value, `spec.sparkConf[${key}]`);
  setFields(properties, spec);
  for (const role of ROLES) {
    const { labels, secrets = [], volumeMounts = [] } = spec[role];
    setLabels(properties, role, { ofPod: labels, ofOperator: {} });
    setSecrets(properties, role, secrets);
    setLocalDirVolumes(properties, role, volumeMounts, spec.volumes ?? []);
    setTemplateProperties(properties, { role, spec: spec[role], application: spec, container: CONTAINERS[role] });
  }
  return properties;
}

/** Properties for which a SparkConnect has fields. */
const FIELDS = /^spark\.(((driver|executor)\.(cores|memory)|executor\.instances)$|dynamicAllocation\.|hadoop\.)|^spark\.kubernetes\.authenticate\.\w+\.serviceAccountName$/;

/** Whether a property comes from a field that a SparkConnect has, and not from `sparkConf`. */
function isField(key: string, { sparkConf, driver, executor }: ChangingSpec): boolean {
  if (sparkConf?.[key] !== undefined) return false;
  const ofRole = /^spark\.kubernetes\.(driver|executor)\.container\.image$/.exec(key)?.[1];
  if (ofRole) return { driver, executor }[ofRole]!.image === undefined;
  return key === 'spark.kubernetes.container.image' || FIELDS.test(key);
}

const CONTAINERS: Readonly<Record<Role, string>> = { driver: DRIVER_CONTAINER, executor: EXECUTOR_CONTAINER };

function templateOf(role: Role, application: ChangingSpec, properties: SparkProperties): PodTemplateSpec | undefined {
  const { template, serviceAccount, ...fields } = application[role];
  const { pod } = customizeUnchecked(template ?? {}, {
    role, spec: fields, application, container: CONTAINERS[role], properties, target: 'template',
  });
  // Only the template has a field for the service account; its old name would contradict the new.
  const { serviceAccount: oldName, ...spec } = pod.spec ?? { containers: [] };
  const serviceAccountName = serviceAccount ?? (spec.serviceAccountName || oldName);
  if (!template && pod.spec === undefined && !serviceAccountName) return undefined;
  const named = { ...spec, containers: spec.containers ?? [], ...(serviceAccountName && { serviceAccountName }) };
  return { ...pod, spec: named } as PodTemplateSpec;
}

function serviceOf(service: SparkConnectServiceProps | undefined): SparkConnectService | undefined {
  if (!service) return undefined;
  const { name, type, labels, annotations } = service;
  return { metadata: { name, labels, annotations }, spec: type && { type } };
}
