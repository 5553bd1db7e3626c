import { KindController, type RuntimeDependencies } from '../runtime/kind-controller';
import type { PodView } from '../../model/pod-view';
import type { Store } from '../../kube/store';
import type { OwnedSettings } from '../owned/settings';
import { SPARK_CONNECTS } from '../../model/resources';
import { ConnectObjects } from './connect-objects';
import { connectKeyOf, type SparkConnect, type WholeConnect } from '../../model/spark-connect';
import { SparkConnectReconciler, type ConnectReconcilerOptions } from './reconciler';
import { newReadings, readPage, SessionWatch } from './session-watch';
import { transform } from './transform';

/** What the kind is made of. */
export interface SparkConnectParts {
  readonly connects: Store<SparkConnect>;
  readonly pods: Store<PodView>;
  /** The kind that follows the pods. */
  readonly podsOf: KindController;
  readonly owned: OwnedSettings;
  /** What the reconciler of a term works with, anew for each. */
  readonly reconcilerOptions: () => Omit<ConnectReconcilerOptions, 'client' | 'connects' | 'pods' | 'clock' | 'objects' | 'sessions'>;
}

/** SparkConnects. */
export function sparkConnects({ connects, pods, podsOf, owned, reconcilerOptions }: SparkConnectParts, dependencies: RuntimeDependencies): KindController {
  const { client, clock } = dependencies;
  // For all terms together.
  const turns = newReadings();
  return new KindController({
    name: 'spark-connect',
    watched: [{ resource: SPARK_CONNECTS, store: connects, transform: (connect: WholeConnect) => transform(connect, connects.get(connect.metadata)) }],
    after: [podsOf],
    startWork: (enqueue) => {
      const sessions = new SessionWatch(clock, enqueue, readPage, turns);
      const objects = new ConnectObjects({ client, settings: owned, clock });
      const reconciler = new SparkConnectReconciler({ ...reconcilerOptions(), client, connects, pods, clock, objects, sessions });
      return {
        reconcile: (key, context) => reconciler.reconcile(key, context),
        wakers: [(add) => pods.subscribe(({ object }) => {
          const key = connectKeyOf(object);
          if (key) add(key);
        })],
        end: () => sessions.stop(),
      };
    },
  }, dependencies);
}
