import { defineResource } from './kube/resource';
import type { ConfigMap, Pod, Service } from './kubernetes-objects';
import type { SparkApplication } from './spark-application/model';
import { SPARK_APPLICATION } from '../api/spark-application';

/** The kinds that the operator reads and writes. */

export const SPARK_APPLICATIONS = defineResource<SparkApplication>({ ...SPARK_APPLICATION, namespaced: true });
export const PODS = defineResource<Pod>({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true });
export const SERVICES = defineResource<Service>({ group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true });
export const CONFIG_MAPS = defineResource<ConfigMap>({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true });
