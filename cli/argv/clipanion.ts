/**
 * The only importer of clipanion. Its package names an entry without extension, and tools that try `.mjs` first get a file
 * that imports a folder, which Node refuses; the CommonJS entry works in Node, the test runner and the bundler alike.
 */
import { type BaseContext, Cli, type Command, type CommandClass } from "clipanion/lib/advanced/index.js";
import { NoLimits, type RunState } from "clipanion/lib/core.js";
import type { PlainWords } from "./argv.ts";

export {
  type BaseContext,
  Cli,
  Command,
  type CommandClass,
  type Definition,
  Option,
} from "clipanion/lib/advanced/index.js";

/**
 * Makes commands of words that are in one form already. clipanion itself reads them with a state machine of all flags of the
 * command, which takes longer to build than most commands take to run.
 */
export class PlainCli<Context extends BaseContext> extends Cli<Context> {
  static of<Context extends BaseContext>(classes: readonly CommandClass<Context>[]): PlainCli<Context> {
    const cli = new PlainCli<Context>({ binaryName: "wf" });
    for (const one of classes) cli.register(one);
    return cli;
  }

  /** The command with its flags and operands; null where there are more operands than it takes. */
  commandOf(commandClass: CommandClass<Context>, words: PlainWords, context: Context): Command<Context> | null {
    const record = this.registrations.get(commandClass);
    if (record === undefined) throw new Error("the command is not registered");
    const { extra, leading, trailing } = record.builder.arity;
    if (leading.length + trailing.length > 0) throw new Error("operands of commands are optional");
    if (extra !== NoLimits && words.operands.length > extra.length) return null;
    const state: RunState = {
      options: words.flags.map(({ name, value }) => ({ name, value })),
      positionals: words.operands.map((value) => ({ value, extra: extra === NoLimits ? extra : true })),
      path: [words.command],
      candidateUsage: null,
      requiredOptions: [],
      errorMessage: null,
      ignoreOptions: false,
      remainder: null,
      selectedIndex: record.index,
    };
    const command = new commandClass();
    command.context = context;
    command.path = state.path;
    const fields = [...record.specs].map(([key, { transformer }]) => [
      key,
      transformer(record.builder, key, state, command.context),
    ]);
    return Object.assign(command, Object.fromEntries(fields));
  }
}
