/**
 * Imports. One of Python's own modules does nothing when it is reached: its members are known. A file of the program runs at the first import that is
 * reached, once in a run (amendment 4); what `from` takes of it becomes a variable.
 */
import type { Alias, Import, ImportFrom, Place } from "../../../../grammar/python/tree.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import type { Fault } from "../../imports/members.ts";
import { ranGlobal, topLabel } from "../../imports/python-file.ts";
import type { FileModule } from "../../names/scopes.ts";
import type { Lowerer } from "../lowerer.ts";
import { call, NONE, text } from "../operands.ts";

export function lowerImport(f: Lowerer, { names }: Import): void {
  for (const alias of names) {
    refuseAmbiguous(f, alias, alias.asname ?? (alias.name.split(".")[0] as string));
    const found = f.names.file.imports.get(alias);
    if (found === undefined) refuseUnknown(f, alias, alias.name, null);
    else if (found.module === null) refuseUnknown(f, alias, alias.name, f.names.file.faults.get(alias) ?? null);
    else run(f, found.runs);
  }
}

export function lowerImportFrom(f: Lowerer, node: ImportFrom): void {
  const { imports, faults } = f.names.file;
  const module = node.level > 0 ? `.${node.module ?? ""}` : (node.module ?? "");
  const found = imports.get(node);
  for (const alias of node.names) {
    if (alias.name === "*") f.refuse(alias, "import_star");
    refuseAmbiguous(f, alias, alias.asname ?? alias.name);
  }
  if (found === undefined || found.module === null) {
    refuseUnknown(f, node, module, faults.get(node) ?? null);
    if (found === undefined && node.level === 0) for (const alias of node.names) refuseMember(f, alias, module);
    return;
  }
  run(f, found.runs);
  for (const alias of node.names) {
    const fault = faults.get(alias);
    if (fault !== undefined) f.refuse(alias, fault.row, fault.words);
    const member = imports.get(alias)?.member;
    if (fault !== undefined || member === undefined) continue;
    const meaning = f.names.modules.fileMember(found.module, member);
    if (meaning.kind !== "global") continue;
    const name = { kind: "Name", id: alias.asname ?? alias.name, start: alias.start, end: alias.end, line: alias.line };
    f.names.bind(f, name as Parameters<typeof f.names.bind>[1], { k: "global", v: meaning.name });
  }
}

function refuseAmbiguous(f: Lowerer, at: Place, name: string): void {
  if (f.scope.isAmbiguous(name)) f.refuse(at, "import_ambiguous", { name });
}

/** A member that the module does not have, which CPython says here as well. */
function refuseMember(f: Lowerer, alias: Alias, module: string): void {
  if (alias.name === "*" || f.names.modules.fault(module) !== null) return;
  const fault = f.names.modules.memberFault(module, alias.name);
  if (fault !== null) f.refuse(alias, fault.row, fault.words);
}

/** `fault`: what is known of the files that the program has. */
function refuseUnknown(f: Lowerer, at: Place, module: string, fault: Fault | null): void {
  const known = module.startsWith(".") ? null : f.names.modules.fault(module);
  const isSaid = fault !== null && (known === null || known.row === "unknown_module");
  const found = isSaid ? fault : known;
  if (found !== null) f.refuse(at, found.row, found.words);
  else if (module.startsWith(".")) f.refuse(at, "import_relative");
}

function run({ body }: Lowerer, files: readonly FileModule[]): void {
  for (const file of files) {
    if (file.code === null) continue;
    const cond = call("global_or_none", text(ranGlobal(file)));
    const number = body.add({ do: "if", cond });
    body.take();
    body.open([{ from: number, port: "else" }]);
    body.uses(topLabel(file));
    const top: IrOperand = { k: "label", v: topLabel(file) };
    const code = call("function", top, { k: "list", items: [] }, { k: "map", entries: [] });
    body.add({ do: "eval", value: call("call", code) });
    body.open([{ from: number, port: "then" }]);
  }
}

/** The end of a file that is imported: it has run. What it raises takes its names away, where it may be imported once more. */
export function importable(f: Lowerer, file: { readonly key: string }, make: () => void, mayRepeat: boolean): void {
  const { body } = f;
  const raising = body.guard(make);
  if (body.isReached) body.add({ do: "set_global", name: ranGlobal(file), value: { k: "bool", v: true } });
  if (!mayRepeat || raising.length === 0) return;
  if (body.isReached) body.add({ do: "return", value: NONE });
  body.take();
  const caught = body.land(raising);
  for (const name of f.names.scopes.module.bound) f.names.forget(f, name);
  body.add({ do: "reraise", name: caught });
  body.take();
}
