/**
 * What programs of the indented form do (docs/language.md, the indented form): random ones against an evaluator of a page, in the machine and in the
 * reference interpreter.
 */
import "../support/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Outcome } from "../../vm/run.ts";
import { comparable, type ExecutorName, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts } from "../support/mock-adapters.ts";
import { evaluate, Failure, type Frame, type Program, program, programText } from "./indented-programs.ts";

const INPUTS = { a: 1, b: 2, c: 0 };

async function run(name: ExecutorName, ir: Ir): Promise<Outcome> {
  return executor(name, builtinCatalog)(ir, {
    frame: INPUTS,
    adapters: new Map(),
    clock: fakeClock(),
    facts: fakeFacts(),
    finalFrame: true,
    limits: { max_steps: 200_000, max_depth: 2000 },
  });
}

function irOf(source: string): Ir {
  const { ir, diagnostics } = compile(source, { catalog: builtinCatalog, strict: false, inputs: Object.keys(INPUTS) });
  expect(ir, `${source}\n${JSON.stringify(diagnostics.filter(({ severity }) => severity === "error"))}`).not.toBeNull();
  return ir as Ir;
}

/** The variables that programs here can name. */
function visible(frame: ReadonlyMap<string, unknown>): unknown {
  return [...frame].filter(([name]) => !name.startsWith("_")).sort(([left], [right]) => (left < right ? -1 : 1));
}

function expected(of: Program): { readonly out: unknown; readonly frame: Frame } | null {
  const frame: Frame = new Map(Object.entries(INPUTS));
  try {
    return { out: evaluate(of, frame), frame };
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}

describe("programs of the indented form", () => {
  it("do what the language reference says, in both executors", async () => {
    await fc.assert(
      fc.asyncProperty(program, async (generated) => {
        const source = programText(generated);
        const ir = irOf(source);
        const [machine, reference] = [await run("machine", ir), await run("reference", ir)];
        expect(comparable(machine), source).toBe(comparable(reference));
        const wanted = expected(generated);
        if (wanted === null) {
          expect(machine.ok, source).toBe(false);
          return;
        }
        expect(machine.ok ? machine.out : machine.error, source).toEqual(wanted.out);
        expect(visible(new Map(Object.entries(machine.frame ?? {}))), source).toEqual(visible(wanted.frame));
      }),
      { numRuns: 500 },
    );
  }, 60_000);
});
