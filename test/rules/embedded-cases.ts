/* Kubernetes' own types in a specification, and pod templates, which the CRD does not check. */
import { accepted, acceptedPod, onlyAtSynth, refused, refusedPod, type Case } from './case';

const volume = (source: object, name = 'data') => ({ volumes: [{ name, ...source }] });
const sidecar = (fields: object) => ({ sidecars: [{ name: 'proxy', image: 'example.org/proxy:1', ...fields }] });
const probe = (fields: object) => sidecar({ livenessProbe: fields });
const nodeAffinity = (expression: object) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
});

/** Volumes of the common types. */
const VOLUMES: readonly [name: string, source: object][] = [
  ['an empty folder', { emptyDir: {} }],
  ['a folder in memory of a size', { emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
  ['a folder of a size as a number', { emptyDir: { sizeLimit: 1073741824 } }],
  ['a folder of the node', { hostPath: { path: '/mnt/disk1', type: 'DirectoryOrCreate' } }],
  ['a folder of the node of any type', { hostPath: { path: '/mnt/disk1', type: '' } }],
  ['a claim', { persistentVolumeClaim: { claimName: 'data', readOnly: true } }],
  ['a ConfigMap', { configMap: { name: 'conf', defaultMode: 0o644, items: [{ key: 'a', path: 'b', mode: 256 }], optional: true } }],
  ['a Secret', { secret: { secretName: 'key', items: [{ key: 'a', path: 'b' }] } }],
  ['NFS', { nfs: { server: 'nfs.example.org', path: '/export' } }],
  ['a CSI driver', { csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true, volumeAttributes: { secretProviderClass: 'vault' } } }],
  ['the downward API', { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }, { path: 'cpu', resourceFieldRef: { resource: 'limits.cpu', containerName: 'c', divisor: '1m' } }] } }],
  ['sources in one folder', { projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 3600 } }, { secret: { name: 's' } }, { configMap: { name: 'c' } }] } }],
  ['a claim of its own', {
    ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' }, creationTimestamp: null }, spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '100Gi' } } } } },
  }],
  ['an image', { image: { reference: 'example.org/model:1', pullPolicy: 'IfNotPresent' } }],
  ['a disk of a cloud', { awsElasticBlockStore: { volumeID: 'vol-1', fsType: 'ext4' } }],
];

export const EMBEDDED_CASES: readonly Case[] = [
  ...VOLUMES.map(([name, source]) => accepted(`volume: ${name}`, volume(source))),
  refused('spec.volumes[0].emptydir', 'a volume with a typo', volume({ emptydir: {} })),
  refused('spec.volumes[0].persistentVolumeClaim.claim', 'a claim with a typo', volume({ persistentVolumeClaim: { claim: 'data', claimName: 'data' } })),
  refused('spec.volumes[0].persistentVolumeClaim.claimName', 'a claim without a name', volume({ persistentVolumeClaim: {} })),
  refused('spec.volumes[0].emptyDir.sizeLimit', 'a size that is none', volume({ emptyDir: { sizeLimit: '1 GB' } })),
  refused('spec.volumes[0].hostPath.type', 'a folder of an unknown type', volume({ hostPath: { path: '/d', type: 'Folder' } })),
  refused('spec.volumes[0].configMap.defaultMode', 'rights as text', volume({ configMap: { name: 'c', defaultMode: '0644' } })),
  refused('spec.volumes[0].name', 'a volume without a name', { volumes: [{ emptyDir: {} }] }),
  accepted('a volume that is null, which is dropped', volume({ emptyDir: null })),
  refused('spec.volumes[0]', 'null in place of a volume', { volumes: [null] }),
  refused('spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.creationTimestamp', 'a time that is none', volume({ ephemeral: { volumeClaimTemplate: { metadata: { creationTimestamp: 'yesterday' }, spec: {} } } })),
  accepted('two volumes of one name, of which the last counts', { volumes: [{ name: 'a', emptyDir: {} }, { name: 'a', hostPath: { path: '/a' } }] }),

  ...acceptedPod('resources as numbers and text', sidecar({ resources: { requests: { cpu: 0.5, memory: 134217728 }, limits: { 'cpu': 1, 'memory': '128Mi', 'nvidia.com/gpu': '1' } } })),
  ...refusedPod('sidecars[0].resources.limits[memory]', 'memory that is no quantity', sidecar({ resources: { limits: { memory: '1 GB' } } })),
  ...acceptedPod('memory that is null, which is dropped', sidecar({ resources: { limits: { memory: null } } })),
  ...acceptedPod('a port as a number', probe({ httpGet: { path: '/', port: 8080 } })),
  ...acceptedPod('a port as text', probe({ httpGet: { path: '/', port: '8080', scheme: 'HTTPS' }, periodSeconds: 5 })),
  ...acceptedPod('a port by its name', probe({ tcpSocket: { port: 'http' } })),
  ...refusedPod('sidecars[0].livenessProbe.httpGet.port', 'half a port', probe({ httpGet: { port: 80.5 } })),
  ...refusedPod('sidecars[0].livenessProbe.httpGet.port', 'a port that is a truth value', probe({ httpGet: { port: true } })),
  ...refusedPod('sidecars[0].livenessProbe.httpGet.port', 'a port that is too great for a number', probe({ httpGet: { port: 2 ** 31 } })).map(onlyAtSynth),
  ...refusedPod('sidecars[0].livenessProbe.httpGet.port', 'no port', probe({ httpGet: { path: '/' } })),
  ...refusedPod('sidecars[0].livenessProbe.httpGet.scheme', 'a scheme in small letters', probe({ httpGet: { port: 80, scheme: 'http' } })),
  ...refusedPod('sidecars[0].livenesProbe', 'a probe with a typo', sidecar({ livenesProbe: {} })),
  ...refusedPod('sidecars[0].name', 'a container without a name', { sidecars: [{ image: 'example.org/proxy:1' }] }),
  ...refusedPod('sidecars[0].env[1]', 'one variable twice', sidecar({ env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] })),
  ...refusedPod('sidecars[0].ports[1]', 'one port twice', sidecar({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] })),
  ...acceptedPod('one port for two protocols', sidecar({ ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] })),
  ...refusedPod('sidecars[0].volumeMounts[1]', 'two mounts at one place of a sidecar', sidecar({ volumeMounts: [{ name: 'a', mountPath: '/x' }, { name: 'b', mountPath: '/x' }] })),
  ...refusedPod('initContainers[0].imagePullPolicy', 'an unknown policy', { initContainers: [{ name: 'i', imagePullPolicy: 'Sometimes' }] }),
  ...acceptedPod('words that are empty, as Go writes them', { initContainers: [{ name: 'i', image: '', imagePullPolicy: '', terminationMessagePolicy: '', ports: [{ containerPort: 80, protocol: '' }] }] }),

  ...acceptedPod('a variable twice, as the last one counts', { env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }] }),
  ...acceptedPod('variables from elsewhere', {
    env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } }, { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
    envFrom: [{ configMapRef: { name: 'c' } }, { prefix: 'P_', secretRef: { name: 's', optional: true } }],
  }),
  ...refusedPod('env[0].value', 'a variable that is a number', { env: [{ name: 'A', value: 1 }] }),
  ...refusedPod('env[0].name', 'a variable without a name', { env: [{ value: '1' }] }),
  ...refusedPod('env[0].valueFrom.secretKeyRef.key', 'a Secret without a key', { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } }] }),
  ...refusedPod('envFrom[0].configMap', 'variables from a field that there is not', { envFrom: [{ configMap: { name: 'c' } }] }),

  ...acceptedPod('affinity', nodeAffinity({ key: 'zone', operator: 'In', values: ['a', 'b'] })),
  ...refusedPod('affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator', 'an operator that there is not', nodeAffinity({ key: 'zone', operator: 'Is' })),
  ...refusedPod('affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator', 'an empty operator', nodeAffinity({ key: 'zone', operator: '' })),
  ...refusedPod('affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values', 'one value in place of a list', nodeAffinity({ key: 'zone', operator: 'In', values: 'a' })),
  ...refusedPod('affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight', 'a preference without a weight', { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { topologyKey: 'zone' } }] } } }),
  ...acceptedPod('tolerations', { tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }, { key: 'a', operator: '', value: 'b', effect: '', tolerationSeconds: 10_000_000_000 }] }),
  ...refusedPod('tolerations[0].effect', 'an unknown effect', { tolerations: [{ effect: 'Never' }] }),
  ...refusedPod('tolerations[0].tolerationSeconds', 'seconds as text', { tolerations: [{ tolerationSeconds: '60' }] }),
  ...acceptedPod('a group above 2^31', { podSecurityContext: { runAsUser: 185, fsGroup: 4_000_000_000, supplementalGroups: [4_000_000_000], seccompProfile: { type: 'RuntimeDefault' } } }),
  ...refusedPod('podSecurityContext.supplementalGroups[0]', 'a group as text', { podSecurityContext: { supplementalGroups: ['100'] } }),
  ...refusedPod('podSecurityContext.seccompProfile.type', 'an empty type', { podSecurityContext: { seccompProfile: { type: '' } } }),
  ...refusedPod('securityContext.runAsUsr', 'a user with a typo', { securityContext: { runAsUsr: 1 } }),
  ...refusedPod('securityContext.capabilities.drop[0]', 'a capability that is a number', { securityContext: { capabilities: { drop: [1] } } }),
  ...acceptedPod('DNS and hosts', { dnsConfig: { nameservers: ['10.0.0.10'], options: [{ name: 'ndots', value: '2' }] }, hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }] }),
  ...refusedPod('dnsConfig.options[0].value', 'an option as a number', { dnsConfig: { options: [{ name: 'ndots', value: 2 }] } }),
  ...refusedPod('hostAliases[0].ip', 'a host without an address', { hostAliases: [{ hostnames: ['db'] }] }),
  ...acceptedPod('what runs at start and end', { lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { httpGet: { port: 'ui', path: '/stop' } } } }),
  ...refusedPod('lifecycle.preStop.exec.command', 'a command as text', { lifecycle: { preStop: { exec: { command: 'sleep 5' } } } }),
  refused('spec.sparkUIOptions.ingressTLS[0].secret', 'TLS with a typo', { sparkUIOptions: { ingressTLS: [{ secret: 's' }] } }),
  refused('spec.sparkUIOptions.ingressTLS[0].hosts', 'one host in place of a list', { sparkUIOptions: { ingressTLS: [{ hosts: 'example.org' }] } }),

  ...acceptedPod('a template', { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'spark-kubernetes-driver', resources: { limits: { cpu: 1 } } }] } } }),
  ...refusedPod('template', 'a template as text', { template: 'file:///template.yaml' }),
];
