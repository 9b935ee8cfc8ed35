/** Differences of programs: none between a program and its layout, always one when the meaning changed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffPrograms } from "../../../compiler/diff/program-diff.ts";
import { format } from "../../../grammar/print/print.ts";
import { runs } from "../../support/generators.ts";
import { catalog, irOf } from "../../support/world.ts";
import "../../support/property-seed.ts";

const PROGRAMS = 60;
const MAX_MS = 60_000;
const diff = (before: string, after: string) =>
  diffPrograms(irOf(before, { strict: false }), irOf(after, { strict: false }), catalog);

describe("differences of generated programs", () => {
  it("are absent after formatting", { timeout: MAX_MS }, () => {
    fc.assert(
      fc.property(runs, ({ source }) => {
        const formatted = format(source);
        if (formatted.ok) expect(diff(source, formatted.text).same).toBe(true);
        expect(diff(`# a comment\n\n${source}`, source).same).toBe(true);
      }),
      { numRuns: PROGRAMS },
    );
  });

  it("are there exactly when the checksums differ", { timeout: MAX_MS }, () => {
    fc.assert(
      fc.property(runs, runs, ({ source: one }, { source: other }) => {
        const [before, after] = [irOf(one, { strict: false }), irOf(other, { strict: false })];
        expect(diffPrograms(before, after, catalog).same).toBe(before.checksum === after.checksum);
      }),
      { numRuns: PROGRAMS },
    );
  });

  it("are seen from both sides", { timeout: MAX_MS }, () => {
    fc.assert(
      fc.property(runs, runs, ({ source: one }, { source: other }) => {
        const [there, back] = [diff(one, other), diff(other, one)];
        const values = (side: typeof there, change: string) =>
          side.powers.filter((power) => power.change === change).map(({ kind, value }) => `${kind} ${value}`);
        expect(values(there, "added").sort()).toEqual(values(back, "removed").sort());
      }),
      { numRuns: PROGRAMS },
    );
  });
});

describe("a difference", () => {
  const OLD = "L1:\n  Set a 1\n  Set b 2\n  J b\nL2:\n  J 2\n";

  it("is one addition when a step was inserted", () => {
    const { labels } = diff(OLD, OLD.replace("  Set b", "  Set c 3\n  Set b"));
    expect(labels).toEqual([
      {
        change: "changed",
        label: "1",
        steps: [{ change: "added", after: { node: "n2", line: 3, file: null, text: "Set c 3" } }],
        ways: [],
      },
    ]);
  });

  it.each([
    [
      "a way",
      "L1:\n  If x ->L2 ->L3\nL2:\n  J 2\nL3:\n  J 3\n",
      "->L2 ->L3",
      "->L3 ->L3",
      { port: "then", before: "2", after: "3" },
    ],
    [
      "a handler",
      "L1:\n  R core.DIV 1 x ->y\n  Err ->L2\n  J y\nL2:\n  J 2\nL3:\n  J 3\n",
      "Err ->L2",
      "Err ->L3",
      { port: "handler", before: "2", after: "3" },
    ],
  ])("is %s that leads elsewhere", (_, source, from, to, way) => {
    expect(diff(source, source.replace(from, to)).labels).toMatchObject([{ label: "1", steps: [], ways: [way] }]);
  });

  it("is an endpoint, a declaration or the entry", () => {
    const served = `E /a G ->L1 ->b\n${OLD}`;
    expect(diff(OLD, served).endpoints).toEqual([{ change: "added", text: "GET /a ->L1 b" }]);
    expect(diff(OLD, "L2:\n  J 2\nL1:\n  Set a 1\n  Set b 2\n  J b\n").entry).toEqual({ before: "1", after: "2" });
    expect(diff(OLD, `# frame: n: number\n${OLD}`).declarations).toEqual([{ change: "added", text: "frame n number" }]);
  });
});

describe("the difference of large programs", () => {
  it("has every label, each once", () => {
    const code = (host: string): string =>
      Array.from({ length: 2000 }, (_, at) => `L${at + 1}:\n  R http.Get "https://${host}/${at}" ->x\n  J x\n`).join(
        "",
      );
    const [before, after] = [irOf(code("one.example")), irOf(code("two.example"))];
    expect(diffPrograms(before, after, catalog).labels).toHaveLength(2000);
  });
});
