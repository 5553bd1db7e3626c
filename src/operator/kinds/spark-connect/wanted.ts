import { LABEL_APP_UID, LABEL_CONNECT_NAME, LABEL_CREATED_BY, LABEL_LAUNCHED_BY, LABEL_SPARK_ROLE } from '../../../api/labels';
import { objectName } from '../../../api/object-name';
import { SparkConnectState } from '../../../api/spark-connect-status';
import { CONNECT_PORT, SERVER_ROLE } from '../../../api/connect-server';
import type { ObjectMeta } from '../../../kube/objects';
import type { HttpRoute, Ingress, Service, ServicePort, StringMap } from '../../../model/kubernetes-objects';
import type { OwnMetadata } from '../../owned/own-metadata';
import { routeOf } from '../../owned/route';
import type { OwnedSettings } from '../../owned/settings';
import { hasWebUI, webUIPort } from '../../../plan/properties/web-ui';
import { ownerReferenceOf, serviceNameOf, stateOf, type SparkConnect } from '../../../model/spark-connect';
import { applicationIdOf } from '../../../model/application-id';
import { startIdOf } from '../../../plan/connect/start';

/** Desired objects other than the server. */
export interface WantedOfConnect {
  /** Service through which clients reach the server. It exists as long as the SparkConnect. */
  readonly service: Service;
  /** Second Service for the web UI, if the user configures one. */
  readonly uiService?: Service;
  readonly route?: Ingress | HttpRoute;
  /** The URL of the web UI, if there is a route. */
  readonly address?: string;
}

/** Returns the desired objects of a SparkConnect in its state, other than the server. Pure. */
export function wantedOf(connect: SparkConnect, settings: OwnedSettings): WantedOfConnect {
  const service = serverService(connect);
  const { spec: { sparkConf, sparkUIOptions: options = {}, suspend } } = connect;
  const targetPort = webUIPort(sparkConf);
  const isDown = suspend === true || stateOf(connect) === SparkConnectState.FAILED || stateOf(connect) === SparkConnectState.SUSPENDED;
  if (isDown || !settings.uiService || !hasWebUI(sparkConf) || targetPort === 0) return { service };
  const { servicePort, servicePortName, serviceType, serviceLabels, serviceAnnotations } = options;
  const isDescribed = [servicePort, servicePortName, serviceType, serviceLabels, serviceAnnotations].some((field) => field !== undefined);
  const port: ServicePort = { name: servicePortName || WEB_UI_PORT_NAME, port: servicePort ?? targetPort, targetPort };
  const uiService: Service | undefined = isDescribed ? {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(connect, uiServiceName(connect), { labels: serviceLabels, annotations: serviceAnnotations }),
    spec: { type: serviceType || 'ClusterIP', selector: serverSelector(connect), ports: [port] },
  } : undefined;
  if (!settings.ingress.urlFormat) return { service, uiService };
  const { name, namespace } = connect.metadata;
  const exposed = {
    name, namespace, appId: applicationIdOf(startIdOf(connect)),
    metadataOf: (object: string, own: OwnMetadata) => metadataOf(connect, object, own),
  };
  const { object, address } = routeOf(exposed, {
    suffix: { ingress: 'connect-ui-ingress', route: 'connect-ui-route' },
    service: uiService ?? {
      ...service, spec: { ...service.spec, ports: service.spec.ports.filter((each) => each.name === WEB_UI_PORT_NAME) },
    },
    urlFormat: settings.ingress.urlFormat,
    annotations: options.ingressAnnotations,
    tls: options.ingressTLS,
  }, settings.ingress);
  return { service, uiService, route: object, address };
}

const WEB_UI_PORT_NAME = 'web-ui';

/**
 * Returns the name of the second Service. The user might have given the usual name to the Service
 * of the server.
 */
function uiServiceName(connect: SparkConnect): string {
  const [name, other] = ['connect-ui-svc', 'connect-web-ui-svc'].map((suffix) => objectName('Service', connect.metadata.name, suffix));
  return name === serviceNameOf(connect) ? other! : name!;
}

/** Returns the Service with the user's settings, and the operator's selector and ports. */
function serverService(connect: SparkConnect): Service {
  const { metadata: { labels, annotations } = {}, spec = {} } = connect.spec.server.service ?? {};
  const { ports = [], selector: _, ...others } = spec;
  const own = portsOf(connect).map((port) => {
    const users = ports.find((each) => each.port === port.port || each.name === port.name);
    return {
      ...port, ...(users?.nodePort !== undefined && { nodePort: users.nodePort }),
      ...(users?.appProtocol !== undefined && { appProtocol: users.appProtocol }),
    };
  });
  const more = ports.filter((port) => !own.some((each) => each.port === port.port || each.name === port.name));
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(connect, serviceNameOf(connect), { labels, annotations }),
    spec: { type: 'ClusterIP', ...others, selector: serverSelector(connect), ports: [...own, ...more] as ServicePort[] },
  };
}

/** Returns the ports of kubeflow/spark-operator's Service; the target ports can differ. */
function portsOf({ spec: { sparkConf } }: SparkConnect): ServicePort[] {
  const target = (key: 'spark.driver.port' | 'spark.driver.blockManager.port', byDefault: number) => {
    const port = Number(sparkConf?.[key] ?? byDefault);
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : byDefault;
  };
  return [
    { name: 'driver-rpc', port: 7078, targetPort: target('spark.driver.port', 7078), appProtocol: 'tcp' },
    { name: 'blockmanager', port: 7079, targetPort: target('spark.driver.blockManager.port', 7079), appProtocol: 'tcp' },
    { name: WEB_UI_PORT_NAME, port: 4040, targetPort: webUIPort(sparkConf) || 4040, appProtocol: 'http' },
    { name: 'spark-connect-server', port: CONNECT_PORT, targetPort: CONNECT_PORT, appProtocol: 'grpc' },
  ];
}

/**
 * Returns the labels of the server, which kubeflow/spark-operator also sets. There is one server at
 * a time.
 */
function serverSelector({ metadata }: SparkConnect): StringMap {
  return { [LABEL_LAUNCHED_BY]: 'true', [LABEL_CONNECT_NAME]: metadata.name, [LABEL_SPARK_ROLE]: SERVER_ROLE };
}

function metadataOf(connect: SparkConnect, name: string, { labels, annotations }: OwnMetadata): ObjectMeta {
  const { metadata } = connect;
  return {
    name,
    namespace: metadata.namespace,
    labels: { ...labels, [LABEL_CONNECT_NAME]: metadata.name, [LABEL_APP_UID]: metadata.uid, [LABEL_CREATED_BY]: 'true' },
    ...(annotations && Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
    ownerReferences: [ownerReferenceOf(connect)],
  };
}
