/** Requirements and checksum of an IR are computed when they are first read; readers of the IR see no difference. */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { checksumOf } from "../../../compiler/ir/checksum.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { requirements } from "../../../compiler/policy/requirements.ts";

function irOf(source: string): Ir {
  const { ir } = compile(source, { catalog: builtinCatalog });
  if (ir === null) throw new Error("does not compile");
  return ir;
}

it("are members like the others, and the last ones", () => {
  const ir = irOf("L1:\n  X a add 1 2\n  J a\n");
  const members = [
    ...["ir_version", "entry", "labels", "nodes", "edges", "endpoints", "declarations"],
    ...["execution_requirements", "checksum"],
  ];
  expect(Object.keys(ir)).toEqual(members);
  expect(Object.keys(JSON.parse(JSON.stringify(ir)))).toEqual(members);
  expect(Reflect.ownKeys({ ...ir })).toEqual(members);
});

it("are computed once", () => {
  const ir = irOf('L1:\n  R http.GET "https://a.example/" ->page\n  J page\n');
  expect(ir.checksum).toBe(checksumOf(ir));
  expect(ir.execution_requirements).toEqual(requirements(ir, builtinCatalog));
  expect(ir.execution_requirements).toBe(ir.execution_requirements);
});

it("belong to their own IR", () => {
  const [first, second] = [irOf("L1:\n  J 1\n"), irOf("L1:\n  J 2\n")];
  expect(first.checksum).not.toBe(second.checksum);
  expect(first.checksum).toBe(irOf("L1: J 1\n").checksum);
});
