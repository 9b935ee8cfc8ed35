/**
 * Short programs as models write Python for everyday tasks: each gives what Python gives, or is refused, or is refused with edits after which it
 * gives that. None runs and gives something else.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { repair } from "../../support/applied-edits.ts";
import { executor } from "../../support/executors.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { EXPRESSIONS } from "./expressions.ts";
import type { Everyday } from "./program.ts";
import { STATEMENTS } from "./statements.ts";

const MISTAKES = readFileSync(new URL("mistakes.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Everyday);

async function readingOf({ source, value, frame = {} }: Everyday): Promise<string> {
  const inputs = Object.keys(frame);
  const { rounds, ir } = repair(source, (text) => compile(text, { catalog: builtinCatalog, strict: true, inputs }));
  if (ir === null) return "refused";
  const request = { frame, adapters: new Map(), clock: fakeClock(), facts: fakeFacts() };
  const outcome = await executor("machine", builtinCatalog)(ir as Ir, request);
  if (!outcome.ok) return "fails";
  const gave = JSON.stringify(outcome.out);
  if (gave !== JSON.stringify(value)) return `wrong: ${gave}`;
  return rounds === 0 ? "right" : "repaired";
}

describe.each([
  ["statements", STATEMENTS],
  ["expressions", EXPRESSIONS],
  ["mistakes", MISTAKES],
])("everyday %s", (_what, programs) => {
  it.each(programs.map((one) => [one.source, one] as const))("%s", async (_source, one) => {
    expect(await readingOf(one)).toBe(one.is);
    // Loose mode runs more, and says what it leaves out.
    const inputs = Object.keys(one.frame ?? {});
    const { diagnostics } = compile(one.source, { catalog: builtinCatalog, strict: false, inputs });
    const isTold = diagnostics.some(({ severity }) => severity !== "hint");
    if (one.is === "refused" || one.is === "repaired") expect(isTold).toBe(true);
  });
});
