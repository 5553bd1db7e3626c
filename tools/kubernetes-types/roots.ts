/** Types that our kinds embed; the types of their fields follow. */
export const ROOTS: readonly string[] = [
  ...['Affinity', 'Container', 'EnvFromSource', 'EnvVar', 'HostAlias', 'Lifecycle', 'PodDNSConfig', 'PodSecurityContext', 'PodTemplateSpec', 'SecurityContext', 'ServiceSpec', 'Toleration', 'Volume', 'VolumeMount']
    .map((kind) => `io.k8s.api.core.v1.${kind}`),
  'io.k8s.api.networking.v1.IngressTLS',
];
