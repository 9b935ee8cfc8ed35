/** Diagrams of programs of every kind: nothing is left out, nothing but our own ids is syntax. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDot } from "../../../compiler/diagram/dot.ts";
import { diagramOf } from "../../../compiler/diagram/draw.ts";
import { toMermaid } from "../../../compiler/diagram/mermaid.ts";
import { runs } from "../../support/generators.ts";
import { catalog, irOf } from "../../support/world.ts";
import "../../support/property-seed.ts";

const PROGRAMS = 60;
const MAX_MS = 60_000;

describe("diagrams of generated programs", () => {
  it("have a box for every step and an arrow for every edge", { timeout: MAX_MS }, () => {
    fc.assert(
      fc.property(runs, ({ source }) => {
        const ir = irOf(source, { strict: false });
        const diagram = diagramOf(ir, catalog);
        const boxes = diagram.groups.flatMap((group) => group.boxes);
        const steps = boxes.filter(({ shape }) => shape === "step" || shape === "branch");
        expect(steps).toHaveLength(ir.nodes.length);
        expect(new Set(boxes.map(({ id }) => id)).size).toBe(boxes.length);
        expect(diagram.arrows).toHaveLength(ir.edges.length + 1);
        const ids = new Set(boxes.map(({ id }) => id));
        for (const { from, to } of diagram.arrows) expect([ids.has(from), ids.has(to)]).toEqual([true, true]);
        for (const text of [toMermaid(diagram), toDot(diagram)])
          for (const { id } of boxes) expect(text).toMatch(new RegExp(`^ +${id}\\W`, "m"));
      }),
      { numRuns: PROGRAMS },
    );
  });

  it("keep every label when only labels are shown", { timeout: MAX_MS }, () => {
    fc.assert(
      fc.property(runs, ({ source }) => {
        const ir = irOf(source, { strict: false });
        const { groups } = diagramOf(ir, catalog, { labelsOnly: true });
        const titles = groups.flatMap((group) => group.boxes.map(({ lines }) => lines[0]?.replace(/^\[[LNO]\] /, "")));
        for (const label of Object.keys(ir.labels)) expect(titles).toContain(`L${label}`);
      }),
      { numRuns: PROGRAMS },
    );
  });
});

describe("a diagram", () => {
  it("has a box for a label that does not exist", () => {
    const ir = irOf("L1:\n  If x ->L2 ->L_gone\nL2:\n  J 1\n", { strict: false });
    expect(diagramOf(ir, catalog).groups.flatMap((group) => group.boxes)).toContainEqual(
      expect.objectContaining({ shape: "missing", lines: ["L_gone", "does not exist"] }),
    );
  });

  const linesOf = (source: string) => diagramOf(irOf(source), catalog).groups[0]?.boxes[0]?.lines ?? [];

  it("cuts long words, and never a character", () => {
    const [, word = ""] = linesOf(`L1:\n  J "${"😀".repeat(500)}"\n`);
    expect([...word]).toHaveLength(60);
    expect(word.endsWith("😀…")).toBe(true);
  });

  it("breaks long steps between words, into four lines at most", () => {
    expect(linesOf(`L1:\n  J "${"several words ".repeat(4)}"\n`)).toEqual([
      'J "several words several words several',
      'words several words "',
    ]);
    const lines = linesOf(`L1:\n  J "${"several words ".repeat(500)}"\n`);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/(several|words) …$/);
  });

  it("writes elements as the source does", () => {
    const source = 'L1:\n  Set rows [{"a b": [1]}]\n  J (add rows[0].n rows[0]["a b"][0])\n';
    const boxes = diagramOf(irOf(source), catalog).groups[0]?.boxes;
    expect(boxes?.[1]?.lines.join(" ")).toBe('J (add rows[0].n rows[0]["a b"][0])');
  });

  it("has a group for the top level of a file and for each function", () => {
    const source =
      "def totals():\n    for row in [1]:\n        helper()\n    return 1\n\ndef helper():\n    return 2\n";
    const titles = diagramOf(irOf(source), catalog).groups.flatMap(({ title }) => (title === null ? [] : [title]));
    expect(titles).toEqual(["the file", "totals", "helper"]);
  });
});
