import { LABEL_APP_NAME, LABEL_SPARK_ROLE } from '../../../api/labels';
import { isObject } from '../../../model/is-object';
import type { OnNote } from '../specification';

type Unchecked = Readonly<Record<string, unknown>>;

/** Object that Apache's operator creates with each driver. */
export interface AccompanyingObject extends Unchecked {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Name and namespace of the application. */
export interface Owner {
  readonly name: string;
  readonly namespace?: string;
}

/** Lists of Services with an object that leads to them. */
const EXPOSED = [
  {
    list: 'driverServiceIngressList', metadata: 'ingressMetadata', spec: 'ingressSpec', apiVersion: 'networking.k8s.io/v1', kind: 'Ingress',
    rule: (name: string, port: unknown) => ({
      http: { paths: [{ path: '/', pathType: 'ImplementationSpecific', backend: { service: { name, port: { number: port } } } }] },
    }),
  },
  {
    list: 'driverHttpRouteList', metadata: 'httpRouteMetadata', spec: 'httpRouteSpec', apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    rule: (name: string, port: unknown) => ({
      matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ group: '', kind: 'Service', name, port }],
    }),
  },
  {
    list: 'driverGrpcRouteList', metadata: 'grpcRouteMetadata', spec: 'grpcRouteSpec', apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GRPCRoute',
    rule: (name: string, port: unknown) => ({ backendRefs: [{ group: '', kind: 'Service', name, port }] }),
  },
] as const;

/** Label with which Apache's operator marks pods of an application. */
const APACHE_APP_NAME = 'spark.operator/spark-app-name';
const APACHE_LABELS = 'spark.operator/';

/**
 * Returns the ConfigMaps, Services, Ingresses and routes that Apache's operator creates for a
 * driver. This operator has no fields for them: they become objects of the user's.
 */
export function accompanyingObjects(spec: Unchecked, owner: Owner, addNote: OnNote): AccompanyingObject[] {
  const configMaps = entriesOf(spec.configMapSpecs).map(({ name, labels, annotations, data }, index) => (
    noted(`spec.configMapSpecs[${index}]`, [{
      apiVersion: 'v1', kind: 'ConfigMap', metadata: metadataOf({ name, labels, annotations }, owner), ...(isObject(data) && { data }),
    }], addNote)
  ));
  const exposed = EXPOSED.flatMap((type) => entriesOf(spec[type.list]).map((entry, index) => {
    const path = `spec.${type.list}[${index}]`;
    const service = isObject(entry.serviceSpec) ? entry.serviceSpec : {};
    const serviceMetadata = metadataOf(entry.serviceMetadata, owner);
    const content = isObject(entry[type.spec]) ? entry[type.spec] as Unchecked : {};
    const [port] = entriesOf(service.ports);
    const rules = Array.isArray(content.rules) && content.rules.length > 0 ? {} : {
      ...(port && { rules: [type.rule(String(serviceMetadata.name), port.port)] }),
    };
    return noted(path, [
      {
        apiVersion: 'v1', kind: 'Service', metadata: serviceMetadata,
        spec: { ...service, selector: selectorOf(service.selector, owner, `${path}.serviceSpec.selector`, addNote) },
      },
      { apiVersion: type.apiVersion, kind: type.kind, metadata: metadataOf(entry[type.metadata], owner), spec: { ...content, ...rules } },
    ], addNote);
  }));
  return [...configMaps, ...exposed].flat();
}

function entriesOf(list: unknown): Unchecked[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function metadataOf(metadata: unknown, { namespace }: Owner): Record<string, unknown> {
  const { name, ...others } = isObject(metadata) ? metadata : {};
  // Apache's operator creates them in the application's namespace, whatever is written.
  const given = Object.fromEntries(Object.entries(others).filter(([key, value]) => key !== 'namespace' && value !== undefined && value !== null));
  return { name, ...(namespace !== undefined && { namespace }), ...given };
}

/** Returns the selector of a Service: by default, that of the driver of an application. */
function selectorOf(selector: unknown, { name }: Owner, path: string, addNote: OnNote): Unchecked {
  if (!isObject(selector) || Object.keys(selector).length === 0) return { [LABEL_APP_NAME]: name, [LABEL_SPARK_ROLE]: 'driver' };
  const labels = Object.entries(selector).map(([key, value]) => [key === APACHE_APP_NAME ? LABEL_APP_NAME : key, value] as const);
  const unknown = labels.filter(([key]) => key.startsWith(APACHE_LABELS)).map(([key]) => key);
  if (unknown.length > 0) {
    addNote('warning', path, `has labels that only Apache's operator sets, ${unknown.join(', ')}: remove them, or set them in spec.driver.labels`);
  }
  return Object.fromEntries(labels);
}

function noted(path: string, objects: AccompanyingObject[], addNote: OnNote): AccompanyingObject[] {
  const names = objects.map(({ kind, metadata }) => `${kind} ${String((metadata as Unchecked).name)}`).join(' and ');
  addNote(
    'warning', path,
    `becomes ${objects.length === 1 ? 'the' : 'a'} ${names} behind the application: nothing deletes ${objects.length === 1 ? 'it' : 'them'} with the application`
      + `${objects.length === 1 ? '' : '; sparkUIOptions and driverIngressOptions have such objects that the operator deletes'}`,
  );
  return objects;
}
