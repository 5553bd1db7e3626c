import type { FeatureStep } from './feature-step';
import type { Volume } from '../../kubernetes-objects';

/** Empty directories for the driver's temporary files (LocalDirsFeatureStep). They keep the order in which they are written. */
export const localDirs: FeatureStep = ({ conf, identity }, { pod, container }) => {
  const configured = conf.list('spark.local.dir');
  const directories = configured.length > 0 ? configured : [identity.localDirectory];
  const inMemory = conf.boolean(['spark.kubernetes.local.dirs.tmpfs'], false);
  const volumes = directories.map((_, index): Volume => ({
    name: `spark-local-dir-${index + 1}`,
    emptyDir: inMemory ? { medium: 'Memory' } : {},
  }));
  return {
    pod: {
      pod: { ...pod, spec: { ...pod.spec, volumes: [...pod.spec.volumes ?? [], ...volumes] } },
      container: {
        ...container,
        env: [...container.env ?? [], { name: 'SPARK_LOCAL_DIRS', value: directories.join(',') }],
        volumeMounts: [
          ...container.volumeMounts ?? [],
          ...directories.map((mountPath, index) => ({ name: volumes[index]!.name, mountPath })),
        ],
      },
    },
  };
};
