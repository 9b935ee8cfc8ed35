/** Includes: merging, qualified references, the contract of modules, and every bound and refusal. */
import { describe, expect, it } from "vitest";
import type { CompileResult } from "../../../compiler/options.ts";
import { compileText, dataOf, edgesOf, irOf, lines } from "../compiling.ts";
import { includeFiles } from "./include-files.ts";

const CHECK = lines(
  "# frame: amount: number",
  "LENTRY:",
  "  If amount > 100 ->LEXIT_BIG ->LEXIT_OK",
  "LEXIT_BIG:",
  '  J "review"',
  "LEXIT_OK:",
  '  J "ok"',
);
const MAIN = lines('include "lib/check.wf" as chk', "L1:", "  Call chk/ENTRY ->ok", "  J ok");

function compileFiles(source: string, files: Record<string, string>, strict = true): CompileResult {
  return compileText(source, { strict, includes: includeFiles(files) });
}

/** `lib/check.wf:2 WF4001` for every diagnostic except hints. */
function reported(result: CompileResult): string[] {
  return result.diagnostics
    .filter(({ severity }) => severity !== "hint")
    .map(({ code, span }) => `${span?.file ?? "main"}:${span?.line} ${code}`);
}

const module = (...body: string[]) => lines(...body, "LENTRY:", "  J 1", "LEXIT_A:", "  J 2");

describe("merging", () => {
  it("qualifies labels and references, and names the file of steps", () => {
    const ir = irOf(MAIN, { includes: includeFiles({ "lib/check.wf": CHECK }) });
    expect(Object.keys(ir.labels)).toEqual(["1", "chk/ENTRY", "chk/EXIT_BIG", "chk/EXIT_OK"]);
    expect(edgesOf(ir, "1")[0]).toBe("n1 -call-> chk/ENTRY");
    expect(edgesOf(ir, "chk/ENTRY")).toEqual(["n1 -else-> chk/EXIT_OK", "n1 -then-> chk/EXIT_BIG"]);
    expect(ir.nodes.map(({ label, file, line }) => [label, file, line])).toEqual([
      ["1", undefined, 3],
      ["1", undefined, 4],
      ["chk/ENTRY", "lib/check.wf", 3],
      ["chk/EXIT_BIG", "lib/check.wf", 5],
      ["chk/EXIT_OK", "lib/check.wf", 7],
    ]);
    expect(ir.declarations).toEqual([{ op: "frame", slots: ["amount", "number"], line: 1, file: "lib/check.wf" }]);
    expect(ir.entry).toBe("1");
  });

  it("chains nested aliases and calls nested files by their path from the main file", () => {
    const files = {
      "lib/outer.wf": module("include in.wf", "L_x:", "  Call in/ENTRY ->v", "  J v"),
      "lib/in.wf": module(),
    };
    const ir = irOf(lines("include lib/outer.wf", "L1:", "  J 1"), { includes: includeFiles(files) });
    expect(Object.keys(ir.labels)).toEqual([
      "1",
      "outer/_x",
      "outer/ENTRY",
      "outer/EXIT_A",
      "outer/in/ENTRY",
      "outer/in/EXIT_A",
    ]);
    expect(ir.nodes.find(({ label }) => label === "outer/in/ENTRY")?.file).toBe("lib/in.wf");
    expect(edgesOf(ir, "outer/_x")[0]).toBe("n1 -call-> outer/in/ENTRY");
  });

  it("looks names up in the module first, and in main for main", () => {
    const part = lines("C rates pair 60", "LENTRY:", '  CacheSet rates "k" 1', "  J 1", "LEXIT_A:", "  J 2");
    const main = lines(
      "include part.wf",
      "C rates pair 5",
      "L1:",
      '  CacheSet rates "k" 1',
      "  Call part/ENTRY ->v",
      "  J v",
    );
    const ir = irOf(main, { includes: includeFiles({ "part.wf": part }) });
    expect(dataOf(ir, "1", "n1")).toMatchObject({ args: [{}, {}, {}, { v: 5 }] });
    expect(dataOf(ir, "part/ENTRY", "n1")).toMatchObject({ args: [{}, {}, {}, { v: 60 }] });
  });

  it("lets main use what only a module declares", () => {
    const main = lines("include part.wf", "L1:", "  QueuePut mail 1", "  J 1");
    expect(reported(compileFiles(main, { "part.wf": module("Q mail") }))).toEqual([]);
  });

  it("qualifies the labels of a module's schedules", () => {
    const ir = irOf(lines("include part.wf", "L1:", "  J 1"), {
      includes: includeFiles({ "part.wf": module("Cr LENTRY @daily") }),
    });
    expect(ir.declarations).toEqual([{ op: "Cr", slots: ["Lpart/ENTRY", "@daily"], line: 1, file: "part.wf" }]);
  });

  it("gives the same program the same checksum under any file name", () => {
    const one = irOf(MAIN, { includes: includeFiles({ "lib/check.wf": CHECK }) });
    const two = irOf(MAIN.replace("lib/check.wf", "check.wf"), { includes: includeFiles({ "check.wf": CHECK }) });
    expect(one.checksum).toBe(two.checksum);
  });
});

describe("refusals", () => {
  it("refuses every include line without a reader, and nothing else", () => {
    expect(reported(compileText(MAIN))).toEqual(["main:1 WF3017"]);
    expect(compileText(MAIN, { strict: false }).ok).toBe(false);
  });

  it("reports missing files and files outside", () => {
    expect(reported(compileFiles(MAIN, {}))).toEqual(["main:1 WF3012"]);
    expect(reported(compileFiles(MAIN.replace("lib/", "../"), {}))).toEqual(["main:1 WF3018"]);
    expect(compileFiles(MAIN, {}, false).ok).toBe(true);
  });

  it.each([
    [{}, "put it in the one place searched, or make its folder an include root (--include-root)"],
    [
      { "lib/check.wf": `include "gone.wf" as g\n${CHECK}` },
      "put it in one of the 2 places searched, or make its folder an include root (--include-root)",
    ],
  ])("counts the places that were searched: %j", (files, expected) => {
    const missing = compileFiles(MAIN, files).diagnostics.find(({ code }) => code === "WF3012");
    expect(missing?.suggestion).toBe(expected);
  });

  it("reports errors of a module in place and at the include line", () => {
    const broken = CHECK.replace('J "review"', "J ghost");
    const result = compileFiles(MAIN, { "lib/check.wf": broken });
    expect(reported(result)).toEqual(["main:1 WF3016", "lib/check.wf:5 WF4001"]);
    expect(result.diagnostics[1]?.label_id).toBe("chk/EXIT_BIG");
    expect(result.diagnostics[0]?.message).toBe("'lib/check.wf' has 1 error");
    expect(reported(compileFiles(MAIN, { "lib/check.wf": broken }, false))).toEqual(["lib/check.wf:5 WF4001"]);
  });

  it("checks a module without the help of the program that includes it", () => {
    const needy = CHECK.replace("# frame: amount: number\n", "");
    const main = MAIN.replace("  Call", "  Set amount 5\n  Call");
    const result = compileFiles(main, { "lib/check.wf": needy });
    expect(reported(result)).toEqual(["main:1 WF3016", "lib/check.wf:2 WF4001"]);
    expect(result.diagnostics[1]?.suggestion).toBe("declare it in the module with '# frame: amount'");
    const read = needy.replace("amount > 100", "(gt amount 100)");
    expect(compileFiles(main, { "lib/check.wf": read }).diagnostics[1]?.suggestion).toBe(
      "declare it in the module with '# frame: amount', or quote it if it is text",
    );
    const alone = compileText(read);
    expect(alone.diagnostics[0]?.suggestion).toBe(
      "declare it in the module with '# frame: amount', or quote it if it is text",
    );
  });

  it.each([
    ["an S line", module("S a core noop"), "it has an S line", "write it in the program that includes the file"],
    ["an E line", module("E /a G ->LENTRY"), "it has an E line", "write it in the program that includes the file"],
    [
      "no entry",
      lines("LEXIT_A:", "  J 1"),
      "it has no label LENTRY:",
      "call the label LENTRY: that is to run first, or add LENTRY: with J null where others are called by their names",
    ],
    [
      "no exit",
      lines("LENTRY:", "  J 1"),
      "it has no label whose name starts with LEXIT_",
      "add LEXIT_ok: to it, with J and a value below",
    ],
  ])("reports a module with %s", (_, text, reason, suggestion) => {
    const result = compileFiles(lines("include m.wf", "L1:", "  J 1"), { "m.wf": text });
    const fault = result.diagnostics.find(({ code }) => code === "WF3014");
    expect(fault).toMatchObject({ message: `'m.wf' is not a module: ${reason}`, suggestion });
    expect(compileFiles(lines("include m.wf", "L1:", "  J 1"), { "m.wf": text }, false).ok).toBe(true);
  });

  it("reports an alias that gives a label twice, and keeps the first", () => {
    const files = { "a.wf": module(), "b.wf": module("L_more:", "  J 3") };
    const main = lines("include a.wf as k", "include b.wf as k", "L1:", "  J 1");
    expect(reported(compileFiles(main, files))).toEqual(["main:2 WF3015"]);
    const ir = irOf(main, { strict: false, includes: includeFiles(files) });
    expect(ir.nodes.filter(({ label }) => label.startsWith("k/")).map(({ label, file }) => `${label} ${file}`)).toEqual(
      ["k/ENTRY a.wf", "k/EXIT_A a.wf", "k/_more b.wf"],
    );
  });

  it("asks for an alias when the file name is not one", () => {
    expect(reported(compileFiles(lines("include my-check.wf", "L1:", "  J 1"), { "my-check.wf": module() }))).toEqual([
      "main:1 WF3011",
    ]);
  });
});

describe("cycles and bounds", () => {
  it("names the chain of a cycle", () => {
    const files = { "lib/a.wf": module("include b.wf"), "lib/b.wf": module("include a.wf") };
    const result = compileFiles(lines("include lib/a.wf", "L1:", "  J 1"), files);
    const cycle = result.diagnostics.find(({ code }) => code === "WF3013");
    expect(cycle?.message).toBe("include cycle: lib/a.wf -> lib/b.wf -> lib/a.wf");
    expect(cycle?.span?.file).toBe("lib/b.wf");
    expect(result.diagnostics.some(({ code, span }) => code === "WF3016" && span?.file === null)).toBe(true);
  });

  it("finds a file that includes itself, and a cycle through the main file", () => {
    for (const files of [
      { "a.wf": module("include a.wf") },
      { "a.wf": module("include main.wf"), "main.wf": module("include a.wf") },
    ]) {
      const codes = compileFiles(lines("include a.wf", "L1:", "  J 1"), files, false).diagnostics.map(
        ({ code }) => code,
      );
      expect(codes).toContain("WF3013");
    }
  });

  const chainOf = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`m${i}.wf`, i + 1 < count ? module(`include m${i + 1}.wf`) : module()]),
    );

  it("allows a depth of 16 and no more", () => {
    const main = lines("include m0.wf", "L1:", "  J 1");
    expect(reported(compileFiles(main, chainOf(16)))).toEqual([]);
    const result = compileFiles(main, chainOf(17), false);
    expect(result.diagnostics.find(({ code }) => code === "WF3019")?.message).toBe("includes exceed a depth of 16");
  });

  it("counts files over all places where they are merged", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `m${i}.wf`,
        i === 11 ? module() : module(`include m${i + 1}.wf as a`, `include m${i + 1}.wf as b`),
      ]),
    );
    const result = compileFiles(lines("include m0.wf", "L1:", "  J 1"), doubling, false);
    expect(result.diagnostics.some(({ message }) => message === "includes exceed a file count of 256")).toBe(true);
  });

  it("bounds the total size", () => {
    const big = `${module()}${"# padding padding padding padding\n".repeat(30_000)}`;
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}.wf`, big]));
    const main = lines(...Object.keys(files).map((path) => `include ${path}`), "L1:", "  J 1");
    const result = compileFiles(main, files, false);
    expect(result.diagnostics.filter(({ code }) => code === "WF3019").map(({ span }) => span?.line)).toEqual([9]);
  });

  it("bounds the statements in all, before what is wrong in them is looked for", () => {
    const big = `${module()}LX:\n${"  Set a 1\n".repeat(49_000)}`;
    const main = lines("include big.wf as a", "include big.wf as b", "include big.wf as c", "L1:", "  J 1");
    const { diagnostics } = compileFiles(main, { "big.wf": big }, false);
    expect(
      diagnostics.filter(({ code }) => code === "WF3019").map(({ span, message }) => [span?.line, message]),
    ).toEqual([[3, "includes exceed a number of statements of 100000"]]);
  });

  it("counts all errors of a module and keeps no more than are shown", () => {
    const broken = `${module()}LX:\n${"  Set a ghost\n".repeat(3000)}  J a\n`;
    const main = lines("include broken.wf as a", "L1:", "  Call a/ENTRY", "  J 1");
    const { diagnostics } = compileFiles(main, { "broken.wf": broken });
    const [first] = diagnostics.filter(({ code }) => code === "WF3016");
    expect(Number(/has (\d+) errors/.exec(first?.message ?? "")?.[1])).toBeGreaterThanOrEqual(3000);
    expect(diagnostics.length).toBeLessThanOrEqual(1001);
    expect(diagnostics.some(({ code }) => code === "WF3001")).toBe(false);
  });
});
