/** What the value of an expression is known to be. On the way everything in it is checked. */
import type { Comprehension, Expr, Lambda } from "../../../grammar/python/tree.ts";
import { visitCall } from "./calls.ts";
import { attribute, subscript } from "./members.ts";
import { assign } from "./statements.ts";
import { comparison, condition } from "./truths.ts";
import { DATA, joined, NONE_OF_PROGRAM, type Type, UNKNOWN } from "./types.ts";
import { asText, iterated } from "./uses.ts";
import { Walk } from "./walk.ts";

export function visit(w: Walk, node: Expr): Type {
  switch (node.kind) {
    case "Constant":
      return node.type === "none" ? NONE_OF_PROGRAM : UNKNOWN;
    case "Name": {
      const type = w.read(node.id);
      if (type.k === "function") w.learned.escaped.add(type.node);
      return type;
    }
    case "Attribute":
      return attribute(w, node, visit(w, node.value), false);
    case "Subscript":
      return subscript(w, node, visit(w, node.value));
    case "Call":
      return visitCall(w, node);
    case "Await":
      return visit(w, node.value);
    case "NamedExpr": {
      const type = visit(w, node.value);
      w.bind(node.target.id, type);
      return type;
    }
    case "BoolOp": {
      // The last one is only given, and not asked for its truth.
      const types = node.values.map((value, at) =>
        at === node.values.length - 1 ? visit(w, value) : condition(w, value),
      );
      return joined(...types);
    }
    case "UnaryOp":
      if (node.op === "not") condition(w, node.operand);
      else visit(w, node.operand);
      return UNKNOWN;
    case "IfExp":
      condition(w, node.test);
      return joined(visit(w, node.body), visit(w, node.orelse));
    case "Compare":
      comparison(w, node);
      return UNKNOWN;
    case "BinOp":
      return visitChain(w, node);
    case "JoinedStr":
      for (const part of node.values) {
        if (part.kind === "Constant") continue;
        const type = visit(w, part.value);
        if (part.conversion === null || part.conversion === "s") asText(w, part.value, type);
        if (part.spec !== null) visit(w, part.spec);
      }
      return UNKNOWN;
    case "Lambda":
      walkLambda(w, node);
      return { k: "function", node };
    case "Tuple":
      return { k: "tuple", items: node.elts.map((one) => visit(w, one)) };
    case "List": {
      const types = node.elts.map((one) => visit(w, one));
      const words = node.elts.flatMap((one) =>
        one.kind === "Constant" && one.type === "str" ? [String(one.value)] : [],
      );
      if (words.length > 0 && words.length === node.elts.length) return { k: "words", values: words };
      const item = types.length === 0 ? UNKNOWN : joined(...types);
      return item.k === "unknown" ? UNKNOWN : { k: "list", item, of: null };
    }
    case "Set":
      for (const one of node.elts) visit(w, one);
      return UNKNOWN;
    case "Dict":
      for (const one of [...node.keys, ...node.values]) if (one !== null) visit(w, one);
      return UNKNOWN;
    case "ListComp":
    case "GeneratorExp":
    case "SetComp": {
      const item = comprehended(w, node, node.generators, () => visit(w, node.elt));
      return node.kind === "SetComp" || item.k === "unknown" ? UNKNOWN : { k: "list", item, of: null };
    }
    case "DictComp":
      comprehended(w, node, node.generators, () => {
        visit(w, node.key);
        return visit(w, node.value);
      });
      return UNKNOWN;
    case "Starred":
      visit(w, node.value);
      return UNKNOWN;
    case "Slice":
      for (const one of [node.lower, node.upper, node.step]) if (one !== null) visit(w, one);
      return UNKNOWN;
    case "Yield":
    case "YieldFrom":
      if (node.value !== null) visit(w, node.value);
      if (w.owner !== null) w.learned.gave(w.owner, UNKNOWN);
      return UNKNOWN;
  }
}

/** A chain of operators is walked, because it may be long. */
function visitChain(w: Walk, node: Expr): Type {
  let at = node;
  const sides: [Expr, Type][] = [];
  let hasPlus = false;
  while (at.kind === "BinOp") {
    sides.push([at.right, visit(w, at.right)]);
    hasPlus ||= at.op === "+";
    at = at.left;
  }
  sides.push([at, visit(w, at)]);
  if (hasPlus) for (const [side, type] of sides) asText(w, side, type);
  return sides.some(([, { k }]) => k === "data") ? DATA : UNKNOWN;
}

function comprehended(w: Walk, node: Expr, generators: readonly Comprehension[], element: () => Type): Type {
  const outer = w.scope;
  const inner = w.names.scopes.of.get(node);
  for (const [at, { target, iter, ifs }] of generators.entries()) {
    // The first list is that of the scope around it.
    const item = iterated(w, iter, visit(w, iter));
    if (at === 0 && inner !== undefined) w.scope = inner;
    assign(w, target, item);
    for (const one of ifs) condition(w, one);
  }
  const type = element();
  w.scope = outer;
  return type;
}

/** Its parameters are not known. */
function walkLambda(w: Walk, node: Lambda): void {
  for (const one of node.args.defaults) visit(w, one);
  const inner = w.names.scopes.of.get(node);
  if (inner === undefined) return;
  const own = new Walk(w, inner, node);
  const given = w.before.escaped.has(node) ? undefined : w.before.given.get(node);
  for (const { arg } of node.args.args) own.bind(arg, given?.get(arg) ?? UNKNOWN);
  w.learned.gave(node, visit(own, node.body));
}
