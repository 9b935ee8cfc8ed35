/** `Each` and `Par` in IR (docs/ir.md): what the compiler writes, what is accepted from outside, and what is refused with its place. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";
import { format } from "../../../grammar/print/print.ts";
import { irOf } from "../../support/world.ts";

const SOURCE = `L1:
  Each pages [1, 2] n ->L_page limit=5 settle
  Par parts ->L_page ->L_part
  J [pages, parts]
L_page:
  R http.Get "https://a.example/" ->r
  J r
L_part:
  J 1
`;

type Loose = { [member: string]: Loose } & { [index: number]: Loose };

/** The IR of the source, changed. */
function changed(change: (ir: Loose) => void): unknown {
  const ir = JSON.parse(JSON.stringify(irOf(SOURCE))) as Loose;
  change(ir);
  return ir;
}

function issuesOf(change: (ir: Loose) => void): readonly (readonly [string, string])[] {
  const result = normalize(changed(change), builtinCatalog);
  return result.ok ? [] : result.issues.map(({ code, path }) => [code, path] as const);
}

const value = (given: unknown): Loose => given as Loose;

describe("what the compiler writes", () => {
  const ir: Ir = irOf(SOURCE);

  it("says 1.1, and names the branches in data and edges", () => {
    expect(ir.ir_version).toBe("1.1");
    expect(ir.nodes.slice(0, 2)).toMatchObject([
      {
        op: "Each",
        effect: "meta",
        effect_tier: "control",
        writes: ["pages"],
        data: { item: "n", limit: 5, mode: "settle" },
      },
      {
        op: "Par",
        effect: "meta",
        writes: ["parts"],
        data: { out: "parts", branches: ["_page", "_part"], mode: "all" },
      },
    ]);
    const labels = ir.edges.filter(({ label, to_kind }) => label === "1" && to_kind === "label");
    expect(labels.map(({ from, port, to }) => [from, port, to])).toEqual([
      ["n1", "body", "_page"],
      ["n2", "branch", "_page"],
      ["n2", "branch", "_part"],
    ]);
  });

  it("is accepted from outside as it is", () => {
    expect(normalize(JSON.parse(JSON.stringify(ir)), builtinCatalog)).toEqual({ ok: true, ir, warnings: [] });
  });

  it("is 1.0 where a program has none of it", () => {
    expect(irOf("L1:\n  J 1\n").ir_version).toBe("1.0");
  });

  it("is the same for the formatted source", () => {
    const formatted = format(SOURCE.replaceAll("  ", " \t"));
    expect(formatted).toMatchObject({ ok: true });
    expect(JSON.stringify(formatted)).toContain(
      "Each pages [1, 2] n ->L_page limit=5 settle\\n  Par parts ->L_page ->L_part\\n",
    );
  });
});

describe("what is refused from outside", () => {
  const each = "/nodes/0/data";
  const par = "/nodes/1/data";
  it.each<[string, (ir: Loose) => void, string, string]>([
    [
      "a limit of 0",
      (ir) => Object.assign(ir["nodes"]?.[0]?.["data"] ?? {}, { limit: 0 }),
      "bad_number",
      `${each}/limit`,
    ],
    [
      "a limit of 65",
      (ir) => Object.assign(ir["nodes"]?.[0]?.["data"] ?? {}, { limit: 65 }),
      "bad_number",
      `${each}/limit`,
    ],
    [
      "half a branch",
      (ir) => Object.assign(ir["nodes"]?.[0]?.["data"] ?? {}, { limit: 1.5 }),
      "bad_number",
      `${each}/limit`,
    ],
    [
      "another mode",
      (ir) => Object.assign(ir["nodes"]?.[0]?.["data"] ?? {}, { mode: "race" }),
      "schema",
      `${each}/mode`,
    ],
    [
      "no branches",
      (ir) => Object.assign(ir["nodes"]?.[1]?.["data"] ?? {}, { branches: [] }),
      "schema",
      `${par}/branches`,
    ],
    [
      "seventeen branches",
      (ir) => Object.assign(ir["nodes"]?.[1]?.["data"] ?? {}, { branches: new Array(17).fill("_part") }),
      "schema",
      `${par}/branches`,
    ],
    [
      "branches in another order than their edges",
      (ir) => Object.assign(ir["nodes"]?.[1]?.["data"] ?? {}, { branches: ["_part", "_page"] }),
      "missing_edge",
      `${par}/branches`,
    ],
    [
      "a branch that names a missing label",
      (ir) => {
        Object.assign(ir["nodes"]?.[1]?.["data"] ?? {}, { branches: ["_page", "_gone"] });
        const at = (ir["edges"] as unknown as { port: string; to: string }[]).findLast(({ port }) => port === "branch");
        Object.assign(at ?? {}, { to: "_gone" });
      },
      "missing_label",
      "/edges/",
    ],
    [
      "an Each without a body",
      (ir) => {
        const edges = ir["edges"] as unknown as { port: string }[];
        ir["edges"] = value(edges.filter(({ port }) => port !== "body"));
      },
      "missing_edge",
      "/nodes/0",
    ],
  ])("%s", (_title, change, code, path) => {
    const found = issuesOf(change);
    expect(
      found.some(([one, at]) => one === code && at.startsWith(path)),
      JSON.stringify(found),
    ).toBe(true);
  });
});

describe("source that is refused", () => {
  it.each([
    ["limit=0", "L1:\n  Each a [1] x ->L_b limit=0\n  J a\nL_b:\n  R core.ADD x 1 ->r\n  J r\n", "WF2013"],
    ["limit=65", "L1:\n  Each a [1] x ->L_b limit=65\n  J a\nL_b:\n  R core.ADD x 1 ->r\n  J r\n", "WF2013"],
    ["another mode", "L1:\n  Par a ->L_b race\n  J a\nL_b:\n  J 1\n", "WF2013"],
    ["seventeen labels", `L1:\n  Par a${" ->L_b".repeat(17)}\n  J a\nL_b:\n  J 1\n`, "WF1011"],
    ["a label that does not exist", "L1:\n  Par a ->L_b ->L_c\n  J a\nL_b:\n  J 1\n", "WF3001"],
    ["a variable of a branch", "L1:\n  Par a ->L_b\n  J x\nL_b:\n  Set x 1\n  J x\n", "WF4001"],
  ])("%s", (_title, source, code) => {
    expect(() => irOf(source)).toThrow(code);
  });
});
