/** `wf lsp`: the language server over stdin and stdout. The server and its protocol are loaded on demand. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { IncludeReader } from "../../compiler/options.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { createIncludeReader } from "../input/include-reader.ts";
import { CliFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import type { CompileText } from "./program.ts";

export class LspCommand extends WeftCommand {
  static override paths = [["lsp"]];
  static override readonly idleFlags = ["--json", "--quiet", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Start the language server for an editor on standard input and output (Language Server Protocol).",
    examples: [
      ["started by an editor", "wf lsp"],
      ["the same; editors often add it", "wf lsp --stdio"],
      ["with the adapters of an operator", "WF_ADAPTERS=./plugins/weather.js wf lsp"],
    ],
  });
  static override readonly notes = [
    'It provides diagnostics with quick fixes, hover, completion, definitions and references, rename, formatting, outline, folding, semantic tokens and a "run" lens on the labels that something starts.',
  ];
  static override readonly pages = ["editors.md"];

  /** Editors often pass the transport; stdio is the only one. */
  stdio = Option.Boolean("--stdio", true, { description: "communicate over stdin and stdout (the only transport)" });

  async execute(): Promise<number> {
    const session = this.session();
    const { serveLanguage } = await import("./server.ts");
    const { BUILTIN_LOADERS } = await import("../../adapters/registry.ts");
    return serveLanguage({
      ...session.io.streams(),
      catalog: session.host.catalog,
      compile: compilerOf(session),
      summaryOf: async (adapter, verb) => {
        const load = Object.hasOwn(BUILTIN_LOADERS, adapter) ? BUILTIN_LOADERS[adapter] : undefined;
        const definition = await load?.();
        return definition?.verbs[verb]?.summary ?? null;
      },
    });
  }
}

/** Includes are read from the folder of the file; a document that is not a file on this machine has none. */
function compilerOf({ host }: Session): CompileText {
  return (text, uri) => {
    const path = uri.startsWith("file:") ? pathOf(uri) : null;
    const includes = path === null ? undefined : includesOf(path);
    const result = host.compile(text, { strict: true, inputs: [], ...(includes === undefined ? {} : { includes }) });
    return { ir: result.ok ? result.ir : null, diagnostics: result.diagnostics };
  };
}

/** With an invalid wf.config.json, includes are looked up next to the file only, because an editor must answer anyway. */
function includesOf(path: string): IncludeReader | undefined {
  const cwd = dirname(path);
  try {
    return createIncludeReader(cwd, path, includeRootsFor({ cwd }, path, undefined));
  } catch (cause) {
    if (cause instanceof CliFault) return createIncludeReader(cwd, path, []);
    throw cause;
  }
}

function pathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
