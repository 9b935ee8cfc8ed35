/** What CPython checks in expressions when it compiles them: `await`, `yield`, `:=` in comprehensions, names of arguments. */
import { boundParts, Refusal } from "../refusal.ts";
import type { Arguments, Comprehension, Expr, Keyword, Lambda } from "../tree.ts";
import { Scope } from "./scope.ts";

type Comprehending = Extract<Expr, { readonly generators: readonly Comprehension[] }>;

export abstract class ExpressionChecker {
  protected scope: Scope = new Scope("module", null);
  /** All scopes with their `nonlocal` names to be found at the end. */
  protected readonly scopes: Scope[] = [this.scope];

  protected within(scope: Scope, check: () => void): void {
    const outer = this.scope;
    this.scopes.push(scope);
    this.scope = scope;
    check();
    this.scope = outer;
  }

  protected readonly value = (expression: Expr): void => {
    switch (expression.kind) {
      case "Constant":
        return;
      case "Name":
        this.scope.use(expression.id);
        return;
      case "Attribute":
      case "Starred":
        this.value(expression.value);
        return;
      case "Call":
        this.value(expression.func);
        this.values(expression.args);
        this.keywords(expression.keywords);
        return;
      case "BinOp":
        this.value(expression.left);
        this.value(expression.right);
        return;
      case "Compare":
        this.value(expression.left);
        this.values(expression.comparators);
        return;
      case "BoolOp":
        this.values(expression.values);
        return;
      case "UnaryOp":
        this.value(expression.operand);
        return;
      case "Subscript":
        this.value(expression.value);
        this.value(expression.slice);
        return;
      case "List":
      case "Tuple":
      case "Set":
        this.values(expression.elts);
        return;
      case "Dict":
        for (const key of expression.keys) if (key !== null) this.value(key);
        this.values(expression.values);
        return;
      case "JoinedStr":
        this.joined(expression);
        return;
      case "IfExp":
        this.value(expression.test);
        this.value(expression.body);
        this.value(expression.orelse);
        return;
      case "Slice":
        this.maybe(expression.lower);
        this.maybe(expression.upper);
        this.maybe(expression.step);
        return;
      case "Lambda":
        this.lambda(expression);
        return;
      case "NamedExpr":
        this.named(expression);
        return;
      case "Await":
        this.await(expression);
        return;
      case "Yield":
        this.yield(expression);
        this.maybe(expression.value);
        return;
      case "YieldFrom":
        if (this.scope.isAsyncFunction) throw new Refusal("yield_from_async", expression);
        this.yield(expression);
        this.value(expression.value);
        return;
      default:
        this.comprehension(expression);
    }
  };

  protected values(expressions: readonly Expr[]): void {
    boundParts(expressions);
    for (const expression of expressions) this.value(expression);
  }

  protected maybe(expression: Expr | null): void {
    if (expression !== null) this.value(expression);
  }

  private joined({ values }: Extract<Expr, { kind: "JoinedStr" }>): void {
    boundParts(values);
    for (const part of values) {
      if (part.kind === "Constant") continue;
      this.value(part.value);
      if (part.spec !== null) this.joined(part.spec);
    }
  }

  protected keywords(keywords: readonly Keyword[]): void {
    boundParts(keywords);
    const seen = keywords.length > 1 ? new Set<string>() : null;
    for (const keyword of keywords) {
      const { arg: name, value } = keyword;
      if (name === "__debug__") throw new Refusal("target_debug", keyword);
      if (name !== null && seen !== null) {
        if (seen.has(name)) throw new Refusal("argument_repeated", keyword, { words: { name } });
        seen.add(name);
      }
      this.value(value);
    }
  }

  // ---- what needs a function around it ----

  private await(expression: Extract<Expr, { kind: "Await" }>): void {
    const { scope } = this;
    if (scope.kind === "annotation") throw new Refusal("annotation_only_names", expression);
    if (!scope.isAsyncFunction && scope.kind !== "comprehension") throw new Refusal("await_outside", expression);
    scope.isCoroutine = true;
    this.value(expression.value);
  }

  private yield(expression: Expr): void {
    const { scope } = this;
    if (scope.kind === "annotation") throw new Refusal("annotation_only_names", expression);
    if (scope.kind === "comprehension") throw new Refusal("yield_in_comprehension", expression);
    if (!scope.isFunction) throw new Refusal("yield_outside", expression);
    scope.yields = true;
  }

  private named({ target, value, start, end }: Extract<Expr, { kind: "NamedExpr" }>): void {
    const { scope } = this;
    const at = { start, end };
    if (scope.kind === "annotation") throw new Refusal("annotation_only_names", at);
    if (scope.inIterable > 0) throw new Refusal("walrus_in_iterable", at);
    if (scope.kind === "comprehension") scope.setFromWithin(target.id, target);
    this.value(value);
    scope.set(target.id, target);
  }

  // ---- functions ----

  private lambda({ args, body }: Lambda): void {
    this.defaults(args);
    this.within(new Scope("lambda", this.scope), () => {
      this.parameters(args);
      this.value(body);
    });
  }

  protected defaults({ defaults, kw_defaults }: Arguments): void {
    this.values(defaults);
    for (const value of kw_defaults) this.maybe(value);
  }

  protected parameters({ posonlyargs, args, vararg, kwonlyargs, kwarg }: Arguments): void {
    for (const group of [posonlyargs, args, kwonlyargs])
      for (const parameter of group) this.scope.parameter(parameter.arg, parameter);
    for (const parameter of [vararg, kwarg]) if (parameter !== null) this.scope.parameter(parameter.arg, parameter);
  }

  // ---- comprehensions ----

  private comprehension(expression: Comprehending): void {
    const { generators } = expression;
    const [first, ...others] = generators as [Comprehension, ...Comprehension[]];
    const { scope: outer } = this;
    this.iterable(first.iter);
    const scope = new Scope("comprehension", outer);
    this.within(scope, () => {
      if (first.isAsync) scope.isCoroutine = true;
      this.loopTarget(first.target);
      this.values(first.ifs);
      for (const { target, iter, ifs, isAsync } of others) {
        if (isAsync) scope.isCoroutine = true;
        this.loopTarget(target);
        this.iterable(iter);
        this.values(ifs);
      }
      if (expression.kind === "DictComp") {
        this.value(expression.value);
        this.value(expression.key);
      } else this.value(expression.elt);
    });
    if (!scope.isCoroutine || expression.kind === "GeneratorExp") return;
    if (!outer.isAsyncFunction && outer.kind !== "comprehension") throw new Refusal("await_outside", expression);
    outer.isCoroutine = true;
  }

  private iterable(expression: Expr): void {
    const { scope } = this;
    scope.inIterable++;
    this.value(expression);
    scope.inIterable--;
  }

  private loopTarget(target: Expr): void {
    const { scope } = this;
    scope.inTarget = true;
    this.target(target);
    scope.inTarget = false;
  }

  // ---- targets ----

  /** What is set or deleted. */
  protected readonly target = (target: Expr): void => {
    switch (target.kind) {
      case "Name":
        this.scope.set(target.id, target);
        return;
      case "Starred":
        this.target(target.value);
        return;
      case "List":
      case "Tuple":
        for (const element of target.elts) this.target(element);
        return;
      case "Attribute":
        if (target.attr === "__debug__") throw new Refusal("target_debug", target);
        this.value(target.value);
        return;
      default:
        this.value(target);
    }
  };
}
