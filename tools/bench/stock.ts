import { inParallel, type ApiClient } from './api-client.ts';
import { application, applicationName, APPLICATIONS_PATH, type CreatedApplication } from './application.ts';

/** Enough for the API server to be busy without a queue in front of it. */
const CREATORS = 8;

/** One that was created by this process. */
export interface StockApplication extends CreatedApplication {
  /** When the creation was answered, by `performance.now()`. */
  readonly at: number;
}

/** Creates applications as fast as the API server takes them. */
export async function createApplications(admin: ApiClient, namespace: string, first: number, count: number): Promise<StockApplication[]> {
  const created: StockApplication[] = [];
  await inParallel(Array.from({ length: count }, (_, index) => applicationName(first + index)), CREATORS, async (name) => {
    const { metadata } = await admin.json('POST', `${APPLICATIONS_PATH}/${namespace}/sparkapplications`, application(namespace, name));
    created.push({ name, uid: metadata.uid, resourceVersion: metadata.resourceVersion, at: performance.now() });
  });
  return created;
}

/**
 * Only what there is counts.
 *
 * @throws Error if fewer of a namespace's applications are SUBMITTED, or have a driver, than were counted
 */
export async function checkSubmitted(admin: ApiClient, namespace: string, counted: number): Promise<void> {
  const applications = await admin.json('GET', `${APPLICATIONS_PATH}/${namespace}/sparkapplications`);
  const pods = await admin.json('GET', `/api/v1/namespaces/${namespace}/pods`);
  const submitted = applications.items.filter((item: any) => item.status?.applicationState?.state === 'SUBMITTED').length;
  if (submitted < counted || pods.items.length < counted) {
    throw new Error(`in ${namespace} only ${submitted} applications are SUBMITTED and ${pods.items.length} drivers exist, although ${counted} were counted`);
  }
}
