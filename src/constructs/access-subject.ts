import { rejectArguments } from '../props/_check';
import { checkArguments, text } from '../props/_prop-types';

/**
 * Subject that gets permissions: a user, a group, or a service account of a program such as
 * Airflow.
 */
export class AccessSubject {
  /**
   * A group, by its name in the cluster's authentication.
   *
   * @param name such as `data-team`, or the id of a group in the cloud
   */
  public static group(name: string): AccessSubject {
    checkArguments('AccessSubject.group', { name }, { name: text });
    return new AccessSubject({ kind: 'Group', apiGroup: RBAC, name });
  }

  /**
   * A user, by the name in the cluster's authentication.
   *
   * @param name such as `jane@example.org`
   */
  public static user(name: string): AccessSubject {
    checkArguments('AccessSubject.user', { name }, { name: text });
    return new AccessSubject({ kind: 'User', apiGroup: RBAC, name });
  }

  /**
   * A service account, for example of Airflow, a pipeline or Argo CD.
   *
   * @param namespace namespace of the service account
   * @param name name of the service account
   */
  public static serviceAccount(namespace: string, name: string): AccessSubject {
    checkArguments('AccessSubject.serviceAccount', { namespace, name }, { namespace: text, name: text });
    return new AccessSubject({ kind: 'ServiceAccount', name, namespace });
  }

  private constructor(
    private readonly subject: { readonly kind: string; readonly name: string; readonly apiGroup?: string; readonly namespace?: string },
  ) {
    rejectArguments(
      `AccessSubject (${subject.kind})`,
      (['name', 'namespace'] as const).map((path) => (subject[path] === '' ? { path, value: '', reason: 'is empty' } : undefined)),
    );
  }

  /** @internal */
  public _toSubject(): object {
    return this.subject;
  }
}

const RBAC = 'rbac.authorization.k8s.io';
