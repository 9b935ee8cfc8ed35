/**
 * What the source of a plugin does besides the services of the host: imports of Node's own input and output, `fetch`, the clock, random
 * numbers, timers. Reads the module and the files of its folder that it imports; the source text is searched, and nothing is run. Comments and
 * the contents of strings are ignored.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { kindOf } from "../input/path-kind.ts";

export type SourceFinding = {
  /** Relative to the folder of the plugin. */
  readonly file: string;
  readonly line: number;
  readonly kind: "direct-io" | "impure";
  readonly message: string;
};

/** Modules that reach the outside, without the prefix `node:`. */
const OUTSIDE: ReadonlySet<string> = new Set(
  "child_process cluster dgram dns dns/promises fs fs/promises http http2 https inspector net readline repl tls worker_threads".split(
    " ",
  ),
);
const IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])([^"'\n]+)\1/g;

const GLOBALS: readonly (readonly [RegExp, SourceFinding["kind"], string])[] = [
  [/(?<![.\w$])(?:globalThis\.)?fetch\s*\(/g, "direct-io", "fetch: use host.http"],
  [/(?<![.\w$])new\s+(?:WebSocket|EventSource)\b/g, "direct-io", "a connection of its own: use host.http"],
  [/(?<![.\w$])process\.(?:env|stdin|stdout|stderr|exit)\b/g, "direct-io", "process: declare settings and secrets"],
  [/(?<![.\w$])(?:Date\.now\s*\(|new\s+Date\s*\(\s*\))/g, "impure", "the clock: use ctx.now()"],
  [/(?<![.\w$])(?:Math\.random\s*\(|crypto\.random\w+\s*\()/g, "impure", "chance: use ctx.random() or ctx.uuid()"],
  [/(?<![.\w$])(?:setTimeout|setInterval)\s*\(/g, "impure", "a timer: a call neither sleeps nor outlives itself"],
];

const MAX_FILES = 500;
const MAX_BYTES = 2 * 1024 * 1024;

/** Findings of the module and of what it imports from its own folder, by file and line. */
export function sourceFindings(module: string): readonly SourceFinding[] {
  const folder = dirname(module);
  const files = new Set([module]);
  const findings: SourceFinding[] = [];
  for (const file of files) {
    const text = readFileSync(file, "utf8").slice(0, MAX_BYTES);
    const shown = relative(folder, file);
    const add = (kind: SourceFinding["kind"], at: number, message: string): void => {
      findings.push({ file: shown, line: text.slice(0, at).split("\n").length, kind, message });
    };
    for (const { index, 2: specifier = "" } of blanked(text, false).matchAll(IMPORT)) {
      const name = specifier.replace(/^node:/, "");
      if (OUTSIDE.has(name)) add("direct-io", index, `${specifier}: use the services of the host`);
      const next = resolve(dirname(file), specifier);
      const own = /^\.\.?\//.test(specifier) && next.startsWith(join(folder, "/"));
      if (own && kindOf(next) === "file" && files.size < MAX_FILES) files.add(next);
    }
    const code = blanked(text, true);
    for (const [pattern, kind, message] of GLOBALS)
      for (const { index } of code.matchAll(pattern)) add(kind, index, message);
  }
  return findings.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

/** The text with blanks in place of comments, and of what stands in quotes when `texts` is true. Line breaks stay. */
function blanked(source: string, texts: boolean): string {
  const token = /\/\/[^\n]*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*["\n]?|'(?:\\.|[^'\\\n])*['\n]?|`(?:\\.|[^`\\])*`?/gs;
  return source.replaceAll(token, (found) => {
    const comment = found.startsWith("/");
    return comment || texts ? found.replaceAll(/[^\n]/g, " ") : found;
  });
}
