/**
 * What a program does with answers of adapters, followed through variables, helpers, subscripts and loops, and held against the catalog (python-effects.md K-11
 * to K-16). The file is walked several times, because a helper may stand after its callers; only the last walk reports.
 */
import type { Call, Expr, FunctionDef, Module, Stmt } from "../../../grammar/python/tree.ts";
import type { Names } from "../names/names.ts";
import type { Scope } from "../names/scopes.ts";
import { visit } from "./expressions.ts";
import { walkStatements } from "./statements.ts";
import { UNKNOWN } from "./types.ts";
import { Facts, type Finding, Walk } from "./walk.ts";

/** Helpers that call helpers need a walk for each. */
const WALKS = 4;

/** `roots`: functions of the program that runs begin with; null: another file may call any function of this one. */
export function checkAnswers(module: Module, names: Names, roots: ReadonlySet<string> | null): readonly Finding[] {
  const keys = new Set<string>();
  const opened: Call[] = [];
  for (const node of module.body) keysIn(node, keys, opened);
  const asked = choicesOf(opened);
  let before = new Facts();
  const findings: Finding[] = [];
  for (let pass = 1; pass <= WALKS; pass++) {
    const learned = new Facts();
    const from = {
      visitor: visit,
      names,
      before,
      learned,
      findings: pass === WALKS ? findings : null,
      keys,
      asked,
      inner: [],
    };
    const top = new Walk(from, names.scopes.module, null);
    walkStatements(top, module.body);
    for (let next = top.inner.shift(); next !== undefined; next = top.inner.shift()) walkFunction(top, next, roots);
    before = learned;
  }
  return findings.sort((a, b) => a.at.start - b.at.start);
}

function walkFunction(
  from: Walk,
  { node, scope }: { readonly node: FunctionDef; readonly scope: Scope },
  roots: ReadonlySet<string> | null,
): void {
  const w = new Walk(from, scope, node);
  const { posonlyargs, args, kwonlyargs, vararg, kwarg } = node.args;
  const isRoot = scope.parent?.kind === "module" && (roots === null || roots.has(node.name));
  const given = isRoot || w.before.escaped.has(node) ? undefined : w.before.given.get(node);
  for (const { arg } of [...posonlyargs, ...args, ...kwonlyargs]) w.bind(arg, given?.get(arg) ?? UNKNOWN);
  for (const one of [vararg, kwarg]) if (one !== null) w.bind(one.arg, UNKNOWN);
  if (walkStatements(w, node.body)) w.learned.gave(node, { k: "none", isAnswer: false });
}

/** Keys that are set by `x["key"] = …` or `x.update(key=…)`. */
function keysIn(node: Stmt | Expr, keys: Set<string>, opened: Call[]): void {
  for (const value of Object.values(node) as unknown[]) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== "object" || one === null || !("kind" in one)) continue;
      keysIn(one as Stmt, keys, opened);
    }
  }
  const targets =
    node.kind === "Assign" ? node.targets : node.kind === "AugAssign" || node.kind === "AnnAssign" ? [node.target] : [];
  for (const target of targets)
    if (target.kind === "Subscript" && target.slice.kind === "Constant") keys.add(String(target.slice.value));
  if (node.kind !== "Call" || node.func.kind !== "Attribute") return;
  if (node.func.attr === "open") opened.push(node);
  if (node.func.attr === "setdefault" && node.args[0]?.kind === "Constant") keys.add(String(node.args[0].value));
  if (node.func.attr === "update") {
    for (const { arg } of node.keywords) if (arg !== null) keys.add(arg);
    for (const one of node.args)
      if (one.kind === "Dict") for (const key of one.keys) if (key?.kind === "Constant") keys.add(String(key.value));
  }
}

/** The choices of all questions that a file opens. */
function choicesOf(opened: readonly Call[]): readonly string[] | null | undefined {
  const all: string[] = [];
  let isDefault = false;
  for (const { keywords } of opened) {
    if (keywords.some(({ arg }) => arg === null)) return undefined;
    const given = keywords.find(({ arg }) => arg === "choices")?.value;
    if (given === undefined) isDefault = true;
    else if (given.kind !== "List" && given.kind !== "Tuple") return undefined;
    else
      for (const one of given.elts) {
        if (one.kind !== "Constant" || one.type !== "str") return undefined;
        all.push(String(one.value));
      }
  }
  return all.length === 0 ? null : isDefault ? [...all, "approve", "reject"] : all;
}
