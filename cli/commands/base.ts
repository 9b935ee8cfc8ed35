/**
 * What every command shares: the global flags and the way to screen, folder and host. Commands read their flags here and do
 * their work with functions that know nothing of clipanion.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { AdapterLog } from "../../adapters/define.ts";
import type { HostConfig } from "../../adapters/host-config.ts";
import type { HostAdapters } from "../../adapters/plugins/open.ts";
import type { Host } from "../../vm/host.ts";
import { type BaseContext, Command, type CommandClass, Option } from "../clipanion.ts";
import { type CliEnvironment, environmentIn } from "../environment.ts";
import { usageFault } from "../faults.ts";
import { hostAdapters, openHost } from "../host.ts";
import type { CliIo } from "../io.ts";
import type { ColourChoice } from "../output/colour.ts";
import { createScreen, type Screen } from "../screen.ts";
import type { CommandEntry } from "./registry.ts";

export type CliContext = BaseContext & {
  readonly io: CliIo;
  readonly settings: CliEnvironment;
  /** All of them, for what tells of commands. */
  readonly commands: readonly CommandEntry[];
};

/** The things a command works with, made once per command line. */
export type Session = {
  readonly io: CliIo;
  readonly environment: CliEnvironment;
  readonly cwd: string;
  readonly screen: Screen;
  readonly host: Host;
  /** null: the built-in ones. */
  readonly adapters: HostAdapters | null;
};

export type WeftCommandClass = CommandClass<CliContext> & Pick<typeof WeftCommand, "idleFlags">;

export abstract class WeftCommand extends Command<CliContext> {
  /** Flags that come with the class and mean nothing here: help is silent about them. */
  static readonly idleFlags: readonly string[] = [];

  json = Option.Boolean("--json", false, { description: "print one JSON document on stdout" });
  quiet = Option.Boolean("-q,--quiet", false, { description: "no notes, no warnings of the program" });
  verbose = Option.Boolean("-v,--verbose", false, { description: "more on stderr: timings, usage, hints" });
  color = Option.String("--color", { description: "<auto|always|never> when to use colours" });
  noColor = Option.Boolean("--no-color", false, { description: "the same as --color never" });
  folder = Option.String("--cwd", { description: "<DIR> resolve relative paths there" });

  /** Whether the command reads programs or grants, so that plugins of the operator must be loaded before it. */
  protected readonly usesAdapters: boolean = true;
  #adapters: HostAdapters | null = null;

  override async validateAndExecute(): Promise<number> {
    if (this.usesAdapters) this.#adapters = (await this.withAdapters(this.session())).adapters;
    return super.validateAndExecute();
  }

  /** The session with the plugins that its operator names. */
  protected async withAdapters(session: Session): Promise<Session> {
    const { io, cwd, environment, screen } = session;
    const config = { ...environment.host, ...this.operatorFile(cwd) };
    const adapters = await hostAdapters(config, cwd, operatorLog(screen));
    return { ...session, adapters, host: openHost(io, environment, adapters) };
  }

  /** The operator file that a flag names. */
  protected operatorFile(_cwd: string): Partial<Pick<HostConfig, "adaptersFile">> {
    return {};
  }

  /** For what resolves paths by itself, as the servers do: --cwd becomes the folder of the process. Gives the working folder. */
  protected enterFolder(): string {
    const { io } = this.context;
    const folder = this.workingFolder();
    if (folder !== io.cwd) io.enter(folder);
    return folder;
  }

  private workingFolder(): string {
    const { cwd } = this.context.io;
    return this.folder === undefined ? cwd : existingFolder(cwd, this.folder);
  }

  protected session(): Session {
    const { io, settings } = this.context;
    const cwd = this.workingFolder();
    return {
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
      host: openHost(io, settings, this.#adapters),
    };
  }
}

/** What adapters say to the operator is shown to a user who asked for more. */
export function operatorLog(screen: Screen): AdapterLog {
  return (event, fields) => {
    if (screen.verbose) screen.note(`${event}${fields === undefined ? "" : ` ${JSON.stringify(fields)}`}`);
  };
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

/** The first operand of a command that does several things. */
export function actionOf<W extends string>(given: string | undefined, actions: readonly W[]): W {
  if (given === undefined) throw usageFault(`an ACTION is needed: ${actions.join(", ")}`);
  return oneOf("ACTION", given, actions);
}

/** One of the words a flag admits. */
export function oneOf<W extends string>(flag: string, given: string, words: readonly W[]): W {
  const found = words.find((word) => word === given);
  if (found === undefined) throw usageFault(`option ${flag} needs one of ${words.join(", ")}, found '${given}'`);
  return found;
}
