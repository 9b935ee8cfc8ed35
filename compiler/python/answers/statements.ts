/** Statements in their order: which way they lead, and what variables hold on it. */
import type { Expr, For, If, Stmt, Try, While } from "../../../grammar/python/tree.ts";
import { type Environment, met } from "./environment.ts";
import { matchPattern } from "./patterns.ts";
import { unpacked } from "./records.ts";
import { condition } from "./truths.ts";
import { type Type, UNKNOWN } from "./types.ts";
import { iterated } from "./uses.ts";
import type { Statements, Walk } from "./walk.ts";

/** False: what follows is not reached. */
export function walkStatements(w: Walk, nodes: Statements): boolean {
  for (const node of nodes) if (!statement(w, node)) return false;
  return true;
}

function statement(w: Walk, node: Stmt): boolean {
  switch (node.kind) {
    case "Expr":
      w.visit(node.value);
      return true;
    case "Assign": {
      const type = w.visit(node.value);
      for (const target of node.targets) assign(w, target, type);
      return true;
    }
    case "AnnAssign":
      if (node.value !== null) assign(w, node.target, w.visit(node.value));
      return true;
    case "AugAssign":
      w.visit(node.value);
      assign(w, node.target, UNKNOWN);
      return true;
    case "Return":
      if (w.owner !== null) w.learned.gave(w.owner, node.value === null ? NOTHING : w.visit(node.value));
      return false;
    case "Raise":
      if (node.exc !== null) w.visit(node.exc);
      return false;
    case "Assert":
      condition(w, node.test);
      if (node.msg !== null) w.visit(node.msg);
      return true;
    case "Delete":
      for (const target of node.targets) assign(w, target, UNKNOWN);
      return true;
    case "If":
      return walkIf(w, node);
    case "For":
    case "While":
      return walkLoop(w, node);
    case "Break":
      w.loops.at(-1)?.breaks.push(new Map(w.env));
      return false;
    case "Continue":
      w.loops.at(-1)?.continues.push(new Map(w.env));
      return false;
    case "Try":
      return walkTry(w, node);
    case "With":
      for (const { context, target } of node.items) {
        w.visit(context);
        if (target !== null) assign(w, target, UNKNOWN);
      }
      return walkStatements(w, node.body);
    case "Match": {
      const subject = w.visit(node.subject);
      const before = w.env;
      const ways: Environment[] = [before];
      for (const { pattern, guard, body } of node.cases) {
        w.env = new Map(before);
        matchPattern(w, pattern, subject);
        if (guard !== null) condition(w, guard);
        if (walkStatements(w, body)) ways.push(w.env);
      }
      w.env = met(ways);
      return true;
    }
    case "FunctionDef": {
      for (const one of [...node.decorators, ...node.args.defaults]) w.visit(one);
      const isPlain = node.decorators.length === 0;
      w.bind(node.name, isPlain ? { k: "function", node } : UNKNOWN);
      if (!isPlain) w.learned.escaped.add(node);
      w.inner.push({ node, scope: w.names.scopeOf(node) });
      return true;
    }
    case "ClassDef":
      w.bind(node.name, UNKNOWN);
      return true;
    default:
      return true;
  }
}

const NOTHING: Type = { k: "none", isAnswer: false };

export function assign(w: Walk, target: Expr, type: Type): void {
  switch (target.kind) {
    case "Name":
      w.bind(target.id, type);
      return;
    case "Tuple":
    case "List":
      unpacked(w, target, type);
      for (const [at, one] of target.elts.entries())
        assign(w, one, type.k === "tuple" ? (type.items[at] ?? UNKNOWN) : type.k === "list" ? type.item : UNKNOWN);
      return;
    case "Starred":
      assign(w, target.value, UNKNOWN);
      return;
    case "Subscript":
      w.visit(target.value);
      w.visit(target.slice);
      return;
    default:
      return;
  }
}

function walkIf(w: Walk, node: If): boolean {
  condition(w, node.test);
  const before = w.env;
  const ways: Environment[] = [];
  for (const body of [node.body, node.orelse]) {
    w.env = new Map(before);
    if (walkStatements(w, body)) ways.push(w.env);
  }
  w.env = ways.length === 0 ? before : met(ways);
  return ways.length > 0;
}

/** The first walk finds out what the body leaves in its variables, because the next pass begins with it. */
function walkLoop(w: Walk, node: For | While): boolean {
  const item = node.kind === "For" ? itemOfLoop(w, node) : UNKNOWN;
  const before = w.env;
  const pass = (start: Environment) => {
    w.env = new Map(start);
    const loop = { breaks: [] as Environment[], continues: [] as Environment[] };
    w.loops.push(loop);
    if (node.kind === "For") assign(w, node.target, item);
    else condition(w, node.test);
    const ends = walkStatements(w, node.body);
    w.loops.pop();
    const again = [...loop.continues, ...(ends ? [w.env] : [])];
    return { again, breaks: loop.breaks };
  };
  let again: readonly Environment[] = [];
  w.silently(() => {
    again = pass(unsure(before, node)).again;
  });
  const start = met([before, ...again]);
  const last = pass(start);
  w.env = met([start, ...last.again]);
  walkStatements(w, node.orelse);
  w.env = met([w.env, ...last.breaks]);
  return true;
}

function itemOfLoop(w: Walk, node: For): Type {
  return iterated(w, node.iter, w.visit(node.iter));
}

/** Without what the loop itself assigns. */
function unsure(before: Environment, node: For | While): Environment {
  const env = new Map(before);
  for (const name of namesIn(node.body)) if (env.has(name)) env.set(name, UNKNOWN);
  return env;
}

function namesIn(nodes: Statements): string[] {
  return nodes.flatMap((node): string[] => {
    switch (node.kind) {
      case "Assign":
        return node.targets.flatMap((target) => namesOf(target));
      case "AnnAssign":
      case "AugAssign":
        return namesOf(node.target);
      case "For":
        return [...namesOf(node.target), ...namesIn(node.body), ...namesIn(node.orelse)];
      case "If":
      case "While":
        return [...namesIn(node.body), ...namesIn(node.orelse)];
      case "With":
        return namesIn(node.body);
      case "Try":
        return [
          ...namesIn([...node.body, ...node.orelse, ...node.finalbody]),
          ...node.handlers.flatMap(({ name, body }) => [...(name === null ? [] : [name]), ...namesIn(body)]),
        ];
      case "Match":
        return node.cases.flatMap(({ body }) => namesIn(body));
      default:
        return [];
    }
  });
}

function namesOf(target: Expr): string[] {
  if (target.kind === "Name") return [target.id];
  if (target.kind === "Tuple" || target.kind === "List") return target.elts.flatMap(namesOf);
  return target.kind === "Starred" ? namesOf(target.value) : [];
}

function walkTry(w: Walk, { body, handlers, orelse, finalbody }: Try): boolean {
  const before = new Map(w.env);
  const assigned: Environment = new Map();
  w.assigned.push(assigned);
  const ways: Environment[] = [];
  const ends = walkStatements(w, body);
  w.assigned.pop();
  if (ends && walkStatements(w, orelse)) ways.push(w.env);
  const failed = met([before, assigned]);
  for (const { type, name, body: handling } of handlers) {
    w.env = new Map(failed);
    if (name !== null) w.bind(name, type !== null && isAdapterError(type) ? { k: "error" } : UNKNOWN);
    if (walkStatements(w, handling)) ways.push(w.env);
  }
  w.env = ways.length === 0 ? failed : met(ways);
  return walkStatements(w, finalbody) && ways.length > 0;
}

function isAdapterError(type: Expr): boolean {
  const name = type.kind === "Name" ? type.id : type.kind === "Attribute" ? type.attr : "";
  return name === "AdapterError";
}
