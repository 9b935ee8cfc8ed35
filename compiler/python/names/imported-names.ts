/** Names that import statements bind. */
import type { Import, ImportFrom } from "../../../grammar/python/tree.ts";
import type { FileImport, FileImports, Scope } from "./scopes.ts";

/** `import lib.mail, helpers as h` */
export function importedModules({ names }: Import, imports: FileImports, scope: Scope): void {
  for (const alias of names) {
    const { name, asname } = alias;
    const top = asname ?? (name.split(".")[0] as string);
    const module = asname === null ? top : name;
    const file = imports.get(alias)?.module;
    scope.import(top, file === undefined ? { module, member: null } : { module, member: null, file });
  }
}

/** By the name of a variable, and the names of the scope that are bound in the same way. */
type Bind = (name: string, kinds: Set<string> | null) => void;

/** `from lib.mail import send` */
export function importedMembers(node: ImportFrom, imports: FileImports, scope: Scope, bind: Bind): void {
  for (const alias of node.names) {
    const { name, asname } = alias;
    const found = imports.get(alias);
    if (found === undefined) scope.import(asname ?? name, { module: node.module ?? ".", member: name });
    else fileMember(asname ?? name, found, scope, bind);
  }
}

/** A variable, unless what it gets from the file is a module or a member of one of Python. */
function fileMember(name: string, { module, member }: FileImport, scope: Scope, bind: Bind): void {
  const from = member === undefined ? undefined : module?.code?.scope;
  if (module === null || member === undefined || from === undefined) {
    scope.import(name, { module: module?.name ?? "", member: null, file: module });
    return;
  }
  const imported = from.imports.get(member);
  if (imported !== undefined) {
    scope.import(name, imported);
    return;
  }
  bind(name, from.asyncs.has(member) && !from.mixed.has(member) ? scope.asyncs : null);
  scope.taken.set(name, { file: module, member });
}
