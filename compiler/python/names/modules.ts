/** What modules have under their names: those of Python that are known, the module weft, and files of the program. */
import { type AdapterCatalog, type AdapterEntry, findAdapter, findVerb } from "../../catalog.ts";
import { memberOf } from "../imports/members.ts";
import { insteadOf } from "../library/instead.ts";
import { INNER_MODULES, isLibraryName, KNOWN_MODULES, membersOf, TYPING_MODULES } from "../library/known.ts";
import { preludeFunction } from "../library/prelude.ts";
import { SAID_BEFORE } from "../refusals.ts";
import { type ModuleFault, missingMember } from "./annotated.ts";
import { formIn } from "./forms.ts";
import { absentMember } from "./lacking.ts";
import type { FileModule, Imported } from "./scopes.ts";

/** What a name or dotted name means that is not a variable. */
export type Meaning =
  | { readonly kind: "lib"; readonly name: string }
  | { readonly kind: "module"; readonly module: string }
  | { readonly kind: "file"; readonly file: FileModule }
  /** A variable of another file, by its name in the IR. */
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "adapter"; readonly entry: AdapterEntry }
  /** What annotations are made of, with its module: `typing.Mapping`. */
  | { readonly kind: "typing"; readonly name: string }
  | { readonly kind: "unknown"; readonly row: string; readonly words: Readonly<Record<string, string>> };

const SAID: Meaning = { kind: "unknown", row: SAID_BEFORE, words: {} };

export class Modules {
  private readonly catalog: AdapterCatalog;

  constructor(catalog: AdapterCatalog) {
    this.catalog = catalog;
  }

  imported({ module, member, file }: Imported): Meaning {
    if (file === null) return SAID;
    if (file !== undefined) return { kind: "file", file };
    if (member === null) return { kind: "module", module };
    return this.memberFault(module, member) === null ? this.member(module, member) : SAID;
  }

  /** Why `from module import name` fails in CPython; null: it does not, or the module itself is at fault. */
  memberFault(module: string, name: string): ModuleFault | null {
    return missingMember(module, name, () => this.member(module, name));
  }

  fileMember(file: FileModule, name: string): Meaning {
    const found = memberOf(file, name);
    if ("row" in found) return { kind: "unknown", ...found };
    if ("file" in found) return { kind: "file", file: found.file };
    return "imported" in found ? this.imported(found.imported) : { kind: "global", name: found.global };
  }

  member(module: string, name: string): Meaning {
    if (module === "weft") return this.weftMember(name);
    const whole = `${module}.${name}`;
    if (TYPING_MODULES.has(module)) return { kind: "typing", name: whole };
    if (this.fault(module) !== null) return SAID;
    const form = formIn(module, name);
    if (form !== null) return { kind: "unknown", row: `${form}_value`, words: {} };
    if (isLibraryName(whole)) return { kind: "lib", name: whole };
    if (KNOWN_MODULES.has(whole) || INNER_MODULES.has(whole)) return { kind: "module", module: whole };
    const adapter = findAdapter(this.catalog, module);
    if (adapter !== undefined && (!KNOWN_MODULES.has(module) || findVerb(adapter, name) !== undefined))
      return { kind: "unknown", row: "module_of_python", words: { module, name } };
    return { kind: "unknown", ...absentMember(module, name) };
  }

  private weftMember(name: string): Meaning {
    const entry = findAdapter(this.catalog, name);
    if (entry !== undefined) return { kind: "adapter", entry };
    const own = preludeFunction(name);
    if (own !== undefined) return { kind: "lib", name: own };
    if (formIn("weft", name) !== null) return { kind: "unknown", row: `${name}_value`, words: {} };
    return isLibraryName(`weft.${name}`)
      ? { kind: "lib", name: `weft.${name}` }
      : { kind: "unknown", row: "unknown_member", words: { module: "weft", name } };
  }

  /** What a name that nothing defines would be imported as: a module, or what one module has and is called; null: no module has it. */
  forgotten(name: string, isCalled: boolean): ModuleFault | null {
    const owners = [...KNOWN_MODULES].filter((module) => module !== "operator" && membersOf(module).includes(name));
    const inner = [...KNOWN_MODULES].filter((module) => module.startsWith(`${name}.`));
    const modules = inner.length > 0 ? inner : KNOWN_MODULES.has(name) ? [name] : [];
    const lines = [
      ...modules.map((module) => `import ${module}`),
      ...(owners.length === 1 && (isCalled || owners[0] === name) ? [`from ${owners[0]} import ${name}`] : []),
    ];
    if (lines.length > 0) return { row: "unknown_name_import", words: { name, line: lines.join(", or ") } };
    const instead = insteadOf(name);
    return instead === undefined ? null : { row: "unknown_name_instead", words: { name, instead } };
  }

  /** Whether an import names a module that is known; the row that says why not. */
  fault(module: string): ModuleFault | null {
    if (module === "weft" || KNOWN_MODULES.has(module) || INNER_MODULES.has(module)) return null;
    const adapter = module.split(".")[0] as string;
    if (findAdapter(this.catalog, adapter) !== undefined)
      return { row: "module_is_adapter", words: { module, adapter } };
    const instead = insteadOf(adapter);
    return instead === undefined
      ? { row: "unknown_module", words: { module } }
      : { row: "module_instead", words: { module, instead } };
  }
}
