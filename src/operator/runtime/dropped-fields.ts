import { areEqualAsJson } from '../../model/json-equality';
import type { Logger } from '../../kube/logger';

/** Milliseconds after which a write shows again whether the API server drops fields. */
const KNOWN = 5 * 60_000;

/**
 * Fields of a kind's status that the API server drops, because the CRD in the cluster is older, or
 * kubeflow's. The CRD is the same for all objects of the kind.
 */
export class DroppedFields {
  private readonly fields = new Set<string>();
  private until = 0;

  /**
   * @param consequence what does not work without the fields; the rest of a sentence for the log
   */
  constructor(private readonly consequence: string) {}

  /** Returns the names of the known fields. */
  names(now: number): ReadonlySet<string> {
    if (now >= this.until) this.fields.clear();
    return this.fields;
  }

  /**
   * Compares an answer with the sent status. Returns whether it lacks a field for the first time.
   */
  note(sent: object, answered: object | undefined, now: number, logger: Logger): boolean {
    const kept = Object.entries(answered ?? {}).filter(([, value]) => value !== undefined && value !== null).map(([name]) => name);
    const missing = Object.entries(sent)
      .filter(([name, value]) => value !== undefined && !kept.includes(name) && !this.fields.has(name))
      .map(([name]) => name);
    if (missing.length === 0) return false;
    if (this.fields.size === 0) {
      logger.warn({ fields: missing }, "the API server drops fields of the status: the CRD is an older one or kubeflow's, and "
        + `${this.consequence}; apply the CRD of this version`);
    }
    this.until = now + KNOWN;
    for (const name of missing) this.fields.add(name);
    return true;
  }

  /** Whether two statuses are equal for the API server. */
  areEqual(a: object, b: object): boolean {
    return areEqualAsJson(this.kept(a), this.kept(b));
  }

  /** Whether the API server has stored a sent status. It can have dropped further fields of it. */
  isStored(sent: object, seen: object): boolean {
    if (this.fields.size === 0) return this.areEqual(sent, seen);
    return this.areEqual(Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(seen, name))), seen);
  }

  private kept(status: object): object {
    return Object.fromEntries(Object.entries(status).filter(([name]) => !this.fields.has(name)));
  }
}
