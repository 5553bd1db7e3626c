import { KindController, type RuntimeDependencies } from '../../runtime/kind-controller';
import type { PodView } from '../../../model/pod-view';
import type { Store } from '../../../kube/store';
import type { OwnedSettings } from '../../owned/settings';
import { SPARK_CONNECTS } from '../../../model/resources';
import { ConnectObjects } from './connect-objects';
import { connectKeyOf, type SparkConnect, type WholeConnect } from '../../../model/spark-connect';
import { SparkConnectReconciler, type ConnectReconcilerOptions } from './reconciler';
import { newReadings, readPage, SessionWatch } from './session-watch';
import { transform } from './transform';

/** Parts of the controller. */
export interface SparkConnectParts {
  readonly connects: Store<SparkConnect>;
  readonly pods: Store<PodView>;
  /** The kind that watches the pods. */
  readonly podsOf: KindController;
  readonly owned: OwnedSettings;
  /** Returns the options of the reconciler, anew for each term of leadership. */
  readonly reconcilerOptions: () => Omit<ConnectReconcilerOptions, 'client' | 'connects' | 'pods' | 'clock' | 'objects' | 'sessions'>;
}

/** Returns the controller of SparkConnects. */
export function sparkConnects(
  { connects, pods, podsOf, owned, reconcilerOptions }: SparkConnectParts, dependencies: RuntimeDependencies,
): KindController {
  const { client, clock } = dependencies;
  // Shared by all terms.
  const semaphore = newReadings();
  return new KindController({
    name: 'spark-connect',
    watched: [{
      resource: SPARK_CONNECTS,
      store: connects,
      transform: (connect: WholeConnect) => transform(connect, connects.get(connect.metadata)),
    }],
    after: [podsOf],
    startWork: (enqueue) => {
      const sessions = new SessionWatch(clock, enqueue, readPage, semaphore);
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
