import type { EnvVar } from '../../k8s';
import { References } from './references';

/** Variables of a container while some are set, with what is asked about them at hand: thousands of variables take thousands of steps, not their square. */
export class VariableList {
  private readonly references: References;
  /** In their order; undefined: removed. */
  private readonly variables: (EnvVar | undefined)[] = [];
  /** Where those of a name are, in their order. */
  private readonly places = new Map<string, number[]>();
  /** How many refer to a name. */
  private readonly referring = new Map<string, number>();

  /** @param names all that could be referred to, besides those of the variables */
  constructor(variables: readonly EnvVar[], names: Iterable<string>) {
    this.references = new References([...variables.map(({ name }) => name), ...names]);
    variables.forEach(variable => this.add(variable));
  }

  /** The names that a variable refers to. */
  public referencesOf(variable: EnvVar): ReadonlySet<string> {
    return this.references.of(variable);
  }

  /** Whether one of the variables refers to this one. */
  public isReferredTo(name: string): boolean {
    return (this.referring.get(name) ?? 0) > 0;
  }

  /** The place of the first one of a name; -1 if there is none. */
  public firstPlace(name: string): number {
    return this.places.get(name)?.[0] ?? -1;
  }

  /** The place of the last one of a name; -1 if there is none. */
  public lastPlace(name: string): number {
    return this.places.get(name)?.at(-1) ?? -1;
  }

  /** The last one of a name, which is the one that counts. */
  public last(name: string): EnvVar | undefined {
    return this.variables[this.lastPlace(name)];
  }

  /** Adds one behind the others. */
  public add(variable: EnvVar): void {
    const places = this.places.get(variable.name) ?? [];
    places.push(this.variables.length);
    this.places.set(variable.name, places);
    this.variables.push(variable);
    this.count(variable, 1);
  }

  /** Removes all of a name. */
  public remove(name: string): void {
    for (const place of this.places.get(name) ?? []) {
      this.count(this.variables[place]!, -1);
      this.variables[place] = undefined;
    }
    this.places.delete(name);
  }

  /** The variables that there are. */
  public list(): EnvVar[] {
    return this.variables.filter(variable => variable !== undefined);
  }

  private count(variable: EnvVar, change: 1 | -1): void {
    for (const name of this.references.of(variable)) {
      this.referring.set(name, (this.referring.get(name) ?? 0) + change);
    }
  }
}
