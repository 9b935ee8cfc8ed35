/** IR of Python programs that comes back as JSON: from the job store, from deployments, from callers. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { emitPython } from "../../compiler/bytecode/python/emit.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { includesIn } from "../../vm/inputs/program-files.ts";
import { caseFiles, readCases } from "./support/case-files.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "cases");

function irOf(source: string, files: Readonly<Record<string, string>> = {}): Ir | null {
  const text = source.startsWith("# surface") ? source : `# surface: python\n${source}`;
  return compile(text, { catalog: builtinCatalog, includes: includesIn({ files, main: "" }) }).ir;
}

it.each(caseFiles(folder))("%s: every program is read as it was written", (file) => {
  const differing = readCases(folder, file).flatMap(({ id, source, files }) => {
    const ir = irOf(source, files);
    if (ir === null) return [];
    const read = normalize(JSON.parse(JSON.stringify(ir)), builtinCatalog);
    if (!read.ok) return [`${id}: ${JSON.stringify(read.issues[0])}`];
    return read.ir.checksum === ir.checksum && read.warnings.length === 0 ? [] : [`${id}: ${read.warnings.join()}`];
  });
  expect(differing).toEqual([]);
});

type Changed = { nodes: { [member: string]: unknown; data: { [member: string]: unknown } }[]; edges: object[] };
const LOOP = "def main(n):\n    while n > 0:\n        n -= 1\n    return n\n";

describe("IR that no compiler made is refused:", () => {
  const read = (change: (ir: Changed) => void) => {
    const ir = JSON.parse(JSON.stringify(irOf(LOOP)));
    change(ir);
    delete ir.checksum;
    return normalize(ir, builtinCatalog);
  };

  it.each<[string, (ir: Changed) => void]>([
    ["a step that does something unknown", ({ nodes }) => Object.assign(nodes[0]?.data ?? {}, { do: "exec" })],
    ["a member that a step does not have", ({ nodes }) => Object.assign(nodes[0]?.data ?? {}, { code: "1" })],
    ["a step of the opcode form in a function", ({ nodes }) => Object.assign(nodes[0] ?? {}, { op: "J" })],
    ["a port that functions do not have", ({ edges }) => Object.assign(edges[0] ?? {}, { port: "handler" })],
  ])("%s", (_what, change) => expect(read(change)).toMatchObject({ ok: false, status: "invalid_ir" }));

  it.each(["a//b", "/a", "a/b c", "a/$1", "a/../b"])("a global that no file has: %s", (name) => {
    expect(read(({ nodes }) => Object.assign(nodes[0] ?? {}, { data: { do: "del_global", name } }))).toMatchObject({
      ok: false,
      issues: [{ code: "bad_name" }],
    });
  });

  it("a loop that counts no step, before it runs", () => {
    const changed = read(({ nodes }) => {
      for (const node of nodes) delete node["step"];
    });
    if (!changed.ok) throw new Error(JSON.stringify(changed.issues));
    expect(() => emitPython(changed.ir)).toThrow("counts no step");
  });
});
