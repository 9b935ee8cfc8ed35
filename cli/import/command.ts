/** `wf import SRC`: a workflow or agent document in Markdown as a program. The importers are loaded on demand, with the MCP server. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readFrontMatter } from "../../compiler/import/front-matter.ts";
import { type DocumentType, IMPORT_TARGETS, MAX_DOCUMENT_BYTES } from "../../compiler/import/shapes.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { oneOf, WeftCommand } from "../commands/base.ts";
import { writeAtomically } from "../input/files.ts";
import { decode, readStdin, readTextFile, tooLarge } from "../input/input.ts";
import { CliFault, EXIT, inputFault, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

const TYPES = ["workflow", "agent"] as const satisfies readonly DocumentType[];

export class ImportCommand extends WeftCommand {
  static override paths = [["import"]];
  static override usage = Command.Usage({
    description: "Convert a workflow or agent document in Markdown into a program.",
    details: "SRC",
    examples: [
      ["a file", "wf import notes.md --type workflow"],
      ["a preset, into a file", "wf import morning-brief -o brief.wf"],
      ["from the web", "wf import https://example.com/agent.md --type agent"],
      ["from standard input", "cat notes.md | wf import - --type workflow"],
    ],
  });
  static override readonly notes = [
    "SRC is a file, an https address, the slug of a preset, or `-`. Warnings go to stderr, and `--json` gives source and meta. What cannot be found, fetched or read ends with 2. `WF_IMPORT_ALLOW_HOSTS` is a list of hosts that may be fetched from, or `none`.",
  ];
  static override readonly pages = ["import.md"];

  source = Option.String({ required: false });
  type = Option.String("--type", {
    description: "<workflow|agent> document type; required unless SRC is a preset or its front matter sets `type`",
  });
  target = Option.String("--target", {
    description: "<core|cache|memory> where the program stores its steps and parts (core: it does not)",
  });
  tone = Option.String("--tone", { description: "<TEXT> tone of an agent; overrides the document" });
  out = Option.String("-o,--out", { description: "<FILE> write the program to a file instead of stdout" });
  force = Option.Boolean("--force", false, { description: "overwrite an existing file" });
  dryRun = Option.Boolean("--dry-run", false, { description: "print the program instead of writing a file" });

  async execute(): Promise<number> {
    const session = this.session();
    const { screen } = session;
    const asked = this.type === undefined ? null : oneOf("--type", this.type, TYPES);
    const target = this.target === undefined ? undefined : oneOf("--target", this.target, IMPORT_TARGETS);
    if (this.tone !== undefined && this.tone.length > 200)
      throw usageFault("option --tone takes at most 200 characters");
    const file = this.dryRun ? undefined : this.out;
    if (file !== undefined && !this.force && exists(session.cwd, file))
      throw new CliFault(`${file} exists; --force overwrites it`, { error: "output_error", exitCode: EXIT.usage });
    const { convert } = await import("../../mcp/main.ts");
    const document = await this.found(session, asked);
    if (!document.ok) throw importFault(document);
    const type = asked ?? document.type ?? typeOf(document.markdown);
    const program = convert(document, { type, target, tone: this.tone });
    if (!program.ok) throw importFault(program);
    const { source, meta } = program;
    for (const warning of meta.warnings) screen.warning(warning);
    if (file !== undefined) writeAtomically(session.cwd, file, source);
    if (screen.json) screen.document({ ok: true, ...(file === undefined ? { source } : { path: file }), meta });
    else if (file === undefined) screen.text(source);
    else screen.note(`${file} written: ${meta.type} ${meta.slug}`);
    return EXIT.success;
  }

  private async found(session: Session, type: DocumentType | null) {
    const main = await import("../../mcp/main.ts");
    const { cwd, io, environment } = session;
    const { source } = this;
    if (source === undefined && io.stdin.terminal)
      throw usageFault("missing SRC; give a file, an address, a preset, or -");
    if (source === undefined || source === "-") return inline(await readStdin(io));
    if (!main.isAddress(source) && (exists(cwd, source) || /^[./]|\.[a-z]+$/i.test(source))) {
      const markdown = readTextFile(cwd, source, MAX_DOCUMENT_BYTES);
      const name = main.nameOf(source);
      return { ok: true as const, markdown, provenance: `file:${name}`, name, type: null };
    }
    const preset = main.isAddress(source) ? null : main.typeOfPreset(source);
    const { result, by } = await interruptible(io, (signal) => {
      const sources = {
        fetchDocument: main.createDocumentFetcher(),
        allowHosts: main.importHosts(environment.importHosts),
        readLocal: null,
        signal,
      };
      return main.findDocument(source, type ?? preset ?? "workflow", sources).catch((cause: unknown) => {
        if (signal.aborted) return null;
        throw cause;
      });
    });
    if (result === null || by !== null)
      throw new CliFault("interrupted", { error: "cancelled", exitCode: exitOf(by ?? "SIGINT") });
    if (!result.ok && result.error === "unknown_preset")
      return { ...result, message: `${source} is neither a file, a preset nor an https address` };
    return { ...result, type: preset };
  }
}

function inline(bytes: Uint8Array) {
  if (bytes.length > MAX_DOCUMENT_BYTES) throw tooLarge("<stdin>", MAX_DOCUMENT_BYTES);
  const markdown = decode("<stdin>", bytes);
  if (markdown.trim() === "") throw inputFault("empty_source", "<stdin> is empty; give a document in Markdown");
  return { ok: true as const, markdown, provenance: "inline", type: null };
}

/** What the document says it is. */
function typeOf(markdown: string): DocumentType {
  const said = readFrontMatter(markdown.replace(/^\uFEFF/, "").split(/\r?\n/)).values.get("type");
  const type = TYPES.find((one) => one === said?.toLowerCase());
  if (type === undefined) throw usageFault("missing option --type; use workflow or agent");
  return type;
}

type Failure = {
  readonly error: string;
  readonly message: string;
  readonly source_url?: string;
  readonly status?: number;
  readonly close_slugs?: readonly string[];
};

function importFault(failure: Failure): CliFault {
  const { error, message, close_slugs = [], source_url, status } = failure;
  const hint = close_slugs.length === 0 ? "" : `; close presets: ${close_slugs.join(", ")}`;
  return new CliFault(`${message}${hint}`, {
    error,
    exitCode: EXIT.usage,
    members: {
      ...(close_slugs.length === 0 ? {} : { close_slugs: [...close_slugs] }),
      ...(source_url === undefined ? {} : { source_url }),
      ...(status === undefined ? {} : { status }),
    },
  });
}

function exists(cwd: string, path: string): boolean {
  try {
    return statSync(resolve(cwd, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
