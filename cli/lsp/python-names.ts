/** Where a program of Python names its variables and functions, each with the scope that it is one of, as the compiler finds it; and the adapters' verbs. */
import type { AdapterCatalog, AdapterEntry, VerbEntry } from "../../compiler/catalog.ts";
import { findAdapter, findVerb } from "../../compiler/catalog.ts";
import { scopesOf } from "../../compiler/python/names/scope-walk.ts";
import type { Scope } from "../../compiler/python/names/scopes.ts";
import type {
  Alias,
  Arguments,
  Attribute,
  DictComp,
  ExceptHandler,
  Expr,
  FunctionDef,
  GeneratorExp,
  Keyword,
  Lambda,
  ListComp,
  Module,
  Name,
  Pattern,
  Place,
  SetComp,
  Stmt,
  WithItem,
} from "../../grammar/python/tree.ts";
import { type Source, spanOf } from "../../grammar/text/source.ts";
import type { Span } from "../../grammar/text/span.ts";

export type PythonName = {
  readonly kind: "variable";
  readonly name: string;
  readonly span: Span;
  readonly role: "definition" | "use";
  /** The scope whose variable it is; two names are one variable where these are the same. */
  readonly home: Scope;
  /** Where it is named. */
  readonly scope: Scope;
  /** The function that it is the name of. */
  readonly made?: FunctionDef;
  /** It is also called by this name from elsewhere: the name of a parameter in a call, or of a member in an import. */
  readonly isKnownOutside?: true;
};

/** A name that the file does not set, with the verb after its dot. */
export type OutsideName = { readonly name: string; readonly verb: string | null; readonly span: Span };

export type PythonNames = { readonly names: readonly PythonName[]; readonly outside: readonly OutsideName[] };

export function pythonNames(source: Source, module: Module): PythonNames {
  const walk = new NameWalk(source, module);
  walk.children(module, walk.top);
  const called = walk.keywords;
  const names = walk.names.map((one) =>
    one.home.params.has(one.name) && called.has(one.name) ? { ...one, isKnownOutside: true as const } : one,
  );
  return { names, outside: walk.outside };
}

/** The verb of an adapter that stands at a place. */
export function verbAt(
  catalog: AdapterCatalog,
  { name, verb }: OutsideName,
): { readonly adapter: AdapterEntry; readonly verb: VerbEntry } | null {
  const adapter = findAdapter(catalog, name);
  const found = adapter === undefined || verb === null ? undefined : findVerb(adapter, verb);
  return adapter === undefined || found === undefined ? null : { adapter, verb: found };
}

type Node = Stmt | Expr | Pattern | ExceptHandler | Alias | Keyword | WithItem;

class NameWalk {
  readonly names: PythonName[] = [];
  readonly outside: OutsideName[] = [];
  /** Names of arguments in calls. */
  readonly keywords = new Set<string>();
  readonly top: Scope;
  private readonly source: Source;
  private readonly of: ReadonlyMap<object, Scope>;

  constructor(source: Source, module: Module) {
    const { module: top, of } = scopesOf(module);
    this.source = source;
    this.top = top;
    this.of = of;
  }

  /** `isTarget`: what is named gets a value. */
  children(node: object, scope: Scope, isTarget = false): void {
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) for (const one of child) this.maybe(one, scope, isTarget);
      else this.maybe(child, scope, isTarget);
    }
  }

  private maybe(node: unknown, scope: Scope, isTarget: boolean): void {
    if (typeof node === "object" && node !== null && "kind" in node) this.node(node as Node, scope, isTarget);
  }

  private node(node: Node, scope: Scope, isTarget: boolean): void {
    switch (node.kind) {
      case "Name":
        this.name(node, scope, isTarget);
        break;
      case "FunctionDef":
        this.function(node, scope);
        break;
      case "Lambda":
        this.lambda(node, scope);
        break;
      case "ListComp":
      case "SetComp":
      case "DictComp":
      case "GeneratorExp":
        this.comprehension(node, scope);
        break;
      case "Assign":
        this.maybe(node.value, scope, false);
        for (const target of node.targets) this.maybe(target, scope, true);
        break;
      case "Delete":
        for (const target of node.targets) this.maybe(target, scope, true);
        break;
      case "AugAssign":
      case "AnnAssign":
      case "NamedExpr":
      case "For":
      case "WithItem":
        this.children({ ...node, target: null }, scope);
        this.maybe(node.target, scope, true);
        break;
      case "Tuple":
      case "List":
      case "Starred":
        this.children(node, scope, isTarget);
        break;
      case "Attribute":
        this.attribute(node, scope);
        break;
      case "ClassDef":
        this.within(node, node.name, scope, "definition", node.decorators.at(-1)?.end);
        for (const base of node.bases) this.maybe(base, scope, false);
        break;
      case "Alias":
        this.alias(node, scope);
        break;
      case "Global":
      case "Nonlocal":
        for (const name of node.names) this.within(node, name, scope, "use");
        break;
      default:
        this.others(node, scope);
    }
  }

  private others(node: Node, scope: Scope): void {
    if (node.kind === "ExceptHandler" && node.name !== null)
      this.within(node, node.name, scope, "definition", node.type?.end);
    if ((node.kind === "MatchAs" || node.kind === "MatchStar") && node.name !== null)
      this.add(node.name, node.end - node.name.length, scope, "definition");
    if (node.kind === "MatchMapping" && node.rest !== null) this.within(node, node.rest, scope, "definition");
    if (node.kind === "Keyword" && node.arg !== null) this.keywords.add(node.arg);
    this.children(node, scope);
  }

  private name({ id, start, end }: Name, scope: Scope, isTarget: boolean): void {
    if (scope.home(id) === null) this.outside.push({ name: id, verb: null, span: spanOf(this.source, start, end) });
    else this.add(id, start, scope, isTarget ? "definition" : "use");
  }

  private attribute({ value, attr, start, end }: Attribute, scope: Scope): void {
    const isOutside = value.kind === "Name" && ["outside", "import"].includes(scope.find(value.id).kind);
    if (isOutside) this.outside.push({ name: value.id, verb: attr, span: spanOf(this.source, start, end) });
    this.maybe(value, scope, false);
  }

  private function(node: FunctionDef, scope: Scope): void {
    for (const one of node.decorators) this.maybe(one, scope, false);
    const found = new RegExp(`\\bdef\\s+(?=${node.name}\\b)`, "g");
    found.lastIndex = node.decorators.at(-1)?.end ?? node.start;
    const at = found.exec(this.source.text);
    if (at !== null) this.add(node.name, at.index + at[0].length, scope, "definition", { made: node });
    this.maybe(node.returns, scope, false);
    const inner = this.of.get(node) ?? scope;
    this.parameters(node.args, scope, inner);
    for (const one of node.body) this.maybe(one, inner, false);
  }

  private lambda(node: Lambda, scope: Scope): void {
    const inner = this.of.get(node) ?? scope;
    this.parameters(node.args, scope, inner);
    this.maybe(node.body, inner, false);
  }

  private parameters(args: Arguments, scope: Scope, inner: Scope): void {
    for (const one of [...args.defaults, ...args.kw_defaults]) this.maybe(one, scope, false);
    for (const one of [...args.posonlyargs, ...args.args, args.vararg, ...args.kwonlyargs, args.kwarg]) {
      if (one === null) continue;
      this.maybe(one.annotation, scope, false);
      this.within(one, one.arg, inner, "definition");
    }
  }

  private comprehension(node: ListComp | SetComp | DictComp | GeneratorExp, scope: Scope): void {
    const inner = this.of.get(node) ?? scope;
    for (const [at, { target, iter, ifs }] of node.generators.entries()) {
      this.maybe(iter, at === 0 ? scope : inner, false);
      this.maybe(target, inner, true);
      this.children(ifs, inner);
    }
    this.children({ ...node, generators: [] }, inner);
  }

  private alias({ name, asname, start, end }: Alias, scope: Scope): void {
    if (asname !== null) this.add(asname, end - asname.length, scope, "definition");
    else this.add(name.split(".")[0] as string, start, scope, "definition", { isKnownOutside: true });
  }

  /** The first place in a node where the name stands as a word. */
  private within(node: Place, name: string, scope: Scope, role: PythonName["role"], from = node.start): void {
    const word = new RegExp(`(?<![\\p{L}\\p{Nd}_])${name}(?![\\p{L}\\p{Nd}_])`, "gu");
    word.lastIndex = from;
    const found = word.exec(this.source.text);
    if (found !== null && found.index < node.end) this.add(name, found.index, scope, role);
  }

  private add(
    name: string,
    start: number,
    scope: Scope,
    role: PythonName["role"],
    more: Pick<PythonName, "made" | "isKnownOutside"> = {},
  ): void {
    const home = scope.home(name);
    if (home === null) return;
    this.names.push({
      kind: "variable",
      name,
      span: spanOf(this.source, start, start + name.length),
      role,
      home,
      scope,
      ...more,
    });
  }
}

/** Why a variable cannot have another name; null: it can. */
export function renamingProblem(names: readonly PythonName[], here: PythonName, name: string): string | null {
  const same = names.filter((one) => one.home === here.home && one.name === here.name);
  if (same.some(({ isKnownOutside }) => isKnownOutside === true))
    return `'${here.name}' is also the name of an argument in a call, or of an import`;
  const isMeant = (scope: Scope): boolean =>
    scope.reads.has(name) || scope.bound.has(name) || scope.imports.has(name) || scope.children.some(isMeant);
  if (isMeant(here.home) || same.some(({ scope }) => scope.home(name) !== null))
    return `'${name}' has a meaning there already`;
  return null;
}
