/** Statements as steps. Ways out of a block pass the `finally` blocks around it (`tries.ts`). */
import type {
  Attribute,
  AugAssign,
  ClassDef,
  Expr,
  For,
  FunctionDef,
  If,
  Name,
  Stmt,
  While,
} from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { lastName } from "../doors/annotations.ts";
import { markOf } from "../doors/decorators.ts";
import type { End } from "./body.ts";
import { BINARY } from "./expressions.ts";
import { deferList, refusesAsync } from "./forms/gathering.ts";
import { lowerImport, lowerImportFrom } from "./forms/imports.ts";
import { lowerWith, refusesRetry } from "./forms/retries.ts";
import { isTypeAlias } from "./forms/typing.ts";
import type { Lowerer } from "./lowerer.ts";
import { lowerMatch } from "./matches.ts";
import { call, NONE, text, variable } from "./operands.ts";
import { leave, lowerTry, raiseAgain } from "./tries.ts";
import { warnOfSet } from "./unordered.ts";

export function lowerStatements(f: Lowerer, nodes: readonly Stmt[]): void {
  for (const node of nodes) {
    f.body.statement(node.line);
    f.body.scratch(() => statement(f, node));
  }
}

function statement(f: Lowerer, node: Stmt): void {
  const { body } = f;
  switch (node.kind) {
    case "Expr":
      if (node.value.kind === "Constant") return;
      effect(f, f.expr(node.value));
      return;
    case "Assign": {
      const [target] = node.targets as readonly [Expr];
      deferList(f, node);
      if (node.targets.length === 1 && target.kind === "Name") {
        if (f.scope.kind === "module" && isTypeAlias(f, node.value)) {
          nameType(f, target);
          return;
        }
        f.names.bind(f, target, f.expr(node.value));
        return;
      }
      const value = f.expr(node.value);
      const isOnce = node.targets.length === 1 && !f.names.makesSteps(target);
      const kept = isOnce ? value : body.keep(value);
      for (const one of node.targets) f.assign(one, kept);
      return;
    }
    case "AugAssign":
      augmented(f, node);
      return;
    case "AnnAssign":
      if (node.value === null) return;
      if (node.target.kind === "Name" && lastName(node.annotation) === "TypeAlias") {
        nameType(f, node.target);
        return;
      }
      f.assign(node.target, node.target.kind === "Name" ? f.expr(node.value) : body.keep(f.expr(node.value)));
      return;
    case "Return":
      leave(f, "return", node.value === null ? NONE : f.expr(node.value));
      return;
    case "If":
      lowerIf(f, node);
      return;
    case "For":
      lowerFor(f, node);
      return;
    case "While":
      lowerWhile(f, node);
      return;
    case "Break":
      leave(f, "break", null);
      return;
    case "Continue":
      leave(f, "continue", null);
      return;
    case "Pass":
    case "Global":
    case "Nonlocal":
      return;
    case "Import":
      lowerImport(f, node);
      return;
    case "ImportFrom":
      lowerImportFrom(f, node);
      return;
    case "FunctionDef":
      lowerFunction(f, node);
      return;
    case "ClassDef":
      lowerClass(f, node);
      return;
    case "Delete":
      for (const target of node.targets) remove(f, target);
      return;
    case "Raise":
      lowerRaise(f, node.exc, node.cause, node);
      return;
    case "Assert": {
      const { yes, no } = f.condition(node.test);
      body.open(no);
      const error: IrOperand = { k: "lib", v: "AssertionError" };
      const value = node.msg === null ? error : call("call", error, f.expr(node.msg));
      body.add({ do: "raise", value, cause: null });
      body.take();
      body.open(yes);
      return;
    }
    case "Try":
      lowerTry(f, node);
      return;
    case "Match":
      lowerMatch(f, node);
      return;
    case "With":
      lowerWith(f, node);
      return;
  }
}

/** An expression that is evaluated and not used. A variable alone is still read, because it may be unset. */
function effect(f: Lowerer, value: IrOperand): void {
  if (value.k === "call" || value.k === "global" || (value.k === "var" && !value.v.startsWith("$")))
    f.body.add({ do: "eval", value });
}

export function lowerAssign(f: Lowerer, target: Expr, value: IrOperand): void {
  const { body } = f;
  switch (target.kind) {
    case "Name":
      f.names.bind(f, target, value);
      return;
    case "Subscript": {
      f.names.writes.member(f.scope, target.value, target);
      const kept = f.names.makesSteps(target) ? body.keep(value) : value;
      const [container, key] = f.exprs([target.value, target.slice]) as [IrOperand, IrOperand];
      body.add({ do: "eval", value: call("setitem", kept, container, key) });
      return;
    }
    case "Attribute":
      refuseAttribute(f, target);
      return;
    case "Tuple":
    case "List": {
      const names = target.elts.map(() => body.temporary());
      const star = target.elts.findIndex(({ kind }) => kind === "Starred");
      body.add({ do: "unpack", names, star, value });
      for (const [at, item] of target.elts.entries())
        f.assign(item.kind === "Starred" ? item.value : item, variable(names[at] as string));
      return;
    }
    default:
      f.refuse(target, "bad_target");
  }
}

function augmented(f: Lowerer, { target, op, value }: AugAssign): void {
  const { body } = f;
  const fn = `i${BINARY[op]}`;
  if (target.kind === "Attribute") {
    refuseAttribute(f, target);
    return;
  }
  if (target.kind === "Name") {
    const before = f.names.read(f, target);
    const left =
      f.names.makesSteps(value) || before.k !== "var" || f.names.plainLocal(f, target) === null
        ? body.keep(before)
        : before;
    f.names.bind(f, target, call(fn, left, f.expr(value)));
    return;
  }
  f.names.writes.member(f.scope, target.value, target);
  const container = body.keep(f.expr(target.value));
  const key = body.keep(f.expr(target.slice));
  const before = body.keep(call("item", container, key));
  const after = body.keep(call(fn, before, f.expr(value)));
  body.add({ do: "eval", value: call("setitem", after, container, key) });
}

function lowerIf(f: Lowerer, node: If): void {
  const { body } = f;
  const done: End[] = [];
  let at: If | null = node;
  while (at !== null) {
    const { yes, no } = f.condition(at.test);
    body.open(yes);
    f.statements(at.body);
    done.push(...body.take());
    body.open(no);
    const only: Stmt | undefined = at.orelse[0];
    if (at.orelse.length === 1 && only?.kind === "If") {
      at = only;
      body.statement(only.line);
    } else {
      f.statements(at.orelse);
      at = null;
    }
  }
  body.open(done);
}

function lowerFor(f: Lowerer, node: For): void {
  const { body } = f;
  if (node.isAsync) {
    f.refuse(node, "async_for");
    return;
  }
  const iter = body.temporary();
  warnOfSet(f, node.iter);
  body.add({ do: "set", name: iter, value: call("iter", f.expr(node.iter)) });
  const own = node.target.kind === "Name" ? f.names.plainLocal(f, node.target) : null;
  const name = own ?? body.temporary();
  const head = body.add({ do: "next", iter, name });
  body.take();
  body.open([{ from: head, port: "body" }]);
  if (own === null) f.assign(node.target, variable(name));
  const breaks: End[] = [];
  body.around.push({ kind: "loop", head, breaks });
  f.statements(node.body);
  body.lead(head);
  body.around.pop();
  body.open([{ from: head, port: "after" }]);
  f.statements(node.orelse);
  body.open(breaks);
}

function lowerWhile(f: Lowerer, node: While): void {
  const { body } = f;
  const loop = body.loops++;
  // Each test is a step.
  const head = body.add({ do: "join" });
  const { yes, no } = f.condition(node.test);
  body.open(yes);
  body.add({ do: "pass", loop });
  const breaks: End[] = [];
  body.around.push({ kind: "loop", head, breaks });
  f.statements(node.body);
  body.lead(head);
  body.around.pop();
  body.open(no);
  f.statements(node.orelse);
  body.open(breaks);
}

function lowerFunction(f: Lowerer, node: FunctionDef): void {
  if (node.isAsync && refusesAsync(f, node)) return;
  if (refusesRetry(f, node)) return;
  // Marks say where runs begin, and mean nothing to callers.
  const decorators = node.decorators.filter((one) => {
    const mark = markOf(one, f.scope);
    if (mark !== null && !f.names.scopes.body.includes(node)) f.refuse(one, "decorator_place", { name: mark });
    return mark === null;
  });
  const [decorator] = decorators;
  if (node.isAsync && decorator !== undefined) f.refuse(decorator, "async_decorator");
  const kept = decorators.map((one) => f.body.keep(f.expr(one)));
  const label = f.inner(node);
  let value = f.names.functionOf(f, node, node.args, label);
  for (const decorator of kept.reverse()) value = call("call", decorator, value);
  f.names.bind(f, { kind: "Name", id: node.name, start: node.start, end: node.end, line: node.line }, value);
}

/** A class of exceptions; others are refused. */
function lowerClass(f: Lowerer, node: ClassDef): void {
  const isEmpty = node.body.every(
    (one) => one.kind === "Pass" || (one.kind === "Expr" && one.value.kind === "Constant"),
  );
  const name = { kind: "Name", id: node.name, start: node.start, end: node.end, line: node.line } as const;
  const [base] = node.bases;
  if (f.isRecord(node) || (base !== undefined && isTypedDict(f, base))) {
    f.names.bind(f, name, { k: "lib", v: "dict" });
    return;
  }
  if (
    !isEmpty ||
    node.bases.length !== 1 ||
    node.decorators.length > 0 ||
    node.keywords.length > 0 ||
    base === undefined
  ) {
    f.refuse(node, classRefusal(node), { name: node.name });
    f.names.bind(f, name, NONE);
    return;
  }
  f.names.bind(f, name, call("exception_class", text(node.name), f.expr(base)));
}

function nameType(f: Lowerer, target: Name): void {
  f.names.typeAliases.add(target.id);
  f.names.bind(f, target, NONE);
}

function isTypedDict(f: Lowerer, base: Expr): boolean {
  return lastName(base) === "TypedDict" && f.names.meaning(f.scope, base)?.kind === "typing";
}

function classRefusal({ bases, decorators }: ClassDef): string {
  const [base] = bases.map(lastName);
  if (base !== undefined && /(?:Error|Exception|Warning)$/.test(base)) return "class_exception";
  if (base !== undefined && /^(?:Str|Int)?(?:Enum|Flag)$/.test(base)) return "class_choices";
  const marks = decorators.map((one) => lastName(one.kind === "Call" ? one.func : one));
  return base === "NamedTuple" || marks.includes("dataclass") ? "class_record" : "class";
}

function remove(f: Lowerer, target: Expr): void {
  if (target.kind === "Name") f.names.unbind(f, target.id);
  else if (target.kind === "Subscript") {
    f.names.writes.member(f.scope, target.value, target);
    f.body.add({ do: "eval", value: call("delitem", ...f.exprs([target.value, target.slice])) });
  } else if (target.kind === "Tuple" || target.kind === "List") for (const item of target.elts) remove(f, item);
  else if (target.kind === "Attribute") refuseAttribute(f, target);
  else f.refuse(target, "bad_target");
}

/** No value has attributes that can be set, and the names of a file are set by its own functions only. */
function refuseAttribute(f: Lowerer, target: Attribute): void {
  const { value } = target;
  const meaning = f.names.meaning(f.scope, value.kind === "Call" ? value.func : value);
  // `decimal.getcontext().prec = 10`: what is set is not at fault.
  if (meaning?.kind === "unknown") f.refuse(target, meaning.row, meaning.words);
  else f.refuse(target, meaning?.kind === "file" ? "import_write" : "attribute_write", { name: target.attr });
}

function lowerRaise(f: Lowerer, exc: Expr | null, cause: Expr | null, at: Stmt): void {
  const { body } = f;
  if (exc === null) {
    if (body.caught.length === 0) {
      f.refuse(at, "bare_raise");
      body.take();
    } else raiseAgain(f);
  } else {
    const [value, from = null] = f.exprs(cause === null ? [exc] : [exc, cause]) as [IrOperand, IrOperand?];
    body.add({ do: "raise", value, cause: from });
    body.take();
  }
}
