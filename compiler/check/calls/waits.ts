/** Findings about steps that wait for a time, a signal or people (docs/durable.md, waiting). */
import type { Finding } from "../../../grammar/diagnostic.ts";
import type { IrNode } from "../../ir/graph.ts";
import type { LoweredLabel, LoweredStep } from "../../lower/lowered.ts";
import { endlessWait, waitOf } from "../../policy/waits.ts";
import { labelsFrom } from "../branches.ts";
import type { ProgramView } from "../program-view.ts";

/** A shorter pause is not worth a job that is parked. */
const LONG_SLEEP_MS = 60_000;

/** Waits inside a transaction that is open in their label, and waits that end only with their job. */
export function checkWaits({ program }: ProgramView): Finding[] {
  const findings: Finding[] = [];
  for (const label of program.labels) {
    let transaction: LoweredStep | null = null;
    for (const lowered of label.steps) {
      const { node } = lowered;
      if (node === null) continue;
      const word = transactionWord(node);
      if (word !== null) transaction = word === "begin" ? lowered : null;
      const wait = waitOf(node);
      if (wait === null) continue;
      const finding = { ...placeOf(label, lowered), words: { call: `${wait.adapter}.${wait.verb}` } };
      if (transaction !== null) {
        const related = [{ message: "the transaction begins here", span: transaction.step.word.span }];
        findings.push({ code: "WF5021", ...finding, related });
      }
      if (endlessWait(node)) findings.push({ code: "WF9041", ...finding });
    }
  }
  return findings;
}

/**
 * Loops over a list that only a run knows, and that wait for a signal or people in each turn: branches would wait for all elements at once. A
 * timer keeps its turns apart, and one that ends early wants them one after the other.
 */
export function waitsInTurns(view: ProgramView): Finding[] {
  return view.program.labels.flatMap((label) =>
    label.steps.flatMap((lowered): Finding[] => {
      const { node, targets } = lowered;
      const [body] = targets;
      if (node?.op !== "Loop" || node.data.until !== undefined || node.data.list.k === "list" || body?.exists !== true)
        return [];
      const wait = labelsFrom(view, [body.id], true)
        .flatMap(({ steps }) => steps)
        .find(({ node: inner }) => inner !== null && (waitOf(inner)?.adapter ?? "timer") !== "timer");
      const found = wait?.node == null ? null : waitOf(wait.node);
      if (wait === undefined || found === null) return [];
      const words = { call: `${found.adapter}.${found.verb}` };
      const related = [{ message: "it waits here", span: wait.step.word.span }];
      return [{ code: "WF9043", ...placeOf(label, lowered), words, related }];
    }),
  );
}

/** Pauses of more than a minute in a program that waits elsewhere: they keep the place that its job runs in. */
export function longSleeps({ program }: ProgramView): Finding[] {
  const steps = program.labels.flatMap((label) => label.steps.map((lowered) => ({ label, lowered })));
  if (!steps.some(({ lowered: { node } }) => node !== null && waitOf(node) !== null)) return [];
  return steps.flatMap(({ label, lowered }): Finding[] => {
    const seconds = lowered.node === null ? null : longSleep(lowered.node);
    if (seconds === null) return [];
    return [{ code: "WF9042", ...placeOf(label, lowered), severity: "hint", words: { n: String(seconds) } }];
  });
}

function placeOf(label: LoweredLabel, { step, node }: LoweredStep) {
  return { span: step.word.span, label_id: label.id, node_id: node?.id ?? null };
}

/** `begin`, `commit` or `rollback`; null: not a step of a transaction. */
function transactionWord(node: IrNode): string | null {
  if (node.op !== "Tx" && node.op !== "R") return null;
  const { adapter, verb } = node.data;
  return adapter === "txn" && typeof verb === "string" ? verb.toLowerCase() : null;
}

/** Seconds of a literal core.SLEEP above a minute; null: another step. */
function longSleep(node: IrNode): number | null {
  if (node.op !== "R") return null;
  const { adapter, verb, args } = node.data;
  const [ms] = args;
  if (adapter !== "core" || typeof verb !== "string" || verb.toUpperCase() !== "SLEEP" || ms?.k !== "num") return null;
  return ms.v > LONG_SLEEP_MS ? ms.v / 1000 : null;
}
