/** `wf mcp`: the MCP server on standard input and output. It is loaded on demand, so that no other command pays for it. */
import { resolve } from "node:path";
import type { Variables } from "../../adapters/operator/host-config.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { writeAtomically } from "../input/files.ts";
import { readTextFile } from "../input/input.ts";
import { serveAgents } from "../mcp-server.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { wrappedTable } from "../output/terminal/table.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

type HostEntry = { readonly mcpServers: Readonly<Record<string, object>> };

export class McpCommand extends WeftCommand {
  static override paths = [["mcp"]];
  static override usage = Command.Usage({
    description: "Start the MCP server on standard input and output.",
    examples: [
      ["for an MCP host", "wf mcp"],
      ["only checking and compiling", "wf mcp --exposure validate_only"],
      ["what a host sees", "wf mcp --list"],
      ["the entry for a host's configuration", "wf mcp --print-config"],
      ["for VS Code", "wf mcp --write .vscode/mcp.json"],
      ["the programs of a service as tools", "wf mcp --programs http://127.0.0.1:8770"],
      ["one of them stays at its version", "wf mcp --programs http://127.0.0.1:8770 --pin digest@3"],
    ],
  });
  static override readonly notes = [
    'It serves the tools until the input ends. `--write` merges the entry into the file and keeps a copy of the old one next to it. Files of VS Code get its form: `servers` in `.vscode/mcp.json`, or in any file that has such a member, with `"type": "stdio"` in the entry.',
    "Exit 2 with `--programs`: no service answers there.",
  ];
  static override readonly pages = ["mcp.md", "start-agent.md"];
  protected override readonly usesAdapters = false;

  exposure = Option.String("--exposure", { description: "<NAME> exposure profile (WF_MCP_EXPOSURE_PROFILE)" });
  profile = Option.String("--profile", { description: "<NAME|FILE> security profile of the server (WF_MCP_PROFILE)" });
  list = Option.Boolean("--list", false, { description: "print tools, resources and grant, then exit" });
  printConfig = Option.Boolean("--print-config", false, { description: "print the entry for a host's configuration" });
  write = Option.String("--write", { description: "<PATH> add the entry to a host's configuration file" });

  programs = Option.String("--programs", {
    description: "<URL> serve the programs of this service as tools, in place of the tools for programs",
  });
  unreviewed = Option.Boolean("--unreviewed", false, {
    description: "with --programs: also versions that no person accepted",
  });
  pin = Option.Array("--pin", [], { description: "<NAME@VERSION> with --programs: a version that does not change" });

  async execute(): Promise<number> {
    const { io } = this.context;
    const { programs: url, unreviewed } = this;
    const pins = this.pin.flatMap((text) => text.split(","));
    if (url === undefined && (unreviewed || pins.length > 0))
      throw usageFault("--unreviewed and --pin belong to --programs");
    if (url !== undefined && (this.list || this.exposure !== undefined || this.profile !== undefined))
      throw usageFault(
        "--programs has no tools of its own to list or to hide: leave out --list, --exposure and --profile",
      );
    if ([this.list, this.printConfig, this.write !== undefined].filter(Boolean).length > 1)
      throw usageFault("--list, --print-config and --write exclude each other");
    if (this.printConfig) return this.printEntry(this.session());
    if (this.write !== undefined) return this.writeEntry(this.session(), this.write);
    this.enterFolder();
    const given = { WF_MCP_EXPOSURE_PROFILE: this.exposure, WF_MCP_PROFILE: this.profile };
    const variables = {
      ...io.environment,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    };
    if (this.list) return this.describe(this.session(), variables);
    return url === undefined ? serveAgents(io, variables) : serveAgents(io, variables, { url, unreviewed, pins });
  }

  /** The flags that a host must give as well. */
  private flags(): string[] {
    return [
      ...(this.exposure === undefined ? [] : ["--exposure", this.exposure]),
      ...(this.profile === undefined ? [] : ["--profile", this.profile]),
      ...(this.programs === undefined ? [] : ["--programs", this.programs]),
      ...(this.unreviewed ? ["--unreviewed"] : []),
      ...this.pin.flatMap((one) => ["--pin", one]),
    ];
  }

  private entry(hostEntry: (args: readonly string[], name?: string) => HostEntry): HostEntry {
    return hostEntry(this.flags(), this.programs === undefined ? "weft" : "weft-programs");
  }

  private async printEntry({ screen }: Session): Promise<number> {
    const { hostEntry } = await import("../../mcp/main.ts");
    const entry = this.entry(hostEntry);
    if (screen.json) screen.document(entry);
    else screen.out(`${jsonIndented(entry)}\n`);
    return EXIT.success;
  }

  private async describe({ screen, io }: Session, variables: Variables): Promise<number> {
    const { describeMcp } = await import("../../mcp/main.ts");
    const { clock, uuid } = io;
    const found = await describeMcp({ variables, clock, uuid, complain: (text) => io.stderr.write(text) });
    if (!found.ok) throw new CliFault(found.message, { error: "invalid_configuration", exitCode: EXIT.usage });
    const { warnings, ...about } = found.server;
    for (const warning of warnings) screen.warning(warning);
    if (screen.json) {
      screen.document({ ok: true, ...about });
      return EXIT.success;
    }
    const words = (names: readonly string[] | null): string =>
      names === null ? "any" : names.length === 0 ? "-" : names.join(" ");
    const { grant } = about;
    const rows = [
      ["tools", words(about.tools)],
      ["resources", words(about.resources)],
      ["profile", about.profile ?? "-"],
      ["strict profile", about.strict_profile ?? "-"],
      ["adapters", words(grant.allowed_adapters)],
      ["forbidden tiers", words(grant.forbidden_privilege_tiers)],
      [
        "limits",
        Object.entries(grant.limits)
          .map(([key, value]) => `${key} ${value}`)
          .join(", "),
      ],
    ];
    screen.out(`${wrappedTable(rows, screen.tableWidth).join("\n")}\n`);
    return EXIT.success;
  }

  private async writeEntry({ cwd, screen, io }: Session, path: string): Promise<number> {
    const { hostEntry, mergedHostConfig } = await import("../../mcp/main.ts");
    const existing = readIfPresent(cwd, path);
    const merged = mergedHostConfig(existing, this.entry(hostEntry), resolve(cwd, path));
    if (!merged.ok) throw new CliFault(`${path}: ${merged.message}`, { error: "invalid_json", exitCode: EXIT.usage });
    if (!merged.unchanged) {
      const stamp = new Date(io.clock.wall()).toISOString().replace(/[:.]/g, "-");
      if (existing !== null) writeAtomically(cwd, `${path}.${stamp}.bak`, existing, 0o600);
      writeAtomically(cwd, path, merged.text, 0o600);
    }
    if (screen.json) screen.document({ ok: true, path, changed: !merged.unchanged });
    else screen.note(merged.unchanged ? `${path} has the entry already` : `${path} written`);
    return EXIT.success;
  }
}

/** Far larger than any host's configuration. */
const MAX_CONFIG_BYTES = 16 * 1024 * 1024;

function readIfPresent(cwd: string, path: string): string | null {
  try {
    return readTextFile(cwd, path, MAX_CONFIG_BYTES);
  } catch (cause) {
    if (cause instanceof CliFault && cause.members["error_kind"] === "path_not_found") return null;
    throw cause;
  }
}
