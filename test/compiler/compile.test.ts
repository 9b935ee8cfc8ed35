/** compile() end to end: the example of docs/ir.md, inputs of the caller, and programs made of noise. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { OPS } from "../../grammar/ops.ts";
import { compileText, irOf, lines, reported } from "./compiling.ts";
import { includeFiles } from "./lower/include-files.ts";
import { testCatalog } from "./test-catalog.ts";

const EXAMPLE = lines(
  "S demo api /demo",
  "# frame: amount: number",
  "L1:",
  '  R http.GET "https://api.example.com/rates" ->page',
  "  Err ->L_down",
  "  Set due (mul amount page.body.rate)",
  "  If due > 100 ->L_big",
  "L_big:",
  '  J {"due": due}',
  "L_down:",
  '  J "down"',
);

describe("the example of the IR document", () => {
  const result = compile(EXAMPLE, { catalog: builtinCatalog });

  it("compiles to exactly the documented IR", () => {
    const documented = JSON.parse(readFileSync(new URL("../fixtures/ir-example.json", import.meta.url), "utf8"));
    expect(JSON.parse(JSON.stringify(result.ir))).toEqual(documented);
    expect(result.ir?.checksum).toBe("sha256:a6304c99d97fd90e05f0837b36c55337cdb79ae7bd4f5e5818ecf0ac09860d7e");
  });

  it("is accepted as supplied IR without a change", () => {
    expect(normalize(JSON.parse(JSON.stringify(result.ir)), builtinCatalog)).toMatchObject({ ok: true, ir: result.ir });
  });

  it("has the same checksum in another layout", () => {
    const other = EXAMPLE.replace("R http.GET", "R   http   get")
      .replaceAll("\n  ", "\n\t")
      .replace("L_big:\n", "\nL_big: # big\n");
    expect(irOf(other).checksum).toBe(result.ir?.checksum);
  });
});

describe("a caller without types", () => {
  const call = compile as (...args: unknown[]) => unknown;

  it("needs to name no catalog for the built-in adapters", () => {
    const expected = compile(EXAMPLE, { catalog: builtinCatalog });
    expect(compile(EXAMPLE)).toEqual(expected);
    expect(compile(EXAMPLE, {})).toEqual(expected);
  });

  it.each([
    [[Buffer.from(EXAMPLE)], "a program must be text"],
    [[undefined, {}], "a program must be text"],
    [[EXAMPLE, null], "the options of compile must be an object"],
    [[EXAMPLE, "strict"], "the options of compile must be an object"],
    [[EXAMPLE, { catalog: {} }], "option catalog must be what createCatalog gives"],
    [[EXAMPLE, { catalog: null }], "option catalog must be what createCatalog gives"],
    [[EXAMPLE, { inputs: "amount" }], "option inputs must be a list"],
    [[EXAMPLE, { allowed_adapters: "http" }], "option allowed_adapters must be a list"],
    [[EXAMPLE, { includes: () => "" }], "option includes must be an object with a function read"],
  ])("gets an error about its arguments %#", (args, message) => {
    expect(() => call(...args)).toThrow(new TypeError(message));
  });
});

describe("inputs of the caller", () => {
  const source = lines("L1:", "  Set a (add n m)", "  If flag.x ->L2", "L2:", "  J other");

  it("are missing without a frame", () => {
    const result = compileText(source);
    expect(result.ok).toBe(false);
    expect(result.ir).toBeNull();
    expect(result.undeclared_reads.map(({ name, label_id, node_id }) => [name, label_id, node_id])).toEqual([
      ["m", "1", "n1"],
      ["n", "1", "n1"],
      ["other", "2", "n1"],
    ]);
  });

  it("suppress their own findings and no others", () => {
    expect(reported(compileText(source, { inputs: ["n", "flag"] }))).toEqual(["WF4001 2:16", "WF4001 5:5"]);
    const result = compileText(source, { inputs: ["n", "m", "flag", "other"] });
    expect(result).toMatchObject({ ok: true, diagnostics: [], undeclared_reads: [] });
    expect(result.ir?.nodes).toHaveLength(3);
  });

  it("count as declared for the warning of J with the name of a label", () => {
    const jump = lines("L1:", "  J done", "Ldone:", "  J 1");
    expect(reported(compileText(jump))).toContain("WF9008 2:5");
    expect(reported(compileText(jump, { inputs: ["done"] }))).toEqual([]);
  });

  it("do not hide an error after a thousand reads", () => {
    const many = lines("L1:", ...Array.from({ length: 1100 }, (_, i) => `  Set v${i} x${i}`), "  Call L9 ->v", "  J v");
    const result = compileText(many, { inputs: Array.from({ length: 1100 }, (_, i) => `x${i}`) });
    expect(reported(result)).toEqual(["WF3001 1102:8"]);
    expect(result.ok).toBe(false);
  });
});

describe("any text at all", () => {
  const words = [
    ...OPS.flatMap((op) => [op.name, ...op.aliases]),
    ...'L1: L2: L_a: ->L1 ->x -> x $x x.a x[0] 1 -3 true null "t" \'t ( ) [ ] { } , : == = >= not ! x? @n1 @n2 add now'.split(
      " ",
    ),
    ..."core.ADD http.GET ext.RUN $a.b limit=3 limit=x exponential include lib.wf as k # frame: y: list 1e999 \u0000 \ud800".split(
      " ",
    ),
    "\n",
    "\n",
    "\n",
    "\n  ",
    "\r\n",
    "\ufeff",
  ];
  const program = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join(" "));
  const options = (strict: boolean) => ({
    strict,
    catalog: testCatalog,
    includes: includeFiles({ "lib.wf": "include lib.wf as k\nLENTRY:\n J 1\n" }),
    reachability: true,
    compat_notes: true,
  });

  it("never makes the compiler throw, and ok says whether there is IR", () => {
    fc.assert(
      fc.property(fc.oneof(program, fc.string({ maxLength: 200 })), fc.boolean(), (source, strict) => {
        const result = compile(source, options(strict));
        expect(result.ok).toBe(result.ir !== null);
        expect(result.ok).toBe(!result.diagnostics.some(({ severity }) => severity === "error"));
      }),
      { numRuns: 400 },
    );
  });

  it("gives IR that passes validation, unless a target is missing", () => {
    fc.assert(
      fc.property(program, (source) => {
        const { ir, diagnostics } = compile(source, options(false));
        const unresolved = diagnostics.some(({ code }) => ["WF3001", "WF3004", "WF3012"].includes(code));
        if (ir === null || unresolved || ir.nodes.length === 0 || ir.entry === null) return;
        const again = normalize(JSON.parse(JSON.stringify(ir)), testCatalog);
        if (!again.ok) {
          // An entry label without steps, or a host name that only the source form may carry, is refused on input.
          expect(again.issues.map(({ code }) => code)).toEqual(again.issues.map(() => "nothing_to_run"));
          return;
        }
        expect(again.ir.checksum).toBe(ir.checksum);
      }),
      { numRuns: 300 },
    );
  });

  it("is linear: a program of many labels and mistakes compiles in time", () => {
    const count = 4000;
    const source = lines(
      ...Array.from({ length: count }, (_, i) => `L${i}:\n  R cor.ADD 1 ->a\n  Call Lx${i} ->v\n  J vv${i}`),
    );
    expect(compileText(source).diagnostics).toHaveLength(1001);
  });
});
