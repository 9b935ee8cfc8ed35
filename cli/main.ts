/**
 * The command line from words to exit code: read the environment, bring the words into one form, let clipanion build the
 * command, execute it, and print whatever stopped it in one place. It knows the process only through `CliIo`.
 */

import { IR_VERSION } from "../compiler/ir/graph.ts";
import { inTypedWords, type PlainWords, parseArgv, wantsJson } from "./argv/argv.ts";
import { Cli, PlainCli } from "./argv/clipanion.ts";
import { commandPage, overview } from "./argv/help.ts";
import type { WeftCommandClass } from "./commands/base.ts";
import { commandSpecs } from "./commands/command-specs.ts";
import { printFault } from "./output/fault.ts";
import { COMMANDS } from "./registry.ts";
import { type CliEnvironment, PLAIN_ENVIRONMENT, readEnvironment } from "./session/environment.ts";
import { CliFault, EXIT, usageFault } from "./session/faults.ts";
import type { CliIo } from "./session/io.ts";
import { createScreen, type Screen } from "./session/screen.ts";
import { RUNTIME_VERSION, versionLine } from "./session/version.ts";

/** Runs one command line; never throws. `argv` is without node and script. */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  let environment = PLAIN_ENVIRONMENT;
  try {
    environment = readEnvironment(io.environment);
    return await dispatch(argv, io, environment);
  } catch (cause) {
    return printFault(cause, io, environment, screenOf(argv, io, environment));
  }
}

async function dispatch(argv: readonly string[], io: CliIo, environment: CliEnvironment): Promise<number> {
  // The overview needs none of the commands loaded.
  if (argv.length === 0 || (argv.length === 1 && ["help", "--help", "-h"].includes(argv[0] ?? ""))) {
    const screen = screenOf(argv, io, environment);
    return printHelp(screen, overview(COMMANDS, helpWidth(screen)));
  }
  const classes = await commandsFor(argv);
  const cli = PlainCli.of(classes);
  const specs = commandSpecs(cli, classes);
  const parsed = parseArgv(argv, specs);
  const screen = screenOf(argv, io, environment);
  if (parsed.kind === "overview") return printHelp(screen, overview(COMMANDS, helpWidth(screen)));
  if (parsed.kind === "version") return printVersion(screen, io);
  if (parsed.kind === "help") {
    const definition = cli.definitions()[specs.indexOf(parsed.command)];
    const width = helpWidth(screen);
    return printHelp(
      screen,
      definition === undefined
        ? overview(COMMANDS, width)
        : commandPage(parsed.command, definition, width, parsed.action),
    );
  }
  const known = classes[specs.indexOf(parsed.command)];
  if (known === undefined) throw new Error("a command without a class");
  const command = cli.commandOf(known, parsed.words, {
    ...Cli.defaultContext,
    io,
    settings: environment,
    commands: COMMANDS,
  });
  if (command === null) throw surplusFault(parsed.words, parsed.command.usageLine);
  try {
    return (await command.validateAndExecute()) ?? EXIT.success;
  } catch (cause) {
    throw cause instanceof CliFault ? inTypedWords(cause, parsed.words) : cause;
  }
}

/** Lists the operands, because an unexpected one often comes from a shell that split a value. */
function surplusFault({ flags, operands }: PlainWords, usageLine: string): CliFault {
  const split = flags.some(({ value }) => value !== true && /^[[{]/.test(value));
  const hint = split ? ['JSON needs quotes for the shell: --frame \'{"name": "Ann"}\''] : [];
  return usageFault(`too many operands: ${operands.join(" ")}`, [...hint, `usage: ${usageLine}`]);
}

/** The classes this command line needs: one when it begins with the name of a command, else all (flags first, help, a wrong name). */
async function commandsFor([word]: readonly string[]): Promise<readonly WeftCommandClass[]> {
  const named = COMMANDS.find(({ names }) => word !== undefined && names.includes(word));
  return named === undefined ? Promise.all(COMMANDS.map(({ load }) => load())) : [await named.load()];
}

/** The screen before any command exists: its flags are looked for in the plain words. */
function screenOf(argv: readonly string[], io: CliIo, environment: CliEnvironment): Screen {
  const colour =
    argv.includes("--no-color") || argv.includes("--color=never")
      ? "never"
      : argv.includes("--color=always")
        ? "always"
        : "auto";
  const verbose = argv.includes("-v") || argv.includes("--verbose");
  return createScreen(io, environment, { json: wantsJson(argv), quiet: false, verbose, colour });
}

function helpWidth({ json, tableWidth }: Screen): number {
  return json ? Number.POSITIVE_INFINITY : tableWidth;
}

function printHelp(screen: Screen, text: string): number {
  if (screen.json) screen.document({ ok: true, help: text });
  else screen.out(text);
  return EXIT.success;
}

function printVersion(screen: Screen, io: CliIo): number {
  if (screen.json)
    screen.document({
      ok: true,
      runtime_version: RUNTIME_VERSION,
      ir_version: IR_VERSION,
      node_version: io.nodeVersion,
    });
  else screen.out(`${versionLine(io.nodeVersion)}\n`);
  return EXIT.success;
}
