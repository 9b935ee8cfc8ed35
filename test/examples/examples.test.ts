/** Every program of `examples/` compiles without errors in strict mode and does what the file next to it says. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { format } from "../../grammar/print/print.ts";
import type { Limits } from "../../vm/run.ts";
import { compiled, run, world } from "../support/world.ts";

type Case = {
  readonly name?: string;
  /** The frame itself, or `@` and the path of a file in `examples/`. */
  readonly frame?: JsonObject | string;
  readonly label?: string;
  readonly limits?: Limits;
  readonly expect: { readonly result: Json } | { readonly error: string };
};

const FOLDER = fileURLToPath(new URL("../../examples", import.meta.url));
const read = (path: string): string => readFileSync(join(FOLDER, path), "utf8");
/** Their calls are mocked: `wf test` runs their cases, as it does for a user (below). */
const WITH_MOCKS: readonly string[] = ["refund.wf", "triage.wf"];
const programs = readdirSync(FOLDER).filter((name) => name.endsWith(".wf"));
const modules = readdirSync(join(FOLDER, "modules"), { recursive: true, encoding: "utf8" })
  .map((name) => relative(FOLDER, join(FOLDER, "modules", name)))
  .filter((path) => path.endsWith(".wf"));
const files = Object.fromEntries(modules.map((path) => [path, read(path)]));

function casesOf(program: string): Case[] {
  const parsed: Case | Case[] = JSON.parse(read(program.replace(/\.wf$/, ".expected.json")));
  return Array.isArray(parsed) ? parsed : [parsed];
}

function frameOf(frame: Case["frame"]): JsonObject {
  return typeof frame === "string" ? JSON.parse(read(frame.slice(1))) : (frame ?? {});
}

describe("examples", () => {
  it.each(programs)("%s is in canonical layout", (name) => {
    expect(format(read(name))).toEqual({ ok: true, text: read(name) });
  });

  it("are at least a dozen, one of them the contract's first program", () => {
    expect(programs.length).toBeGreaterThanOrEqual(12);
    expect(read("hello.wf")).toBe("S app api /api\n\nL1:\n  R core.ADD 2 3 ->x\n  J x\n");
  });

  describe.each(programs)("%s", (program) => {
    it("has neither errors nor warnings in strict mode", () => {
      const { ok, diagnostics } = compiled(read(program), { files });
      const found = diagnostics
        .filter((one) => one.severity !== "hint")
        .map(({ span, code, message }) => `${span?.line}: ${code} ${message}`);
      expect([ok, found]).toEqual([true, []]);
    });

    const cases = WITH_MOCKS.includes(program) ? [] : casesOf(program);
    it.each(cases.map((one, index) => ({ title: one.name ?? `case ${index + 1}`, one })))("$title", async ({ one }) => {
      const { frame, label, limits } = one;
      const answer = await run(read(program), {
        in: world(),
        files,
        frame: frameOf(frame),
        ...(label === undefined ? {} : { label }),
        ...(limits === undefined ? {} : { limits }),
      });
      const seen = answer.ok ? { result: answer.out } : { error: answer.error.code };
      expect(seen).toEqual(one.expect);
    });
  });
});
