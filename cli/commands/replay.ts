/** `wf replay FILE LOG` and `wf replay --check DIR`: runs whose calls are answered by a log. */

import { Command, Option } from "../clipanion.ts";
import { usageFault } from "../faults.ts";
import { checkRecords } from "../replay-folder.ts";
import { type LogFile, readLog } from "../replay-log-file.ts";
import { type RunPlan, runProgram } from "../run-program.ts";
import type { Session } from "./base.ts";
import { RunFlags } from "./run-flags.ts";

export class ReplayCommand extends RunFlags {
  static override paths = [["replay"]];
  static override usage = Command.Usage({
    description: "Runs a program again from the log of an earlier run, without any live call.",
    details: "FILE LOG",
    examples: [
      ["a log that wf run --record wrote", "wf replay order.wf order.record.json"],
      ["read the log from standard input", "gunzip -c order.record.json.gz | wf replay order.wf -"],
      ["machine output", "wf replay order.wf order.record.json --json"],
      ["every record of a folder", "wf replay --check records"],
    ],
  });

  file = Option.String({ required: false });
  logFile = Option.String({ required: false });
  continues = Option.Boolean("--continue", false, {
    description: "make the calls live that come after the log, and its last failure anew",
  });
  check = Option.String("--check", { description: "<DIR> replay every *.record.json there against its program" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.check !== undefined) {
      if (this.file !== undefined) throw usageFault("--check takes no FILE and no LOG");
      if (this.continues) throw usageFault("--check and --continue exclude each other");
      return checkRecords(session, this.check, (file, log) => this.planFor(session, file, log));
    }
    if (this.file === undefined || this.logFile === undefined) throw usageFault("a FILE and a LOG are needed");
    await this.readPipes(session, this.file, this.logFile);
    const log = await readLog(session.io, session.cwd, this.logFile);
    return runProgram(session, this.planFor(session, this.file, log));
  }

  /** Label and variables are those of the recorded run where no flag says otherwise. */
  private planFor(session: Session, file: string, log: LogFile): RunPlan {
    const plan = this.plan(session, file, undefined, log);
    const label = plan.label ?? log.label ?? undefined;
    return { ...plan, label, frame: { ...log.frame, ...plan.frame }, continues: this.continues };
  }
}
