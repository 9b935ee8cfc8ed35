/** The Python form, in the page: it is not read there until it is the form that programs are written in. Its compiler would double what the page loads. */
import type { CompiledPython } from "../../../compiler/python/compile.ts";

export function compilePython(): CompiledPython {
  const words = { word: "# surface: python" };
  const suggestion = "this page does not read the Python form yet: use wf check";
  return { ir: null, findings: [{ code: "WF1106", span: null, words, suggestion }] };
}

/** As it is. */
export function printPython(text: string): { readonly ok: true; readonly text: string } {
  return { ok: true, text };
}
