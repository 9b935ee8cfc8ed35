/**
 * The rules of includes that need nothing but one path or one file: aliases, how a file is called in messages, and the
 * contract of a module (docs/language.md, includes).
 */
import type { SourceFile } from "../../../grammar/ast.ts";
import type { Related } from "../../../grammar/diagnostic.ts";
import { NAME_PATTERN } from "../../../grammar/operands/tokens.ts";

export function isAlias(text: string): boolean {
  return NAME_PATTERN.test(text);
}

/** The file name without its last extension. */
export function defaultAlias(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/**
 * How a file is called: the path as written, seen from the main file. A file that was found next to an included one carries
 * that one's folder; a file found in an include root keeps the path as written.
 */
export function pathSeenFromMain(
  path: string,
  identity: string,
  from: { readonly file: string | null; readonly identity: string | null },
): string {
  if (from.file === null || from.identity === null) return path;
  const neighbor = joinPath(folderOf(from.identity), path);
  return neighbor === identity ? joinPath(folderOf(from.file), path) : path;
}

export type ContractFault = {
  readonly reason: string;
  readonly suggestion: string;
  readonly related: readonly Related[];
};

const NO_ENTRY =
  "call the label LENTRY: that is to run first, or add LENTRY: with J null where others are called by their names";

/** Why a file is not a module, or null. */
export function contractFault(file: SourceFile): ContractFault | null {
  for (const line of file.lines) {
    if (line.kind === "declaration" && (line.op === "E" || line.op === "S")) {
      const related = [{ message: "this line", span: line.span }];
      return {
        reason: `it has an ${line.op} line`,
        suggestion: "write it in the program that includes the file",
        related,
      };
    }
  }
  const ids = file.lines.flatMap((line) => (line.kind === "label" ? [line.id] : []));
  const entries = ids.filter((id) => id === "ENTRY").length;
  if (entries !== 1) {
    return entries === 0
      ? { reason: "it has no label LENTRY:", suggestion: NO_ENTRY, related: [] }
      : { reason: "it has more than one label LENTRY:", suggestion: "rename the further ones", related: [] };
  }
  if (ids.some((id) => id.startsWith("EXIT_"))) return null;
  const suggestion = "add LEXIT_ok: to it, with J and a value below";
  return { reason: "it has no label whose name starts with LEXIT_", suggestion, related: [] };
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash + 1);
}

/** `folder` with its slash, and a relative path with `.` and `..` resolved as far as possible. */
function joinPath(folder: string, path: string): string {
  const absolute = folder.startsWith("/");
  const parts: string[] = [];
  for (const part of (folder + path).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return (absolute ? "/" : "") + parts.join("/");
}
