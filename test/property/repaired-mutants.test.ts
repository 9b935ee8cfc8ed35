/**
 * Programs with a habit of other languages in them (D-2, D-5): all edits of one answer at once lead to a program without edits in at most three
 * rounds, and a program that compiles then gives what the original gives.
 */
import "../support/property-seed.ts";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { EXPRESSIONS } from "../language/everyday/expressions.ts";
import { STATEMENTS } from "../language/everyday/statements.ts";
import { repair } from "../support/applied-edits.ts";
import { executor } from "../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { type Mutation, OF_INDENTED, OF_OPCODE } from "./python-isms.ts";

/** Mutants of each form; `WEFT_MUTANTS=5000` tries as many as the design asks for. */
const MUTANTS = Number(process.env["WEFT_MUTANTS"] ?? 400);
/** Not every mutation changes every program, and two may undo each other. */
const DRAWS = MUTANTS * 8;
const TIME = 600_000;

type Sample = { readonly source: string; readonly frame: JsonObject };
type Case = Sample & { readonly strict?: boolean; readonly expect: object };

const cases = JSON.parse(readFileSync(new URL("../cases/run.json", import.meta.url), "utf8")) as readonly Case[];
const opcode = cases.filter(({ source, expect: wanted }) => /^L\w+:/m.test(source) && "out" in wanted);
const indented = [...STATEMENTS, ...EXPRESSIONS]
  .filter(({ is }) => is === "right")
  .map(({ source }): Sample => ({ source, frame: {} }));

const compileFor = (frame: JsonObject) => (text: string) =>
  compile(text, { catalog: builtinCatalog, strict: true, inputs: Object.keys(frame) });

async function resultOf(ir: Ir, frame: JsonObject): Promise<string> {
  const clock = fakeClock();
  const request = { frame, adapters: mockAdapters(clock), clock, facts: fakeFacts(), limits: { max_steps: 20_000 } };
  const outcome = await executor("machine", builtinCatalog)(ir, request);
  return outcome.ok ? JSON.stringify(outcome.out) : "failed";
}

async function check(samples: readonly Sample[], mutations: readonly Mutation[]): Promise<void> {
  const known = new Map<string, string | null>();
  const tally = { rounds: 0, same: 0, refused: 0, failed: 0 };
  const wrong = new Map<string, string>();
  const picks = fc.tuple(fc.nat(samples.length - 1), fc.nat(mutations.length - 1), fc.nat(), fc.nat(5));
  const drawn = fc.sample(picks, { numRuns: DRAWS, seed: fc.readConfigureGlobal().seed ?? 1 });
  let made = 0;
  for (const [which, how, place, second] of drawn) {
    if (made === MUTANTS) break;
    const { source, frame } = samples[which] as Sample;
    const first = mutations[how] as Mutation;
    const other = second === 0 ? mutations[(how + place) % mutations.length] : undefined;
    const pick = (n: number): number => (n === 0 ? 0 : place % n);
    const once = first.change(source, pick);
    const mutant = other === undefined ? once : other.change(once, pick);
    if (mutant === source) continue;
    if (!known.has(source)) {
      const { ir } = compileFor(frame)(source);
      known.set(source, ir === null ? null : await resultOf(ir, frame));
    }
    const wanted = known.get(source);
    if (wanted == null) continue;
    made++;
    const { rounds, ir, source: text } = repair(mutant, compileFor(frame));
    tally.rounds = Math.max(tally.rounds, rounds);
    const got = ir === null ? "refused" : await resultOf(ir, frame);
    const what = `${first.what}${other === undefined ? "" : ` and ${other.what}`}`;
    if (rounds > 3) wrong.set(`${what}: ${rounds} rounds`, `${mutant}\n→\n${text}`);
    if (got === "refused") tally.refused++;
    else if (got === "failed") tally.failed++;
    else if (got === wanted) tally.same++;
    else wrong.set(what, `${mutant}\n→\n${text}\ngives ${got}, not ${wanted}`);
  }
  if (process.env["WEFT_TALLY"] !== undefined) process.stdout.write(`${made} ${JSON.stringify(tally)}\n`);
  expect(made).toBe(MUTANTS);
  expect([...wrong].map(([what, text]) => `${what}\n${text}`).join("\n\n")).toBe("");
}

describe("edits until none are left", () => {
  it("never give another result, in the indented form", () => check(indented, OF_INDENTED), TIME);
  it("never give another result, in the opcode form", () => check(opcode, OF_OPCODE), TIME);
});
