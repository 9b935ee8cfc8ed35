/** The walk over a file that notes what each scope binds and reads. */
import type {
  Arguments,
  Comprehension,
  DictComp,
  Expr,
  GeneratorExp,
  ListComp,
  Module,
  Pattern,
  SetComp,
  Stmt,
} from "../../../grammar/python/tree.ts";
import { appendedTo } from "./forms.ts";
import { importedMembers, importedModules } from "./imported-names.ts";
import { FIRST_ITERABLE, type FileImports, moduleOf, Scope, type ScopeKind } from "./scopes.ts";
import { isWrittenSet } from "./set-forms.ts";

/** A node that opens a scope. */
type Opener = object;
export type Scopes = {
  readonly module: Scope;
  readonly of: ReadonlyMap<Opener, Scope>;
  /** What stands at the top of the file. */
  readonly body: readonly Stmt[];
};

/** `imports`: what is a file of the program. */
export function scopesOf(module: Module, imports: FileImports = NO_FILES): Scopes {
  const walk = new Walk(imports);
  const top = new Scope("module", null);
  walk.of.set(module, top);
  walk.statements(module.body, top);
  capture(top);
  return { module: top, of: walk.of, body: module.body };
}

/** Marks what inner functions read of outer ones. */
function capture(scope: Scope): void {
  for (const name of [...scope.reads, ...scope.nonlocals]) {
    const home = scope.home(name);
    if (home === null || home.kind === "module" || home.host === scope.host || home.imports.has(name)) continue;
    const own = home.own(name);
    home.host.cells.add(own);
    for (let at: Scope | null = scope.host; at !== null && at !== home.host; at = at.parent?.host ?? null) {
      if (!at.free.includes(own)) at.free.push(own);
    }
  }
  for (const child of scope.children) capture(child);
}

function isGather(node: Expr): boolean {
  return (node.kind === "Attribute" && node.attr === "gather") || (node.kind === "Name" && node.id === "gather");
}

const NO_FILES: FileImports = new Map();

class Walk {
  readonly of = new Map<Opener, Scope>();
  private readonly imports: FileImports;

  constructor(imports: FileImports) {
    this.imports = imports;
  }

  statements(body: readonly Stmt[], scope: Scope): void {
    for (const statement of body) this.statement(statement, scope);
  }

  private statement(node: Stmt, scope: Scope): void {
    switch (node.kind) {
      case "FunctionDef": {
        this.bind(node.name, scope, node.isAsync ? scope.asyncs : null);
        for (const decorator of node.decorators) this.expression(decorator, scope);
        this.defaults(node.args, scope);
        const inner = this.open(node, "function", scope);
        this.parameters(node.args, inner);
        this.statements(node.body, inner);
        return;
      }
      case "ClassDef":
        scope.bound.add(node.name);
        for (const base of node.bases) this.expression(base, scope);
        return;
      case "Return":
        this.optional(node.value, scope);
        return;
      case "Delete":
        for (const target of node.targets) this.target(target, scope);
        return;
      case "Assign":
        this.expression(node.value, scope);
        for (const target of node.targets) this.assigned(target, node.value, scope);
        return;
      case "AugAssign":
        this.expression(node.value, scope);
        if (node.target.kind === "Name") scope.reads.add(node.target.id);
        this.target(node.target, scope);
        return;
      case "AnnAssign":
        this.optional(node.value, scope);
        this.assigned(node.target, node.value, scope);
        return;
      case "For":
        this.expression(node.iter, scope);
        this.target(node.target, scope);
        this.statements(node.body, scope);
        this.statements(node.orelse, scope);
        return;
      case "While":
      case "If":
        this.expression(node.test, scope);
        this.statements(node.body, scope);
        this.statements(node.orelse, scope);
        return;
      case "With":
        for (const { context, target } of node.items) {
          this.expression(context, scope);
          if (target?.kind === "Name") this.bind(target.id, scope, scope.managed);
          else if (target !== null) this.target(target, scope);
        }
        this.statements(node.body, scope);
        return;
      case "Match":
        this.expression(node.subject, scope);
        for (const { pattern, guard, body } of node.cases) {
          this.pattern(pattern, scope);
          this.optional(guard, scope);
          this.statements(body, scope);
        }
        return;
      case "Raise":
        this.optional(node.exc, scope);
        this.optional(node.cause, scope);
        return;
      case "Try":
        this.statements(node.body, scope);
        for (const { type, name, body } of node.handlers) {
          this.optional(type, scope);
          if (name !== null) scope.bound.add(name);
          this.statements(body, scope);
        }
        this.statements(node.orelse, scope);
        this.statements(node.finalbody, scope);
        return;
      case "Assert":
        this.expression(node.test, scope);
        this.optional(node.msg, scope);
        return;
      case "Import":
        importedModules(node, this.imports, scope);
        return;
      case "ImportFrom":
        importedMembers(node, this.imports, scope, (name, kinds) => this.bind(name, scope, kinds));
        return;
      case "Global":
        for (const name of node.names) {
          scope.globals.add(name);
          moduleOf(scope).bound.add(name);
        }
        return;
      case "Nonlocal":
        for (const name of node.names) scope.nonlocals.add(name);
        return;
      case "Expr":
        this.expression(node.value, scope);
        return;
      case "Pass":
      case "Break":
      case "Continue":
        return;
    }
  }

  private assigned(target: Expr, value: Expr | null, scope: Scope): void {
    const kinds = target.kind === "Name" && value !== null ? kindsOf(value, scope) : null;
    if (target.kind === "Name" && kinds !== null) this.bind(target.id, scope, kinds);
    else this.target(target, scope);
  }

  private open(node: Opener, kind: ScopeKind, parent: Scope): Scope {
    const scope = new Scope(kind, parent);
    this.of.set(node, scope);
    return scope;
  }

  private defaults({ defaults, kw_defaults }: Arguments, scope: Scope): void {
    for (const value of defaults) this.expression(value, scope);
    for (const value of kw_defaults) this.optional(value, scope);
  }

  private parameters({ posonlyargs, args, vararg, kwonlyargs, kwarg }: Arguments, scope: Scope): void {
    for (const { arg } of [...posonlyargs, ...args, ...kwonlyargs]) {
      scope.bound.add(arg);
      scope.params.add(arg);
    }
    if (vararg !== null) scope.bound.add(vararg.arg);
    if (kwarg !== null) scope.bound.add(kwarg.arg);
  }

  /** `kinds`: the names of the scope that are bound in the same way, where that matters. */
  private bind(name: string, scope: Scope, kinds: Set<string> | null = null): void {
    const isSame = kinds === null ? !this.isOfKind(name, scope) : kinds.has(name);
    if (scope.bound.has(name) && !isSame) scope.mixed.add(name);
    if (scope.params.has(name)) scope.rebound.add(name);
    scope.bound.add(name);
    kinds?.add(name);
  }

  private isOfKind(name: string, { asyncs, managed, lists, sets }: Scope): boolean {
    return [asyncs, managed, lists, sets].some((kind) => kind.has(name));
  }

  private target(node: Expr, scope: Scope): void {
    if (node.kind === "Name") {
      this.bind(node.id, scope);
      return;
    }
    if (node.kind === "Tuple" || node.kind === "List") {
      for (const item of node.elts) this.target(item, scope);
      return;
    }
    if (node.kind === "Starred") {
      this.target(node.value, scope);
      return;
    }
    this.expression(node, scope);
  }

  private pattern(node: Pattern, scope: Scope): void {
    switch (node.kind) {
      case "MatchValue":
        this.expression(node.value, scope);
        return;
      case "MatchSingleton":
        return;
      case "MatchStar":
        if (node.name !== null) this.bind(node.name, scope);
        return;
      case "MatchMapping":
        for (const key of node.keys) this.expression(key, scope);
        if (node.rest !== null) this.bind(node.rest, scope);
        break;
      case "MatchClass":
        this.expression(node.cls, scope);
        for (const one of node.kwd_patterns) this.pattern(one, scope);
        break;
      case "MatchAs":
        if (node.name !== null) this.bind(node.name, scope);
        if (node.pattern !== null) this.pattern(node.pattern, scope);
        return;
      case "MatchSequence":
      case "MatchOr":
        break;
    }
    for (const one of node.patterns) this.pattern(one, scope);
  }

  private optional(node: Expr | null, scope: Scope): void {
    if (node !== null) this.expression(node, scope);
  }

  private all(nodes: readonly (Expr | null)[], scope: Scope): void {
    for (const node of nodes) if (node !== null) this.expression(node, scope);
  }

  private expression(node: Expr, scope: Scope): void {
    switch (node.kind) {
      case "Name":
        scope.reads.add(node.id);
        scope.times.set(node.id, (scope.times.get(node.id) ?? 0) + 1);
        return;
      case "Constant":
        return;
      case "BoolOp":
        this.all(node.values, scope);
        return;
      case "NamedExpr": {
        this.expression(node.value, scope);
        let home = scope;
        while (home.kind === "comprehension" || home.kind === "generator") home = home.parent as Scope;
        home.bound.add(node.target.id);
        scope.reads.add(node.target.id);
        return;
      }
      case "BinOp":
        this.all([node.left, node.right], scope);
        return;
      case "UnaryOp":
        this.expression(node.operand, scope);
        return;
      case "Lambda": {
        this.defaults(node.args, scope);
        const inner = this.open(node, "function", scope);
        this.parameters(node.args, inner);
        this.expression(node.body, inner);
        return;
      }
      case "IfExp":
        this.all([node.test, node.body, node.orelse], scope);
        return;
      case "Dict":
        this.all(node.keys, scope);
        this.all(node.values, scope);
        return;
      case "Set":
      case "List":
      case "Tuple":
        this.all(node.elts, scope);
        return;
      case "ListComp":
      case "SetComp":
      case "DictComp":
        this.comprehension(node, "comprehension", scope);
        return;
      case "GeneratorExp":
        this.comprehension(node, "generator", scope);
        return;
      case "Await":
        this.expression(node.value, scope);
        return;
      case "Yield":
      case "YieldFrom":
        scope.host.isGenerator = true;
        this.optional(node.value, scope);
        return;
      case "Compare":
        this.expression(node.left, scope);
        this.all(node.comparators, scope);
        return;
      case "Call": {
        const list = appendedTo(node);
        if (list !== null) scope.appended.set(list, (scope.appended.get(list) ?? 0) + 1);
        for (const arg of node.args)
          if (arg.kind === "Starred" && arg.value.kind === "Name" && isGather(node.func))
            scope.gathered.add(arg.value.id);
        this.expression(node.func, scope);
        this.all(node.args, scope);
        for (const { value } of node.keywords) this.expression(value, scope);
        return;
      }
      case "JoinedStr":
        this.all(node.values as readonly Expr[], scope);
        return;
      case "Attribute":
      case "Starred":
        this.expression(node.value, scope);
        return;
      case "Subscript":
        this.all([node.value, node.slice], scope);
        return;
      case "Slice":
        this.all([node.lower, node.upper, node.step], scope);
        return;
      default:
        this.formatted(node, scope);
        return;
    }
  }

  private formatted(node: Expr, scope: Scope): void {
    const { value, spec } = node as unknown as { value: Expr; spec: Expr | null };
    this.expression(value, scope);
    this.optional(spec, scope);
  }

  private comprehension(
    node: ListComp | SetComp | DictComp | GeneratorExp,
    kind: "comprehension" | "generator",
    scope: Scope,
  ): void {
    const inner = new Scope(kind, scope);
    this.of.set(node, inner);
    if (kind === "generator") {
      inner.bound.add(FIRST_ITERABLE);
      inner.isGenerator = true;
    }
    node.generators.forEach((one: Comprehension, at) => {
      this.expression(one.iter, at === 0 ? scope : inner);
      this.target(one.target, inner);
      this.all(one.ifs, inner);
    });
    if (node.kind === "DictComp") this.all([node.key, node.value], inner);
    else this.expression(node.elt, inner);
  }
}

/** The names of the scope that are lists, or sets, when an assignment gives one of these. */
function kindsOf(value: Expr, { lists, sets }: Scope): Set<string> | null {
  if (value.kind === "List" || value.kind === "ListComp") return lists;
  return isWrittenSet(value) ? sets : null;
}
