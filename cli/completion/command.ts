/** `wf completion SHELL`: the script that lets a shell complete commands, flags and their values. */
import { Cli, Command, Option } from "../argv/clipanion.ts";
import { type CliContext, oneOf, WeftCommand } from "../commands/base.ts";
import { commandSpecs } from "../commands/command-specs.ts";
import type { CommandEntry } from "../commands/entry.ts";
import { explainedWords } from "../explain/command.ts";
import { knownProfiles } from "../grant/grant-documents.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { completionOf, SHELLS, type Shell } from "./table.ts";

export class CompletionCommand extends WeftCommand {
  static override paths = [["completion"]];
  static override readonly idleFlags = ["--quiet", "--verbose", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Print a script with which a shell completes commands, flags, adapters, profiles and labels.",
    details: SHELLS.join("|"),
    examples: [
      ["bash, in ~/.bashrc", "source <(wf completion bash)"],
      ["zsh, in ~/.zshrc after compinit", "source <(wf completion zsh)"],
      ["fish, in config.fish", "wf completion fish | source"],
    ],
  });
  static override readonly notes = [
    "Load it in `~/.bashrc`, in `~/.zshrc` after compinit, or in `~/.config/fish/config.fish`. It completes commands, flags and their values: adapters, profiles, error codes, fixed words, labels of the program on the line, files and folders. Nothing in a program is executed. The script contains the commands of this build and the adapters and profiles of this environment, so load it again after an update.",
  ];

  shell = Option.String({ required: false });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.shell === undefined) throw usageFault(`missing SHELL; use one of ${SHELLS.join(", ")}`);
    const shell = oneOf("SHELL", this.shell, SHELLS);
    const script = await scriptFor(shell, session, this.context.commands);
    if (session.screen.json) session.screen.document({ ok: true, shell, script });
    else session.screen.out(script);
    return EXIT.success;
  }
}

async function scriptFor(shell: Shell, session: Session, commands: readonly CommandEntry[]): Promise<string> {
  const classes = await Promise.all(commands.map(({ load }) => load()));
  const cli = Cli.from<CliContext>([...classes], { binaryName: "wf" });
  const definitions = cli.definitions();
  const described = commandSpecs(cli, classes).map((spec, at) => ({
    ...spec,
    description: definitions[at]?.description ?? "",
  }));
  const completion = completionOf(described, {
    adapters: session.host.catalog.names(),
    profiles: knownProfiles(session).map(({ name }) => name),
    exposures: Object.keys((await import("../../mcp/main.ts")).EXPOSURE_PROFILES),
    explained: explainedWords(session),
  });
  switch (shell) {
    case "bash":
      return (await import("./bash.ts")).bashScript(completion);
    case "zsh":
      return (await import("./zsh.ts")).zshScript(completion);
    case "fish":
      return (await import("./fish.ts")).fishScript(completion);
  }
}
