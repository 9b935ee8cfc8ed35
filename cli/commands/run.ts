/** `wf run FILE`: compile or load one program, run it once, print what it returns. */

import { Command, Option } from "../clipanion.ts";
import { readLogFile } from "../replay-log-file.ts";
import { runProgram } from "../run-program.ts";
import { RunFlags } from "./run-flags.ts";

export class RunCommand extends RunFlags {
  static override paths = [["run"]];
  static override usage = Command.Usage({
    description: "Runs one program and prints what it returns.",
    details: "FILE",
    examples: [
      ["run a program", "wf run hello.wf"],
      ["give it variables and a limit", `wf run order.wf --frame '{"amount": 12}' --max-steps 5000`],
      ["machine output", "wf run hello.wf --json"],
      ["read the program from standard input", "cat hello.wf | wf run -"],
    ],
  });

  file = Option.String({ required: false });
  record = Option.String("--record,--record-adapters", { description: "<FILE> write a log of the calls there" });
  replayed = Option.String("--replay,--replay-adapters", {
    description: "<FILE> make no call: the log answers",
  });

  async execute(): Promise<number> {
    const session = this.session();
    await this.readPipes(session, this.file);
    const log = this.replayed === undefined ? null : readLogFile(session.cwd, this.replayed);
    return runProgram(session, this.plan(session, this.file, this.record, log));
  }
}
