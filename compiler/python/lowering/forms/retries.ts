/**
 * `with retry(times=3, backoff_ms=0, strategy="fixed"):` repeats its block (python-effects.md K-18). The block is a loop whose way back is an exception; what
 * counts its attempts begins before it, and ends however it is left.
 */
import type { FunctionDef, With } from "../../../../grammar/python/tree.ts";
import { formOf } from "../../names/forms.ts";
import type { Lowerer } from "../lowerer.ts";
import { call, text, variable } from "../operands.ts";
import { withFinally } from "../tries.ts";
import { type Arguments, formArguments } from "./arguments.ts";
import { lowerPool } from "./pools.ts";
import { lowerSuppress } from "./suppress.ts";

/** Arguments by position, and what they are when left out. */
const ARGUMENTS: Arguments = [
  ["times", { k: "num", v: 3 }],
  ["backoff_ms", { k: "num", v: 0 }],
  ["strategy", text("fixed")],
];

export function lowerWith(f: Lowerer, node: With): void {
  const [item] = node.items;
  const called = item?.context;
  const form = !node.isAsync && called?.kind === "Call" ? formOf(f.scope, called.func) : null;
  if (called?.kind === "Call" && (form === "pool" || form === "suppress")) {
    if (form === "pool") lowerPool(f, node, called);
    else lowerSuppress(f, node, called);
    return;
  }
  if (item === undefined || called?.kind !== "Call" || form !== "retry") {
    const isRetry = called !== undefined && formOf(f.scope, called) === "retry";
    const meaning = called?.kind === "Call" ? f.names.meaning(f.scope, called.func) : null;
    // `open`, and what comes from a module that is refused, has its own words.
    if (meaning?.kind === "unknown") f.refuse(called ?? node, meaning.row, meaning.words);
    else f.refuse(called ?? node, isRetry ? "retry_uncalled" : "with");
    return;
  }
  if (node.items.length > 1) {
    f.refuse(node, "retry_beside");
    return;
  }
  if (item.target !== null) {
    f.refuse(item.target, "retry_as");
    return;
  }
  const args = formArguments(f, called, "retry", ARGUMENTS);
  if (args === null) return;
  const { body } = f;
  body.add({ do: "eval", value: call("retry_begin", ...args) });
  withFinally(
    f,
    () => attempts(f, node),
    () => void body.add({ do: "eval", value: call("retry_end") }),
    "catch",
  );
}

function attempts(f: Lowerer, node: With): void {
  const { body } = f;
  // Each attempt is a step.
  body.statement(node.line);
  const head = body.add({ do: "join" });
  const raising = body.guard(() => f.statements(node.body));
  if (raising.length === 0) return;
  const done = body.take();
  const caught = body.land(raising);
  body.add({ do: "eval", value: call("retry_again", variable(caught)) });
  body.lead(head);
  body.open(done);
}

/** Refuses retry as a decorator; true: it was one. */
export function refusesRetry(f: Lowerer, node: FunctionDef): boolean {
  const found = node.decorators.find((one) => formOf(f.scope, one.kind === "Call" ? one.func : one) === "retry");
  if (found === undefined) return false;
  f.refuse(found, "retry_decorator");
  return true;
}
