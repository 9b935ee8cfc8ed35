/**
 * A program of the disk as a service takes it: its source, or its files when it includes or imports others, and the settings that the configuration of
 * its folder has for it.
 */
import { basename, dirname, posix, relative, sep } from "node:path";
import { compile } from "../../compiler/compile.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { IncludeReader } from "../../compiler/options.ts";
import { isPython } from "../../grammar/surface.ts";
import type { ProjectConfig } from "../grant/project-config.ts";

/** `digest.wf` and `flows/Daily_Digest.wf` are `digest` and `daily-digest`. */
export function programName(file: string): string {
  return basename(file)
    .replace(/\.[^.]*$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 63);
}

/** `path`: real path of the file. The members `code`, or `files` and `main`. */
export function sourceMembers(path: string, text: string, includes: IncludeReader | undefined): JsonObject {
  const files: { [path: string]: string } = {};
  if (includes !== undefined) {
    const folder = dirname(path);
    const reader: IncludeReader = {
      ...includes,
      read(written, from) {
        const found = includes.read(written, from);
        if (!found.ok) return found;
        const isPythonFile = written.endsWith(".py");
        files[isPythonFile ? written : keyOf(folder, found.identity, written)] = found.text;
        return isPythonFile ? found : { ...found, text: includeLines(found.text) };
      },
    };
    // Only for what it includes or imports: the service reports what is wrong.
    compile(isPython(text) ? text : includeLines(text), { strict: false, includes: reader });
  }
  if (Object.keys(files).length === 0) return { code: text };
  const main = basename(path);
  return { files: { ...files, [main]: text }, main };
}

/** What decides which files are read. Reading the rest of a large program would hold its watcher. */
function includeLines(text: string): string {
  return `# surface: opcode\n${text.match(/^[ \t]*include[ \t][^\n]*$/gm)?.join("\n") ?? ""}\n`;
}

/** Relative to the folder of the program; what lies in another include folder is known by the name it is included by. */
function keyOf(folder: string, identity: string, written: string): string {
  const way = relative(folder, identity).split(sep).join("/");
  return way.startsWith("../") ? posix.normalize(written) : way;
}

/** What the configuration says about all programs of the folder, and about this one. */
export function settingMembers(config: ProjectConfig | null, name: string): JsonObject {
  if (config === null) return {};
  const { strict, limits, policy, adapters, programs } = config;
  const shared = Object.entries({ strict, limits, policy, adapters }).filter(([, value]) => value !== undefined);
  const own = Object.hasOwn(programs, name) ? (programs[name] as JsonObject) : {};
  return { ...(Object.fromEntries(shared) as JsonObject), ...own };
}

/** A file that is a module for others has the label ENTRY and is not deployed by itself. */
export function isModule(file: string, text: string): boolean {
  return /(^|[\\/])modules[\\/]/.test(file) || /^LENTRY:/m.test(text);
}
