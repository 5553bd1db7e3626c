import type { EnvVar } from '../../k8s';
import { References } from './references';

/**
 * List of a container's variables with indexes by name and by reference. Setting many variables
 * takes linear time.
 */
export class VariableList {
  private readonly references: References;
  /** Variables in order; undefined if removed. */
  private readonly variables: (EnvVar | undefined)[] = [];
  /** Indexes of the variables of a name, in order. */
  private readonly places = new Map<string, number[]>();
  /** Number of variables that refer to a name. */
  private readonly referring = new Map<string, number>();

  /** @param names further names to which variables can refer */
  constructor(variables: readonly EnvVar[], names: Iterable<string>) {
    this.references = new References([...variables.map(({ name }) => name), ...names]);
    variables.forEach(variable => this.add(variable));
  }

  /** Returns the names to which a variable refers. */
  public referencesOf(variable: EnvVar): ReadonlySet<string> {
    return this.references.of(variable);
  }

  /** Whether one of the variables refers to a name. */
  public isReferredTo(name: string): boolean {
    return (this.referring.get(name) ?? 0) > 0;
  }

  /** Returns the index of the first variable of a name; -1 if there is none. */
  public firstPlace(name: string): number {
    return this.places.get(name)?.[0] ?? -1;
  }

  /** Returns the index of the last variable of a name; -1 if there is none. */
  public lastPlace(name: string): number {
    return this.places.get(name)?.at(-1) ?? -1;
  }

  /** Returns the last variable of a name, which is the effective one. */
  public last(name: string): EnvVar | undefined {
    return this.variables[this.lastPlace(name)];
  }

  /** Appends a variable. */
  public add(variable: EnvVar): void {
    const places = this.places.get(variable.name) ?? [];
    places.push(this.variables.length);
    this.places.set(variable.name, places);
    this.variables.push(variable);
    this.count(variable, 1);
  }

  /** Removes all variables of a name. */
  public remove(name: string): void {
    for (const place of this.places.get(name) ?? []) {
      this.count(this.variables[place]!, -1);
      this.variables[place] = undefined;
    }
    this.places.delete(name);
  }

  /** Returns the variables. */
  public list(): EnvVar[] {
    return this.variables.filter(variable => variable !== undefined);
  }

  private count(variable: EnvVar, change: 1 | -1): void {
    for (const name of this.references.of(variable)) {
      this.referring.set(name, (this.referring.get(name) ?? 0) + change);
    }
  }
}
