/**
 * Work that must grow in step with its input. Each size is chosen so that work in the square of it would take longer than the
 * test may; no clock is read.
 */
import { expect, it } from "vitest";
import { inspectProgram } from "../../cli/inspect/inspect-program.ts";
import { humanDiagnostics } from "../../cli/output/diagnostics.ts";
import { createPaint } from "../../cli/output/terminal/colour.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join("");
const compiled = (text: string) => compile(text, { catalog: builtinCatalog, strict: false });

it("inspect: 10 000 labels that all lead back to each other", () => {
  const count = 10_000;
  const text = lines(count, (i) => `L${i}:\n Call L${(i + 1) % count}\n Call L${(i * 7) % count}\n J 1\n`);
  const { ir } = compiled(text);
  if (ir === null) throw new Error("does not compile");
  expect(inspectProgram(ir, builtinCatalog).labels[count - 1]?.reason).toContain(
    `L${count - 1} can lead back to itself`,
  );
});

it("inspect: a chain of 10 000 labels that ends in a loop names the loop", () => {
  const text = `${lines(10_000, (i) => `L${i}:\n Call L${i + 1} ->a\n J a\n`)}L10000:\n Loop $x it ->LB ->LB\nLB:\n J 1\n`;
  const { ir } = compiled(text);
  if (ir === null) throw new Error("does not compile");
  expect(inspectProgram(ir, builtinCatalog).labels[0]?.reason).toContain("Loop over a list that only a run knows");
});

it("check: 100 000 unset names of one step, below a call without a result name", () => {
  const text = `L1:\n R http.Get 1\n J [\n${lines(100_000, (i) => `q${i.toString(36)},\n`)}1]\n`;
  expect(compiled(text).diagnostics.length).toBe(1001);
});

it.each([
  ["plain", "Err @n1 "],
  ["wide", "X é👩‍👩‍👧 "],
])("a thousand findings on one long line of %s text are shown", (_title, word) => {
  const text = `L1: ${word.repeat(Math.floor(60_000 / Buffer.byteLength(word)))}\n`;
  const { diagnostics } = compiled(text);
  const shown = humanDiagnostics(diagnostics, {
    name: "a.wf",
    textOf: () => text,
    paint: createPaint(false),
    width: 80,
    fixHint: null,
  });
  expect(diagnostics.length).toBeGreaterThan(900);
  expect(shown.split("\n").length).toBeGreaterThan(diagnostics.length);
});

it("a thousand findings at the end of a long file are shown", () => {
  const text = `L1:\n${"#\n".repeat(90_000)}${lines(1000, (i) => ` Set a q${i}\n`)}`;
  const { diagnostics } = compiled(text);
  const options = { name: "a.wf", textOf: () => text, paint: createPaint(false), width: 80, fixHint: null };
  expect(humanDiagnostics(diagnostics, options)).toContain("Set a q999");
});
