/**
 * What CPython refuses as a syntax error although its grammar allows it: statements outside of what they need around them, and names that are
 * declared twice or too late. One walk over the tree.
 */
import { Refusal, type Stretch } from "../refusal.ts";
import type { Arguments, Expr, FunctionDef, Import, ImportFrom, Module, Stmt, Try } from "../tree.ts";
import { ExpressionChecker } from "./expressions.ts";
import { checkCases } from "./patterns.ts";
import { GLOBAL, NONLOCAL, Scope } from "./scope.ts";

/** CPython's bound for blocks that an exception or a jump leaves. */
const MAX_BLOCKS = 20;
const FEATURES = new Set([
  "nested_scopes",
  "generators",
  "division",
  "absolute_import",
  "with_statement",
  "print_function",
  "unicode_literals",
  "barry_as_FLUFL",
  "generator_stop",
  "annotations",
]);

export function checkModule(module: Module): void {
  new Checker().module(module);
}

class Checker extends ExpressionChecker {
  /** Of the statements at the beginning of the file. */
  private futures = 0;
  /** `from __future__ import annotations`. */
  private keepsAnnotations = false;

  module({ body }: Module): void {
    this.futures = this.countFutures(body);
    body.forEach((statement, index) => {
      if (index >= this.futures) this.futures = -1;
      this.statement(statement);
    });
    for (const scope of this.scopes) scope.checkNonlocals();
  }

  private countFutures(body: readonly Stmt[]): number {
    let count = 0;
    const [first] = body;
    if (first?.kind === "Expr" && first.value.kind === "Constant" && first.value.type === "str") count++;
    for (let next = body[count]; isFuture(next); next = body[count]) {
      this.keepsAnnotations ||= (next as ImportFrom).names.some(({ name }) => name === "annotations");
      count++;
    }
    return count;
  }

  private statements(body: readonly Stmt[]): void {
    for (const statement of body) this.statement(statement);
  }

  private statement(statement: Stmt): void {
    const { scope } = this;
    switch (statement.kind) {
      case "Expr":
        this.value(statement.value);
        return;
      case "Assign":
        statement.targets.forEach(this.target);
        this.value(statement.value);
        return;
      case "AugAssign":
        this.target(statement.target);
        this.value(statement.value);
        return;
      case "AnnAssign":
        this.annotated(statement);
        return;
      case "Return":
        this.returned(statement);
        return;
      case "If":
        this.if(statement);
        return;
      case "For":
        if (statement.isAsync) this.checkAsync("for", statement);
        this.target(statement.target);
        this.value(statement.iter);
        this.loop(statement);
        return;
      case "While":
        this.value(statement.test);
        this.loop(statement);
        return;
      case "With":
        this.with(statement);
        return;
      case "Try":
        this.try(statement);
        return;
      case "Match":
        this.value(statement.subject);
        checkCases(statement.cases, { bind: (name, at) => scope.set(name, at), value: this.value }, (one) => {
          this.maybe(one.guard);
          this.statements(one.body);
        });
        return;
      case "FunctionDef":
        this.function(statement);
        return;
      case "ClassDef":
        scope.set(statement.name, statement);
        this.values(statement.bases);
        this.keywords(statement.keywords);
        this.values(statement.decorators);
        this.within(new Scope("class", scope), () => this.statements(statement.body));
        return;
      case "Break":
      case "Continue":
        if (scope.loops === 0)
          throw new Refusal(statement.kind === "Break" ? "break_outside" : "continue_outside", statement);
        return;
      case "Raise":
        this.maybe(statement.exc);
        this.maybe(statement.cause);
        return;
      case "Assert":
        this.value(statement.test);
        this.maybe(statement.msg);
        return;
      case "Delete":
        statement.targets.forEach(this.target);
        return;
      case "Global":
      case "Nonlocal":
        for (const name of statement.names)
          scope.declare(name, statement.kind === "Global" ? GLOBAL : NONLOCAL, statement);
        return;
      case "Import":
      case "ImportFrom":
        this.imported(statement);
        return;
      default:
        return;
    }
  }

  // ---- values and names ----

  private annotated({ target, annotation, value, simple }: Extract<Stmt, { kind: "AnnAssign" }>): void {
    if (target.kind !== "Name") this.target(target);
    else if (simple) this.scope.annotate(target.id, target);
    else if (value !== null) this.scope.set(target.id, target);
    else if (target.id === "__debug__") throw new Refusal("target_debug", target);
    this.annotation(annotation);
    this.maybe(value);
  }

  /** Annotations that are kept as they are have names of their own. */
  private annotation(annotation: Expr | null): void {
    if (annotation === null) return;
    if (!this.keepsAnnotations) this.value(annotation);
    else this.within(new Scope("annotation", this.scope), () => this.value(annotation));
  }

  private imported(statement: Import | ImportFrom): void {
    const { scope } = this;
    if (isFuture(statement)) {
      if (this.futures < 0) throw new Refusal("future_late", statement);
      for (const alias of (statement as ImportFrom).names)
        if (!FEATURES.has(alias.name)) throw new Refusal("future_unknown", alias, { words: { name: alias.name } });
    }
    for (const alias of statement.names) {
      if (alias.name === "*") {
        if (scope.kind !== "module") throw new Refusal("import_star_inside", alias);
        continue;
      }
      const [first = ""] = alias.name.split(".", 1);
      scope.set(alias.asname ?? first, alias);
    }
  }

  private returned({ value, start, end }: Extract<Stmt, { kind: "Return" }>): void {
    const { scope } = this;
    if (!scope.isFunction) throw new Refusal("return_outside", { start, end });
    if (value === null) return;
    scope.returned ??= { start, end };
    this.value(value);
  }

  private checkAsync(word: string, { start }: Stretch): void {
    if (!this.scope.isAsyncFunction)
      throw new Refusal("async_outside", { start, end: start + "async".length }, { words: { word } });
  }

  // ---- blocks ----

  /** Without recursion along `elif`. */
  private if(statement: Extract<Stmt, { kind: "If" }>): void {
    for (let one = statement; ; ) {
      this.value(one.test);
      this.statements(one.body);
      const [next] = one.orelse;
      if (one.orelse.length !== 1 || next?.kind !== "If") {
        this.statements(one.orelse);
        return;
      }
      one = next;
    }
  }

  private loop({ body, orelse }: { readonly body: readonly Stmt[]; readonly orelse: readonly Stmt[] }): void {
    const { scope } = this;
    scope.loops++;
    this.blocks(1, body);
    scope.loops--;
    this.statements(orelse);
  }

  /** A body that lies in `depth` more of the blocks that CPython counts. */
  private blocks(depth: number, body: readonly Stmt[]): void {
    const { scope } = this;
    scope.blocks += depth;
    if (scope.blocks > MAX_BLOCKS) throw new Refusal("blocks_static", body[0] as Stmt);
    this.statements(body);
    scope.blocks -= depth;
  }

  private with({ items, body, isAsync, start, end }: Extract<Stmt, { kind: "With" }>): void {
    if (isAsync) this.checkAsync("with", { start, end });
    for (const { context, target } of items) {
      this.value(context);
      if (target !== null) this.target(target);
    }
    this.blocks(items.length, body);
  }

  private try({ body, handlers, orelse, finalbody }: Try): void {
    const { scope } = this;
    const inFinally = finalbody.length > 0 ? 1 : 0;
    scope.blocks += inFinally;
    this.blocks(handlers.length > 0 ? 1 : 0, body);
    this.statements(orelse);
    for (const handler of handlers) {
      this.maybe(handler.type);
      if (handler.name !== null) scope.set(handler.name, handler);
      this.blocks(2, handler.body);
    }
    scope.blocks -= inFinally;
    this.blocks(inFinally, finalbody);
  }

  private function(statement: FunctionDef): void {
    const { scope } = this;
    const { name, args, body, decorators, returns, isAsync } = statement;
    scope.set(name, statement);
    this.defaults(args);
    this.annotations(args);
    this.annotation(returns);
    this.values(decorators);
    const own = new Scope("function", scope, isAsync);
    this.within(own, () => {
      this.parameters(args);
      this.statements(body);
    });
    if (isAsync && own.yields && own.returned !== null) throw new Refusal("return_in_generator", own.returned);
  }

  private annotations({ posonlyargs, args, vararg, kwonlyargs, kwarg }: Arguments): void {
    for (const group of [posonlyargs, args, kwonlyargs])
      for (const { annotation } of group) this.annotation(annotation);
    for (const parameter of [vararg, kwarg]) this.annotation(parameter?.annotation ?? null);
  }
}

function isFuture(statement: Stmt | undefined): boolean {
  return statement?.kind === "ImportFrom" && statement.module === "__future__";
}
