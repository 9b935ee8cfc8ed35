/** `wf lint FILE…`: check with hints shown, and with advice that check does not give. */
import { Command } from "../argv/clipanion.ts";
import { CheckCommand } from "../check/command.ts";

export class LintCommand extends CheckCommand {
  static override paths = [["lint"]];
  static override usage = Command.Usage({
    description:
      "Check programs and also give hints: style, unused labels, inputs overwritten before use, calls without Err, unsafe retries.",
    details: "FILE...",
    examples: [
      ["one program", "wf lint hello.wf"],
      ["fail on any warning", "wf lint flows --deny-warnings"],
      ["machine output", "wf lint hello.wf --json"],
    ],
  });
  static override readonly notes = [
    "It is `wf check` with hints and advice: about an input that is overwritten before anything reads it (WF9028), and about adapter calls whose failure nothing handles (WF9029). It reports unused labels (WF9014) and retries of calls that may repeat their effect (WF5010) in `--loose` mode as well. Hints never change the exit code.",
  ];
  static override readonly pages = ["diagnostics.md", "cli/check.md"];

  override execute(): Promise<number> {
    return this.check(true);
  }
}
