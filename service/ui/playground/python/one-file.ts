/** Takes the place of `compiler/python/imports/files.ts` in the page: a program there is one file, which has no other next to it. */

import type { PythonFiles } from "../../../../compiler/python/imports/files.ts";
import type { Fault } from "../../../../compiler/python/imports/members.ts";
import { importsIn } from "../../../../compiler/python/imports/statements.ts";
import { scopesOf } from "../../../../compiler/python/names/scope-walk.ts";
import type { FileImport } from "../../../../compiler/python/names/scopes.ts";
import type { Module } from "../../../../grammar/python/tree.ts";

const BROKEN: FileImport = { runs: [], module: null };

export function loadFiles(module: Module, text: string): PythonFiles {
  const imports = new Map<object, FileImport>();
  const faults = new Map<object, Fault>();
  for (const { node } of importsIn(module.body)) {
    if (node.kind === "Import" || node.level === 0) continue;
    faults.set(node, { row: node.level > 1 ? "import_above" : "import_relative", words: {} });
    for (const place of [node, ...node.names]) imports.set(place, BROKEN);
  }
  const main = { path: null, key: "", text, module, scopes: scopesOf(module, imports), imports, faults };
  return { main, others: [], findings: [], mayRepeat: false };
}
