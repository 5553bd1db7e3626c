import { ApiObject, Chart } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';

/** The constructs of an app during one validation. */
class Pass {
  private constructs?: readonly IConstruct[];
  private replaced?: ReadonlyMap<ApiObject, ApiObject>;
  private readonly byClass = new Map<unknown, readonly IConstruct[]>();

  constructor(private readonly root: IConstruct) {}

  public of<T extends IConstruct>(type: abstract new (...args: any) => T): readonly T[] {
    const known = this.byClass.get(type) ?? this.all().filter((construct) => construct instanceof type);
    this.byClass.set(type, known);
    return known as readonly T[];
  }

  public firstOf(object: ApiObject): ApiObject | undefined {
    this.replaced ??= this.findReplaced();
    return this.replaced.get(object);
  }

  private all(): readonly IConstruct[] {
    return (this.constructs ??= this.root.node.findAll());
  }

  /** Returns the objects with the identity of an earlier one of their chart, and that one. */
  private findReplaced(): ReadonlyMap<ApiObject, ApiObject> {
    const firsts = new Map<string, ApiObject>();
    const replaced = new Map<ApiObject, ApiObject>();
    for (const object of this.all()) {
      if (!ApiObject.isApiObject(object) || object.kind === SHARED) continue;
      const identity = identityOf(object);
      const first = firsts.get(identity);
      if (first) replaced.set(object, first);
      else firsts.set(identity, object);
    }
    return replaced;
  }
}

/** Cluster-scoped objects that are equal in all installations. */
const SHARED = 'CustomResourceDefinition';

/** Charts can be for different clusters. */
function identityOf({ chart, apiGroup, kind, metadata }: ApiObject): string {
  return [chart.node.path, apiGroup, kind, metadata.namespace ?? '', metadata.name].join('\n');
}

const PASSES = new WeakMap<IConstruct, Pass>();

/**
 * Makes an app forget what it found when it is validated again. cdk8s validates the root before the
 * other constructs.
 * @internal
 */
export function watchValidations({ node: { root } }: Construct): void {
  if (PASSES.has(root)) return;
  const forget = () => PASSES.set(root, new Pass(root));
  forget();
  root.node.addValidation({
    validate: () => {
      forget();
      return [];
    },
  });
}

/**
 * Returns the constructs of a class in the app, in their order. The list is searched once for each
 * validation of the app.
 * @internal
 */
export function constructsOf<T extends IConstruct>(scope: Construct, type: abstract new (...args: any) => T): readonly T[] {
  return PASSES.get(scope.node.root)?.of(type) ?? [];
}

/**
 * Returns the object that an object would replace: of two with one name in a chart, the second
 * replaces the first.
 * @internal
 */
export function replacedBy(object: ApiObject): ApiObject | undefined {
  return PASSES.get(object.node.root)?.firstOf(object);
}

/**
 * Makes the chart of a construct be applied after that of another one.
 * @internal
 */
export function applyAfter(construct: Construct, other: Construct): void {
  const [chart, before] = [Chart.of(construct), Chart.of(other)];
  if (chart !== before) chart.addDependency(before);
}
