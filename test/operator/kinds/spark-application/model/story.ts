import type { ApiServer, Change } from './api-server';

/** Record of all events, to find the cause of a failure. */
export class Story {
  private readonly lines: string[] = [];
  private reported = 0;

  constructor(private readonly server: ApiServer) {}

  /** Records that something is about to happen. */
  tell(what: unknown): void {
    this.tellChanges();
    this.lines.push(typeof what === 'string' ? what : JSON.stringify(what));
  }

  toString(): string {
    this.tellChanges();
    return this.lines.join('\n');
  }

  private tellChanges(): void {
    for (const change of this.server.log.slice(this.reported)) this.lines.push(`    ${sentence(change)}`);
    this.reported = this.server.log.length;
  }
}

function sentence({ type, plural, object: { metadata, spec, status }, by }: Change): string {
  const what = `${by}: ${type} ${plural} ${metadata.name} (${metadata.uid})`;
  if (plural === 'sparkapplications') {
    const { applicationState, submissionID, submissionAttempts, executionAttempts, driverInfo } = status ?? {};
    return `${what} ${applicationState?.state || 'new'}, submission ${submissionID?.slice(-2)}, attempts ${submissionAttempts}/${executionAttempts}, driver ${driverInfo?.podName}, ${spec.image}${spec.suspend ? ', suspend' : ''}${applicationState?.errorMessage ? `: ${applicationState.errorMessage}` : ''}`;
  }
  if (plural !== 'pods') return what;
  return `${what} ${status.phase}${metadata.deletionTimestamp ? ', being deleted' : ''}, submission ${metadata.labels?.['sparkoperator.k8s.io/submission-id']?.slice(-2)}`;
}
