/** `wf lint FILE…`: check with hints shown, and with advice that check does not give. */
import { Command } from "../../argv/clipanion.ts";
import { CheckCommand } from "./check.ts";

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

  override execute(): Promise<number> {
    return this.check(true);
  }
}
