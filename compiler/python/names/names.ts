/**
 * What a name stands for: a variable, a builtin, a member of a module, an adapter, or nothing, which is refused (python.md § 2). No name is
 * ever a text.
 */
import type { Arguments, Attribute, Call, Expr, Name, Place, Stmt } from "../../../grammar/python/tree.ts";
import { type AdapterCatalog, type AdapterEntry, findAdapter } from "../../catalog.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { type PythonFile, prefixOf } from "../imports/python-file.ts";
import { isHostCall } from "../library/host.ts";
import { builtinInstead } from "../library/instead.ts";
import { BUILTIN_NAMES, isLibraryName, REFUSED_BUILTINS, TESTABLE_TYPES } from "../library/known.ts";
import { PRELUDE_VERBS, preludeFunction } from "../library/prelude.ts";
import type { Lowering } from "../lowering/lowering.ts";
import { call, text, variable } from "../lowering/operands.ts";
import { SAID_BEFORE } from "../refusals.ts";
import { formIn } from "./forms.ts";
import { type Meaning, Modules } from "./modules.ts";
import { NearNames } from "./near-names.ts";
import type { Scopes } from "./scope-walk.ts";
import type { Scope } from "./scopes.ts";
import type { SharedWrites } from "./shared-writes.ts";

/** Names with two underscores that programs may read: of functions and types, of exceptions, and of all values. */
const READABLE: ReadonlySet<string> = new Set(["__name__", "__cause__", "__class__"]);

export class Names {
  readonly modules: Modules;
  readonly writes: SharedWrites;
  /** What its imports of files of the program stand for, and what is wrong with them. */
  readonly file: Pick<PythonFile, "imports" | "faults">;
  readonly scopes: Scopes;
  readonly catalog: AdapterCatalog;
  /** Inputs of a script: what it reads and nothing sets, with the first place. null: the file is not a script. */
  readonly inputs: Map<string, Place> | null;
  /** Names that are called: only there a function of the prelude can be meant where a script has inputs. */
  readonly called = new WeakSet<Expr>();
  /** Comprehensions that show nothing of the order in which they get their values. */
  readonly unordered = new WeakSet<Expr>();
  /** Calls of async functions that are awaited or run, and those that begin when they are gathered. */
  readonly awaited = new WeakSet<Expr>();
  readonly deferred = new WeakSet<Expr>();
  /** By scope, lists of such calls, and the loop that each is made in. */
  readonly gathered = new WeakMap<Scope, Map<string, object | null>>();
  /** Calls of a pool's `map` whose results are all taken at once. */
  readonly taken = new WeakSet<Expr>();
  /** By scope, the pools of threads and how many of their calls run at once. */
  readonly pools = new WeakMap<Scope, Map<string, IrOperand>>();
  /** Names of the file that stand for types in annotations. */
  readonly typeAliases = new Set<string>();
  /** Scopes of functions that lowering makes. */
  readonly added = new WeakMap<Expr | Stmt, Scope>();
  /** What isinstance and patterns take as types. */
  readonly tested = new WeakSet<object>();
  /** Whether any call of an adapter was met. */
  callsAdapters = false;
  private readonly near = new NearNames();
  private fromWeft: ReadonlySet<string> | null = null;
  private fromTime: ReadonlySet<string> | null = null;
  private readonly steps = new WeakMap<Expr, boolean>();
  /** What stands in front of the file's globals in the IR. */
  private readonly prefix: string;

  constructor(file: PythonFile, catalog: AdapterCatalog, inputs: Map<string, Place> | null, writes: SharedWrites) {
    this.modules = new Modules(catalog);
    this.writes = writes;
    this.file = file;
    this.scopes = file.scopes;
    this.catalog = catalog;
    this.inputs = inputs;
    this.prefix = prefixOf(file);
  }

  scopeOf(node: Expr | Stmt): Scope {
    return (this.scopes.of.get(node) ?? this.added.get(node)) as Scope;
  }

  /** Whether an expression names an async function. */
  isAsync(scope: Scope, node: Expr): boolean {
    if (node.kind === "Name") return scope.home(node.id)?.asyncs.has(node.id) === true;
    if (node.kind !== "Attribute") return false;
    const outer = this.meaning(scope, node.value);
    return outer?.kind === "file" && outer.file.code?.scope.asyncs.has(node.attr) === true;
  }

  read(f: Lowering, node: Name): IrOperand {
    const found = f.scope.find(node.id);
    if (!this.called.has(node) && this.isAsync(f.scope, node)) return f.refuse(node, "async_value", { name: node.id });
    const home = f.scope.home(node.id);
    if (home !== null && this.pools.get(home)?.has(node.id) === true) return f.refuse(node, "pool_value");
    switch (found.kind) {
      case "local":
      case "cell":
        return variable(found.name);
      case "global":
        if (this.typeAliases.has(node.id)) return f.refuse(node, "typing_value", { name: node.id });
        return { k: "global", v: this.prefix + found.name };
      default: {
        if (found.kind === "outside" && this.isInput(node)) return { k: "global", v: node.id };
        const meaning = this.meaning(f.scope, node);
        if (meaning?.kind === "lib" && PRELUDE_VERBS.has(meaning.name))
          return f.refuse(node, "verb_value", { name: node.id });
        if (meaning?.kind === "lib" && isHostCall(meaning.name)) return f.refuse(node, "host_value", { name: node.id });
        if (meaning?.kind === "lib") return { k: "lib", v: meaning.name };
        if (meaning?.kind === "unknown") return f.refuse(node, meaning.row, meaning.words);
        if (meaning?.kind === "adapter") return f.refuse(node, "adapter_value", { name: node.id });
        if (meaning?.kind === "global") return { k: "global", v: meaning.name };
        if (meaning?.kind === "module" || meaning?.kind === "file")
          return f.refuse(node, "module_value", { name: node.id });
        return this.typeOf(f, node, meaning?.name ?? "");
      }
    }
  }

  /** Collected, and refused at the end where it is nearly a name that the script sets. */
  private isInput(node: Name): boolean {
    const { inputs } = this;
    const { id } = node;
    if (inputs === null || BUILTIN_NAMES.has(id) || REFUSED_BUILTINS.has(id)) return false;
    if (this.called.has(node) && preludeFunction(id) !== undefined) return false;
    if (!inputs.has(id)) inputs.set(id, node);
    return true;
  }

  attribute(f: Lowering, node: Attribute): IrOperand {
    const meaning = this.meaning(f.scope, node);
    if (meaning === null) {
      if (node.attr.startsWith("__") && !READABLE.has(node.attr)) return f.refuse(node, "dunder", { name: node.attr });
      const outer = this.meaning(f.scope, node.value);
      if (outer?.kind === "lib" && isHostCall(`${outer.name}.${node.attr}`))
        return f.refuse(node, "host_value", {
          name: `${outer.name.slice(outer.name.lastIndexOf(".") + 1)}.${node.attr}`,
        });
      return call("attr", f.expr(node.value), text(node.attr));
    }
    if (!this.called.has(node) && this.isAsync(f.scope, node))
      return f.refuse(node, "async_value", { name: node.attr });
    if (meaning.kind === "lib" && isHostCall(meaning.name)) return f.refuse(node, "host_value", { name: meaning.name });
    if (meaning.kind === "lib") return { k: "lib", v: meaning.name };
    if (meaning.kind === "global") return { k: "global", v: meaning.name };
    if (meaning.kind === "unknown") return f.refuse(node, meaning.row, meaning.words);
    if (meaning.kind === "adapter") return f.refuse(node, "verb_value", { name: `${meaning.entry.name}.${node.attr}` });
    if (meaning.kind === "typing") return this.typeOf(f, node, meaning.name);
    return f.refuse(node, "module_value", { name: node.attr });
  }

  /** A name of typing, which is a type where one is asked for. */
  private typeOf(f: Lowering, node: Name | Attribute, name: string): IrOperand {
    const type = this.tested.has(node) ? TESTABLE_TYPES.get(name) : undefined;
    const written = node.kind === "Name" ? node.id : node.attr;
    return type === undefined ? f.refuse(node, "typing_value", { name: written }) : { k: "lib", v: type };
  }

  /** What a name, or a chain of attributes that begins with one, means, when that is not a variable; null: it is one. */
  meaning(scope: Scope, node: Expr): Meaning | null {
    if (node.kind === "Name") return this.meaningOfName(scope, node.id, this.called.has(node));
    if (node.kind !== "Attribute") return null;
    const outer = this.meaning(scope, node.value);
    if (outer === null) return null;
    if (outer.kind === "module") return this.modules.member(outer.module, node.attr);
    if (outer.kind === "file") return this.modules.fileMember(outer.file, node.attr);
    if (outer.kind === "lib" && isLibraryName(`${outer.name}.${node.attr}`)) {
      // A method of a type is an attribute of the type's value; only what is called on the type itself is a name of its own.
      return null;
    }
    return outer.kind === "adapter" ? outer : null;
  }

  private meaningOfName(scope: Scope, name: string, isCalled = false): Meaning | null {
    const found = scope.find(name);
    if (found.kind === "import") return this.modules.imported(found.imported);
    if (found.kind !== "outside") return null;
    if (BUILTIN_NAMES.has(name)) return { kind: "lib", name };
    if (REFUSED_BUILTINS.has(name)) {
      const instead = builtinInstead(name);
      return instead === undefined
        ? { kind: "unknown", row: "refused_builtin", words: { name } }
        : { kind: "unknown", row: "refused_builtin_instead", words: { name, instead } };
    }
    const entry = findAdapter(this.catalog, name);
    if (entry !== undefined && !isCalled) return { kind: "adapter", entry };
    const own = preludeFunction(name);
    if (own !== undefined) return { kind: "lib", name: own };
    if (entry !== undefined) return { kind: "adapter", entry };
    if (formIn("weft", name) !== null) return { kind: "unknown", row: `${name}_value`, words: {} };
    // An import of all names, which is refused, may define it.
    if (this.scopes.module.imports.has("*")) return { kind: "unknown", row: SAID_BEFORE, words: {} };
    const forgotten = this.modules.forgotten(name, isCalled);
    if (forgotten !== null) return { kind: "unknown", ...forgotten };
    const near = this.near.find(name, scope, isCalled);
    return {
      kind: "unknown",
      row: near === null ? "unknown_name" : "unknown_name_near",
      words: { name, near: near ?? "" },
    };
  }

  /** Sets a name to a value. */
  bind(f: Lowering, name: Name, value: IrOperand): void {
    const { id } = name;
    this.writes.bound(f.scope, id, name);
    const found = this.targetOf(f.scope, id);
    if (found.kind === "global") f.body.add({ do: "set_global", name: found.name, value });
    else f.body.add({ do: "set", name: found.name, value });
  }

  unbind(f: Lowering, id: string): void {
    const found = this.targetOf(f.scope, id);
    f.body.add({ do: found.kind === "global" ? "del_global" : "del", name: found.name });
  }

  /** The same where the name may be unset already. */
  forget(f: Lowering, id: string): void {
    this.bind(f, { kind: "Name", id, start: 0, end: 0, line: 0 }, { k: "null" });
    this.unbind(f, id);
  }

  private targetOf(scope: Scope, id: string): { readonly kind: "local" | "global"; readonly name: string } {
    // A walrus in a comprehension binds a name of the function around it.
    const found = scope.find(id);
    if (found.kind === "local" || found.kind === "cell") return { kind: "local", name: found.name };
    return { kind: "global", name: this.prefix + id };
  }

  /** The variable of a name that is a local which no function captures; null: it is not one. */
  plainLocal(f: Lowering, { id }: Name): string | null {
    const found = f.scope.find(id);
    return found.kind === "local" ? found.name : null;
  }

  /** Each run of a comprehension has variables of its own for functions that capture them. */
  freshCells(f: Lowering): void {
    for (const name of f.scope.bound) {
      const own = f.scope.own(name);
      if (f.scope.host.cells.has(own)) f.body.add({ do: "cell", name: own });
    }
  }

  /** A function value: its code, defaults and what it captures, from here. */
  functionOf(f: Lowering, _node: Place, args: Arguments, label: string): IrOperand {
    const { defaults, kw_defaults, kwonlyargs } = args;
    const named = kw_defaults.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
    const values = f.exprs([...defaults, ...named.map(({ value }) => value)]);
    f.body.uses(label);
    const byName = named.map(({ at }, index): readonly [string, IrOperand] => [
      kwonlyargs[at]?.arg as string,
      values[defaults.length + index] as IrOperand,
    ]);
    return call(
      "function",
      { k: "label", v: label },
      { k: "list", items: values.slice(0, defaults.length) },
      { k: "map", entries: byName },
    );
  }

  bareFunction(_f: Lowering, _node: Place, label: string): IrOperand {
    return call("function", { k: "label", v: label }, { k: "list", items: [] }, { k: "map", entries: [] });
  }

  /** The adapter that a call goes to, with the verb as it is written; null: it goes to none. */
  adapterOf(
    scope: Scope,
    { func }: Pick<Call, "func">,
  ): { readonly entry: AdapterEntry; readonly verb: string } | null {
    if (func.kind !== "Attribute") return null;
    const meaning = this.meaning(scope, func.value);
    if (meaning?.kind !== "adapter" || (func.value.kind === "Attribute" && !this.isModule(scope, func.value.value)))
      return null;
    this.callsAdapters = true;
    return { entry: meaning.entry, verb: func.attr };
  }

  /** `weft` of `weft.http`. */
  private isModule(scope: Scope, node: Expr): boolean {
    return this.meaning(scope, node)?.kind === "module";
  }

  /** Whether an expression becomes steps of its own, and not only an operand. */
  makesSteps(node: Expr): boolean {
    const known = this.steps.get(node);
    if (known !== undefined) return known;
    const found = this.findSteps(node);
    this.steps.set(node, found);
    return found;
  }

  private findSteps(node: Expr): boolean {
    const any = (nodes: readonly (Expr | null)[]): boolean => nodes.some((one) => one !== null && this.makesSteps(one));
    switch (node.kind) {
      case "Name":
      case "Constant":
        return false;
      case "BoolOp":
      case "IfExp":
      case "NamedExpr":
      case "ListComp":
      case "SetComp":
      case "DictComp":
      case "GeneratorExp":
      case "Await":
      case "Yield":
      case "YieldFrom":
        return true;
      case "Compare":
        return node.ops.length > 1 || any([node.left, ...node.comparators]);
      case "BinOp":
        return this.chainMakesSteps(node);
      case "UnaryOp":
        return this.makesSteps(node.operand);
      case "Attribute":
      case "Starred":
        return this.makesSteps(node.value);
      case "Subscript":
        return any([node.value, node.slice]);
      case "Slice":
        return any([node.lower, node.upper, node.step]);
      case "Tuple":
      case "List":
      case "Set":
        return any(node.elts);
      case "Dict":
        return any([...node.keys, ...node.values]);
      case "JoinedStr":
        return node.values.some(
          (part) =>
            part.kind !== "Constant" &&
            (this.makesSteps(part.value) || (part.spec !== null && this.makesSteps(part.spec))),
        );
      case "Lambda":
        return any([...node.args.defaults, ...node.args.kw_defaults]);
      case "Call":
        return this.callMakesSteps(node, any);
    }
  }

  /** A chain of operators is walked, because it may be long. */
  private chainMakesSteps(node: Expr): boolean {
    let at = node;
    let length = 0;
    while (at.kind === "BinOp") {
      if (this.makesSteps(at.right) || ++length >= LONG_CHAIN) return true;
      at = at.left;
    }
    return this.makesSteps(at);
  }

  private mayBeAdapter(node: Expr): boolean {
    if (node.kind === "Attribute") return findAdapter(this.catalog, node.attr) !== undefined;
    if (node.kind !== "Name") return false;
    this.fromWeft ??= new Set(importedNames(this.scopes.module, "weft"));
    return findAdapter(this.catalog, node.id) !== undefined || this.fromWeft.has(node.id);
  }

  /** Any function of the module time may ask the clock. */
  private isOfTime(func: Expr): boolean {
    const named = func.kind === "Attribute" ? func.value : func;
    if (named.kind !== "Name") return false;
    this.fromTime ??= new Set(importedNames(this.scopes.module, "time"));
    return this.fromTime.has(named.id);
  }

  private callMakesSteps(node: Call, any: (nodes: readonly (Expr | null)[]) => boolean): boolean {
    const { func } = node;
    // The map of a pool; no value of Python has such a method.
    if (func.kind === "Attribute" && func.attr === "map") return true;
    // Every call of something written like an adapter counts: scopes are not asked, so that the answer is the same everywhere.
    const isAdapter = func.kind === "Attribute" && this.mayBeAdapter(func.value);
    return (
      isAdapter ||
      HOST_CALLS.has(nameOf(func)) ||
      this.isOfTime(func) ||
      any([func, ...node.args, ...node.keywords.map(({ value }) => value)])
    );
  }
}

/** Names under which the file imports a module, or members of it. */
function importedNames(scope: Scope, from: string): string[] {
  const own = [...scope.imports].flatMap(([name, { module }]) => (module === from ? [name] : []));
  return [...own, ...scope.children.flatMap((child) => importedNames(child, from))];
}

/** Operands are not nested deeper than this by a chain (`expressions.ts`). */
const LONG_CHAIN = 32;

/** Last words of calls that ask the host, and so are steps. */
const HOST_CALLS: ReadonlySet<string> = new Set(
  "parallel now today utcnow iso uuid env uuid4 uuid1 random randint randrange choice choices shuffle sample uniform gauss input".split(
    " ",
  ),
);

function nameOf(node: Expr): string {
  return node.kind === "Name" ? node.id : node.kind === "Attribute" ? node.attr : "";
}
