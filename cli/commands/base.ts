/**
 * What every command shares: the global flags, the screen, the working folder and the host. Commands read their flags here and do
 * their work with functions that do not depend on clipanion.
 */
import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { HostConfig } from "../../adapters/operator/host-config.ts";
import type { HostAdapters } from "../../adapters/plugins/open.ts";
import type { CommandAction } from "../argv/argv.ts";
import { type BaseContext, Command, type CommandClass, Option } from "../argv/clipanion.ts";
import type { ColourChoice } from "../output/terminal/colour.ts";
import { type CliEnvironment, environmentIn } from "../session/environment.ts";
import { usageFault } from "../session/faults.ts";
import type { openHost } from "../session/host.ts";
import type { CliIo } from "../session/io.ts";
import { createScreen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";
import { operatorLog } from "../session/session.ts";

/** A command that is imported when it is called. */
type LoadableCommand = {
  readonly names: readonly [string, ...string[]];
  readonly summary: string;
  load(): Promise<CommandClass<CliContext> & Pick<typeof WeftCommand, "idleFlags" | "actions" | "notes" | "pages">>;
};

export type CliContext = BaseContext & {
  readonly io: CliIo;
  readonly settings: CliEnvironment;
  /** All commands, for help and completion. */
  readonly commands: readonly LoadableCommand[];
};
export type WeftCommandClass = CommandClass<CliContext> &
  Pick<typeof WeftCommand, "idleFlags" | "actions" | "notes" | "pages">;

export abstract class WeftCommand extends Command<CliContext> {
  /** Inherited flags that this command accepts and ignores; help does not list them. */
  static readonly idleFlags: readonly string[] = [];
  /** What the first operand may name; null for a command that does one thing. */
  static readonly actions: Readonly<Record<string, CommandAction>> | null = null;
  /** What its flags do not say, as paragraphs of the help page; words of the machine in backticks. */
  static readonly notes: readonly string[] = [];
  /** Pages of docs/ about its subject. */
  static readonly pages: readonly string[] = [];

  json = Option.Boolean("--json", false, { description: "print one JSON document on stdout" });
  quiet = Option.Boolean("-q,--quiet", false, { description: "do not print notes and warnings" });
  verbose = Option.Boolean("-v,--verbose", false, { description: "print timings, usage and hints on stderr" });
  color = Option.String("--color", { description: "<auto|always|never> when to use colors (default: auto)" });
  noColor = Option.Boolean("--no-color", false, { description: "same as --color never" });
  folder = Option.String("--cwd", { description: "<DIR> resolve relative paths from this folder" });

  /** True for a command that reads programs or grants: the operator's plugins are loaded before it runs. */
  protected readonly usesAdapters: boolean = true;
  /** False for a command that never reads the host: compiler and machine are not loaded for it. */
  protected readonly usesHost: boolean = true;
  #adapters: HostAdapters | null = null;
  #openHost: typeof openHost | null = null;

  override async validateAndExecute(): Promise<number> {
    if (this.usesHost) ({ openHost: this.#openHost } = await import("../session/host.ts"));
    if (this.usesAdapters) this.#adapters = (await this.withAdapters(this.session())).adapters;
    return super.validateAndExecute();
  }

  /** The session with the plugins of the operator file loaded. */
  protected async withAdapters(session: Session): Promise<Session> {
    const { io, cwd, environment, screen } = session;
    const { hostAdapters, openHost } = await import("../session/host.ts");
    const config = { ...environment.host, ...this.operatorFile(cwd) };
    const adapters = await hostAdapters(config, cwd, operatorLog(screen));
    return { ...session, adapters, host: openHost(io, environment, adapters) };
  }

  /** The operator file that a flag names. */
  protected operatorFile(_cwd: string): Partial<Pick<HostConfig, "adaptersFile">> {
    return {};
  }

  /** Makes --cwd the folder of the process, for servers, which resolve paths themselves. Returns the working folder. */
  protected enterFolder(): string {
    const { io } = this.context;
    const folder = this.workingFolder();
    if (this.folder !== undefined) io.enter(folder);
    return folder;
  }

  private workingFolder(): string {
    const { io } = this.context;
    if (this.folder === undefined) return io.cwd;
    return existingFolder(isAbsolute(this.folder) ? this.folder : io.cwd, this.folder);
  }

  protected session(): Session {
    const { io, settings } = this.context;
    const cwd = this.workingFolder();
    const session: Omit<Session, "host"> = {
      io,
      environment: environmentIn(cwd, settings),
      adapters: this.#adapters,
      cwd,
      screen: createScreen(io, settings, {
        json: this.json,
        quiet: this.quiet,
        verbose: this.verbose,
        colour: this.noColor ? "never" : colourChoice(this.color),
      }),
    };
    // A command that does not use the host never reads it.
    return { ...session, host: this.#openHost?.(io, settings, this.#adapters) } as Session;
  }
}

function existingFolder(from: string, given: string): string {
  const path = resolve(from, given);
  let folder: boolean | null = null;
  try {
    folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? null;
  } catch {
    throw usageFault(`option --cwd: ${given} cannot be read`);
  }
  if (folder === true) return path;
  throw usageFault(`option --cwd: ${given} ${folder === null ? "does not exist" : "is not a folder"}`);
}

function colourChoice(given: string | undefined): ColourChoice {
  if (given === undefined || given === "auto") return "auto";
  if (given === "always" || given === "never") return given;
  throw usageFault(`option --color needs auto, always or never, found '${given}'`);
}

/** The action that the first operand names. Fails with a usage error when it is missing or unknown. */
export function actionOf<W extends string>(given: string | undefined, actions: readonly W[]): W {
  if (given === undefined) throw usageFault(`missing ACTION; use one of ${actions.join(", ")}`);
  const found = actions.find((action) => action === given);
  if (found === undefined) throw usageFault(`ACTION needs one of ${actions.join(", ")}, found '${given}'`);
  return found;
}

/** The word that the user gave for a flag. Fails with a usage error when it is not one of `words`. */
export function oneOf<W extends string>(flag: string, given: string, words: readonly W[]): W {
  const found = words.find((word) => word === given);
  if (found === undefined) throw usageFault(`option ${flag} needs one of ${words.join(", ")}, found '${given}'`);
  return found;
}
