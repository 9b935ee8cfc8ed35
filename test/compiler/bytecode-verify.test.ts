import { expect, it } from "vitest";
import { flatten } from "../../compiler/bytecode/flatten.ts";
import { verifyProgram } from "../../compiler/bytecode/verify.ts";
import { disassemble } from "../../compiler/bytecode/disassemble.ts";
import { compile } from "../../compiler/compile.ts";
import { loadRunCases, testCatalog } from "../support/run-case.ts";
import { loadError } from "../../vm/load.ts";

it("accepts", () => {
  let bad = 0, all = 0;
  for (const one of loadRunCases()) {
    const result = compile(one.source, { strict: false, catalog: testCatalog, inputs: Object.keys(one.frame ?? {}) });
    if (result.ir === null) continue;
    for (const entry of Object.keys(result.ir.labels)) {
      if (loadError(result.ir, entry)) continue;
      all++;
      const program = flatten(result.ir, entry);
      const v = verifyProgram(program);
      if (!v.ok && bad++ < 4) console.log(one.name, entry, v.reason, one.source, disassemble(program, (v.reason.split(":")[0] as "fast")));
    }
  }
  console.log(bad, all);
  expect(bad).toBe(0);
});
