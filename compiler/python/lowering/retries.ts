/**
 * `with retry(times=3, backoff_ms=0, strategy="fixed"):` repeats its block (python-effects.md K-18). The block is a loop whose way back is an exception; what
 * counts its attempts begins before it, and ends however it is left.
 */
import type { Call, FunctionDef, With } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { formOf } from "../names/forms.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, text, variable } from "./operands.ts";
import { withFinally } from "./tries.ts";

const NAME = "retry";
/** Arguments by position, and what they are when left out. */
const ARGUMENTS: readonly (readonly [name: string, otherwise: IrOperand])[] = [
  ["times", { k: "num", v: 3 }],
  ["backoff_ms", { k: "num", v: 0 }],
  ["strategy", text("fixed")],
];

export function lowerWith(f: Lowerer, node: With): void {
  const [item] = node.items;
  const called = item?.context;
  if (node.isAsync || item === undefined || called?.kind !== "Call" || formOf(f.scope, called.func) !== "retry") {
    const isRetry = called !== undefined && formOf(f.scope, called) === "retry";
    f.refuse(called ?? node, isRetry ? "retry_uncalled" : "with");
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
  const args = retryArguments(f, called);
  if (args === null) return;
  const { body } = f;
  body.add({ do: "eval", value: call("retry_begin", ...args) });
  withFinally(
    f,
    () => attempts(f, node),
    () => void body.add({ do: "eval", value: call("retry_end") }),
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

/** The three arguments in their order; null: they are refused. */
function retryArguments(f: Lowerer, node: Call): IrOperand[] | null {
  const refused = (at: Parameters<Lowerer["refuse"]>[0], row: string, words = {}): null => {
    f.refuse(at, row, { name: NAME, ...words });
    return null;
  };
  if (node.args.some(({ kind }) => kind === "Starred") || node.keywords.some(({ arg }) => arg === null))
    return refused(node, "adapter_spread");
  if (node.args.length > ARGUMENTS.length) return refused(node, "too_many_arguments", { n: String(ARGUMENTS.length) });
  const values = f.exprs([...node.args, ...node.keywords.map(({ value }) => value)]);
  const given: (IrOperand | undefined)[] = values.slice(0, node.args.length);
  for (const [at, keyword] of node.keywords.entries()) {
    const argument = keyword.arg as string;
    const place = ARGUMENTS.findIndex(([name]) => name === argument);
    if (place < 0) {
      const names = ARGUMENTS.map(([name]) => name);
      const near = nearest(argument, names) ?? "";
      return refused(keyword, near === "" ? "unknown_argument" : "unknown_argument_near", { argument, near });
    }
    if (given[place] !== undefined) return refused(keyword, "argument_twice", { argument });
    given[place] = values[node.args.length + at];
  }
  return ARGUMENTS.map(([, otherwise], at) => given[at] ?? otherwise);
}

/** Refuses retry as a decorator; true: it was one. */
export function refusesRetry(f: Lowerer, node: FunctionDef): boolean {
  const found = node.decorators.find((one) => formOf(f.scope, one.kind === "Call" ? one.func : one) === "retry");
  if (found === undefined) return false;
  f.refuse(found, "retry_decorator");
  return true;
}
