/** `wf convert` over the programs of the repository: what is converted runs as before, with the same figures, and the rest is refused by name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { convertText, type Form } from "../../../compiler/convert/convert-text.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { parse } from "../../../grammar/parse.ts";
import { format } from "../../../grammar/print/print.ts";
import { isIndented } from "../../../grammar/surface.ts";
import type { Limits } from "../../../vm/run.ts";
import { readExpectations } from "../../language/expectations.ts";
import { executor } from "../../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { effectiveLimits, expandFrame, loadRunCases, testCatalog } from "../../support/run-case.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

type Run = { readonly label?: string | null; readonly frame: JsonObject; readonly limits: Limits };
type Program = {
  readonly name: string;
  readonly text: string;
  readonly folder: string;
  readonly runs: readonly Run[];
};

function filesIn(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".wf"))
    .sort()
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(ROOT, folder, path), "utf8") }));
}

function examples(): Program[] {
  return filesIn("examples").map(({ path, text }) => {
    const tests = join(ROOT, path.replace(/\.wf$/, ".expected.json"));
    const read: unknown = existsSync(tests) ? JSON.parse(readFileSync(tests, "utf8")) : [];
    const cases = (Array.isArray(read) ? read : ((read as JsonObject)["cases"] ?? [read])) as { frame?: unknown }[];
    const frames = cases.flatMap(({ frame }) =>
      typeof frame === "object" && frame !== null ? [frame as JsonObject] : [],
    );
    const runs = [{}, ...frames].map((frame): Run => ({ frame, limits: {} }));
    return { name: path, text, folder: dirname(join(ROOT, path)), runs };
  });
}

function languagePrograms(): Program[] {
  return filesIn("test/language").map(({ path, text }) => {
    const runs = readExpectations(text).cases.map(
      (one): Run => ({ label: one.label, frame: Object.fromEntries(one.frame), limits: effectiveLimits(one.limits) }),
    );
    return { name: path, text, folder: dirname(join(ROOT, path)), runs };
  });
}

function cases(): Program[] {
  return loadRunCases().map(({ name, source, label, frame, limits }) => {
    const run: Run = { label: label ?? null, frame: expandFrame(frame), limits: effectiveLimits(limits) };
    return { name, text: source, folder: ROOT, runs: [run] };
  });
}

/** The sources of what the compiler is asked about, each once. */
function compiledCases(): Program[] {
  const sources = ["compile.json", "compile-more.json"].flatMap((file) => {
    const read = JSON.parse(readFileSync(join(ROOT, "test/cases", file), "utf8")) as readonly { source?: unknown }[];
    return read.flatMap(({ source }) => (typeof source === "string" ? [source] : []));
  });
  return [...new Set(sources)].map((text) => ({ name: text, text, folder: ROOT, runs: [{ frame: {}, limits: {} }] }));
}

function compiled({ folder, runs }: Program, text: string): Ir | null {
  return compile(text, {
    strict: false,
    catalog: testCatalog,
    inputs: runs.flatMap(({ frame }) => Object.keys(frame)),
    includes: {
      read: (path, from) => {
        const folders = [...(from === null ? [] : [dirname(from)]), folder, join(folder, "modules")];
        const found = folders.map((one) => resolve(one, path)).find((place) => existsSync(place));
        if (found === undefined) return { ok: false, reason: "not_found", searched: folders.length };
        return { ok: true, identity: found, text: readFileSync(found, "utf8") };
      },
    },
  }).ir;
}

/** Result or error, and what it cost. Names of labels and lines may differ. */
async function outcomeOf(ir: Ir, { frame, limits }: Run, showsLine: boolean): Promise<unknown> {
  const clock = fakeClock();
  const adapters = mockAdapters(clock);
  const outcome = await executor("machine", testCatalog)(ir, { frame, limits, adapters, clock, facts: fakeFacts() });
  const { time_ms: _time, ...usage } = outcome.usage;
  // `_error_info` names the label and the line of the text that ran.
  const name = /"(?:_entry|_label_(\w+))"/g;
  const place = /"(?:label":"[^"]*"|line":[0-9]+)/g;
  if (showsLine) return usage;
  return outcome.ok
    ? {
        out: JSON.stringify(outcome.out)
          .replaceAll(name, (_, id) => JSON.stringify(id ?? "1"))
          .replaceAll(place, ""),
        usage,
      }
    : { code: outcome.error.code, node: outcome.error.node, usage };
}

const comments = (text: string): string[] =>
  parse(text)
    .comments.map((comment) => comment.text.trim())
    .filter((comment) => !/^(surface|frame)\s*:/.test(comment))
    .sort();

async function expectConverted(program: Program): Promise<"converted" | "refused" | "no program"> {
  const { name, text, runs } = program;
  const before = compiled(program, text);
  if (before === null) return "no program";
  const to: Form = isIndented(text) ? "opcode" : "indented";
  const result = convertText(text, to, before, (changed) => compiled(program, changed));
  if (!result.ok) {
    expect(result.refusals.length, name).toBeGreaterThan(0);
    for (const { line, what } of result.refusals) expect(`${line} ${what}`, name).toMatch(/^[1-9][0-9]* \S/);
    expect(
      result.refusals.filter(({ what }) => /another|does not compile|the entry/.test(what)),
      name,
    ).toEqual([]);
    return "refused";
  }
  expect(isIndented(result.text), name).toBe(to === "indented");
  expect(comments(result.text), name).toEqual(comments(text));
  const after = compiled(program, result.text) as Ir;
  expect(format(result.text), `${name}\n${result.text}`).toEqual({ ok: true, text: result.text });
  const showsLine = text.includes("_error_info.line");
  for (const run of runs) {
    if (run.label != null) continue;
    expect(await outcomeOf(after, run, showsLine), `${name}\n${result.text}`).toEqual(
      await outcomeOf(before, run, showsLine),
    );
  }
  return "converted";
}

describe("programs in the other form", () => {
  it.each([
    ["of the examples", examples(), 23],
    ["of the language tests", languagePrograms(), 556],
    ["of the shared cases", cases(), 604],
    ["of the compiler's cases", compiledCases(), 223],
  ])("%s run as before, or are refused by name", { timeout: 120_000 }, async (_which, programs, atLeast) => {
    const counts = { converted: 0, refused: 0, "no program": 0 };
    for (const program of programs) counts[await expectConverted(program)] += 1;
    expect(counts.converted, JSON.stringify(counts)).toBeGreaterThanOrEqual(atLeast);
  });
});
