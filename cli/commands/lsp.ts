/** `wf lsp`: the language server over stdin and stdout. The server and its protocol are loaded on demand. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "../clipanion.ts";
import { createIncludeReader } from "../include-reader.ts";
import type { CompileText } from "../lsp/program.ts";
import { type Session, WeftCommand } from "./base.ts";

export class LspCommand extends WeftCommand {
  static override paths = [["lsp"]];
  static override readonly idleFlags = ["--json", "--quiet", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Serves the language to an editor over standard input and output (Language Server Protocol).",
    examples: [
      ["started by an editor", "wf lsp"],
      ["the same; editors often add it", "wf lsp --stdio"],
      ["with the adapters of an operator", "WF_ADAPTERS=./plugins/weather.js wf lsp"],
    ],
  });

  /** Editors name the transport; there is one. */
  stdio = Option.Boolean("--stdio", true, { description: "speak over stdin and stdout (the only way)" });

  async execute(): Promise<number> {
    const session = this.session();
    const { serveLanguage } = await import("../lsp/server.ts");
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

/** Includes are read beside the file; a text that is no file on this machine has none. */
function compilerOf({ host }: Session): CompileText {
  return (text, uri) => {
    const path = uri.startsWith("file:") ? pathOf(uri) : null;
    const includes = path === null ? undefined : createIncludeReader(dirname(path), path, []);
    const result = host.compile(text, { strict: true, inputs: [], ...(includes === undefined ? {} : { includes }) });
    return { ir: result.ok ? result.ir : null, diagnostics: result.diagnostics };
  };
}

function pathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
