/** WF5010: a Retry of a call whose effect may then happen twice, because the verb is not idempotent and no key is passed. */
import { CALL_OPS, type IrNode, type IrOperand, type NodeOf, nodeNumber } from "../../ir/graph.ts";
import type { LoweredLabel, LoweredStep } from "../../lower/lowered.ts";
import type { CompileOptions } from "../../options.ts";
import { type KnownVerb, knownVerb, type Report } from "../known-verb.ts";
import type { ProgramView } from "../program-view.ts";

const KEY_OPTION = "idempotency_key";
/** How far above a call the value of its options is looked for. */
const MAX_STEPS_APART = 50;

export function checkRetry(
  view: ProgramView,
  label: LoweredLabel,
  { step, protects }: LoweredStep,
  { catalog, advice, strict }: CompileOptions,
  report: Report,
): void {
  if (step.op !== "Retry" || protects === null) return;
  const node = view.stepOfNode(label, protects)?.node;
  if (node === null || node === undefined || !isRepeatableCall(node)) return;
  const call = knownVerb(node.data, catalog);
  if (call === null || call.verb.idempotent !== false || passesKey(label, node, call)) return;
  const words = { adapter: call.adapter, verb: call.verb.name };
  const asAdvice = advice === true && strict === false;
  report({
    code: "WF5010",
    span: step.word.span,
    words,
    ...(call.verb.takes_key === true ? {} : { suggestion: "do not retry it, or use a verb that may be repeated" }),
    ...(asAdvice ? { severity: "hint" } : {}),
  });
}

/** `Enf` is answered by the runtime and has no effect to repeat. */
function isRepeatableCall(node: IrNode): node is NodeOf<"R" | "CacheGet" | "CacheSet" | "QueuePut" | "Tx"> {
  return CALL_OPS.has(node.op) && node.op !== "Enf";
}

/**
 * Whether the call has a key: in the options written as its last argument, or in a variable there that an earlier step of the label sets.
 * A variable whose value is not known counts as options with a key from the third place on, where no verb has anything else to send.
 */
function passesKey(
  label: LoweredLabel,
  node: IrNode & { data: { args: readonly IrOperand[] } },
  call: KnownVerb,
): boolean {
  const { args } = node.data;
  const last = args.at(-1);
  const place = args.length - 1;
  const required = call.verb.parameters?.filter(({ optional, repeat }) => !optional && !repeat).length ?? 0;
  if (call.verb.takes_key !== true || last === undefined || place < Math.max(1, required)) return false;
  if (last.k === "map") return namesKey(last);
  if (last.k !== "name" && last.k !== "var") return place > 1 && last.k !== "null" && last.k !== "num";
  const known = valueBefore(label, node.id, last.v);
  return known?.k === "map" ? namesKey(known) : known === null && place > 1;
}

function namesKey({ entries }: Extract<IrOperand, { k: "map" }>): boolean {
  return entries.some(([key, { k }]) => key === KEY_OPTION && k !== "null");
}

/** What the last Set above a node gives a variable; null where no Set near above does. */
function valueBefore({ steps }: LoweredLabel, node_id: string, name: string): IrOperand | null {
  // Nodes are numbered in step order; broken steps move them down.
  let at = nodeNumber(node_id) - 1;
  while (at < steps.length && steps[at]?.node?.id !== node_id) at++;
  for (let above = at - 1; above >= Math.max(0, at - MAX_STEPS_APART); above--) {
    const node = steps[above]?.node;
    if (node?.writes.includes(name) === true) return node.op === "Set" ? node.data.value : null;
  }
  return null;
}
