/** Short ways to compile text in tests and to name what came out. */
import { compile } from "../../compiler/compile.ts";
import type { Ir, IrNode } from "../../compiler/ir/graph.ts";
import type { CompileOptions, CompileResult } from "../../compiler/options.ts";
import { testCatalog } from "./test-catalog.ts";

export function lines(...text: readonly string[]): string {
  return `${text.join("\n")}\n`;
}

export function compileText(source: string, options: Partial<CompileOptions> = {}): CompileResult {
  return compile(source, { catalog: testCatalog, ...options });
}

/** `WF3001 3:12` for every diagnostic, hints left out. */
export function reported(result: CompileResult): string[] {
  return result.diagnostics
    .filter(({ severity }) => severity !== "hint")
    .map(({ code, span }) => `${code}${span === null ? "" : ` ${span.line}:${span.column}`}`);
}

export function irOf(source: string, options: Partial<CompileOptions> = {}): Ir {
  const result = compileText(source, options);
  if (result.ir === null) throw new Error(`does not compile: ${JSON.stringify(result.diagnostics, null, 1)}`);
  return result.ir;
}

/** The data of a node: `dataOf(ir, "1", "n2")`. */
export function dataOf(ir: Ir, label: string, id: string): IrNode["data"] {
  const node = ir.nodes.find((one) => one.label === label && one.id === id);
  if (node === undefined) throw new Error(`no node ${id} in ${label}`);
  return node.data;
}

/** `n1 -err-> n2` for every edge of a label. */
export function edgesOf(ir: Ir, label: string): string[] {
  return ir.edges.filter((edge) => edge.label === label).map((edge) => `${edge.from} -${edge.port}-> ${edge.to}`);
}
