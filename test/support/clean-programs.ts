/** The shared programs that compile without an error or a warning, with their names: what tools for authors have to cope with. */
import { readFileSync } from "node:fs";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";

type Case = { readonly id?: string; readonly name?: string; readonly source?: unknown; readonly frame?: object };

export function cleanPrograms(): { readonly name: string; readonly source: string }[] {
  const path = new URL("../cases/run.json", import.meta.url);
  const read = JSON.parse(readFileSync(path, "utf8")) as { cases?: Case[] } | Case[];
  const cases = Array.isArray(read) ? read : (read.cases ?? []);
  return cases.flatMap(({ id, name, source, frame }) => {
    if (typeof source !== "string") return [];
    const { ok, diagnostics } = compile(source, { catalog: builtinCatalog, inputs: Object.keys(frame ?? {}) });
    if (!ok || diagnostics.some(({ severity }) => severity !== "hint")) return [];
    return [{ name: String(id ?? name), source }];
  });
}
