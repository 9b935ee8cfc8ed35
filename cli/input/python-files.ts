/**
 * Which `.py` files of a folder are programs: a folder may hold any Python, and what is served has addresses. A file that the user names is always one.
 */
import { lstatSync } from "node:fs";
import { counted } from "../../grammar/text/english.ts";
import { MAX_SOURCE_BYTES, readFoundFile } from "./input.ts";

/** `@api("/orders")` at the margin, and not `@api.route(…)` of another library. */
const DECORATED = /^@(?:weft\.)?(?:api|cron|on|job)[ \t]*(?:\(|#|\r?$)/m;
const IMPORTED = /^(?:from[ \t]+weft[ \t]+import\b|import[ \t]+weft\b)/m;
const MAIN = /^(?:async[ \t]+)?def[ \t]+main\b/m;

/** Folders of installed packages and of what Python keeps. */
export const NEVER_ENTERED: ReadonlySet<string> = new Set(["venv", "site-packages", "node_modules", "__pycache__"]);

/** `path`: where the file is, found below a folder as `file`. What a link leads to is not looked at, and a file that cannot be read is not a program. */
export function isPythonProgram(path: string, file: string): boolean {
  if (file.split("/").slice(0, -1).includes("tests")) return false;
  let text: string;
  try {
    if (!lstatSync(path).isFile()) return false;
    text = readFoundFile(path, file, MAX_SOURCE_BYTES);
  } catch {
    return false;
  }
  return DECORATED.test(text) || (IMPORTED.test(text) && MAIN.test(text));
}

/** What is said of those of a folder that are not programs. */
export function leftOutText(count: number): string {
  const files = counted(count, ".py file");
  return `${files} left out: a program has @api or @cron, or imports weft and has a function main`;
}
