/** `wf replay FILE LOG` and `wf replay --check DIR`: runs whose calls are answered by a log. */

import { Command, Option } from "../argv/clipanion.ts";
import { type LogFile, readLog } from "../input/replay-log-file.ts";
import { RunFlags } from "../run/run-flags.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { runProgram } from "../run/run-program.ts";
import { withStandIns } from "../run/stand-ins.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { checkRecords } from "./replay-folder.ts";

export class ReplayCommand extends RunFlags {
  static override paths = [["replay"]];
  static override usage = Command.Usage({
    description: "Repeat a run from its recorded calls, without any live call.",
    details: "FILE LOG",
    examples: [
      ["a log that wf run --record wrote", "wf replay order.wf order.record.json"],
      ["read the log from standard input", "gunzip -c order.record.json.gz | wf replay order.wf -"],
      ["machine output", "wf replay order.wf order.record.json --json"],
      ["every record of a folder", "wf replay --check records"],
    ],
  });
  static override readonly notes = [
    "Label and variables are those of the recorded run unless flags give others. LOG may be `-` for standard input; the program is then a file. Allowlist, policy and limits apply as in any run.",
    "If the program makes a different call than the recorded one, the run ends (exit 1) and both calls are shown. A file that is not a log ends with exit 2 and `replay_log_invalid`.",
    "`--check DIR` replays every `*.record.json` below a folder, for continuous integration. The program is the file of the same name next to the log (`order.record.json`: `order.wf` or `order.json`), or the path in the log's member `program`. A record passes when the run makes exactly the recorded calls and ends as the recorded one did. With `--json`: `{ok, files: [{path, program, ok, error?, message?, data?}], passed, failed}`.",
  ];
  static override readonly pages = ["replay.md"];

  file = Option.String({ required: false });
  logFile = Option.String({ required: false });
  continues = Option.Boolean("--continue", false, {
    description: "make calls after the end of the log live, and repeat its last failed call",
  });
  check = Option.String("--check", { description: "<DIR> replay every *.record.json of a folder against its program" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.check !== undefined) {
      if (this.file !== undefined) throw usageFault("--check takes no FILE and no LOG");
      if (this.continues) throw usageFault("--check and --continue exclude each other");
      return checkRecords(session, this.check, (known, file, log) => this.planFor(known, file, log));
    }
    if (this.file === undefined || this.logFile === undefined) throw usageFault("missing FILE or LOG");
    await this.readPipes(session, this.file, this.logFile);
    const log = await readLog(session.io, session.cwd, this.logFile);
    const known = withStandIns(session, log.adapters);
    return runProgram(known, this.planFor(known, this.file, log));
  }

  /** Label and variables are those of the recorded run where no flag says otherwise. */
  private planFor(session: Session, file: string, log: LogFile): RunPlan {
    const plan = this.plan(session, file, undefined, log);
    const label = plan.label ?? log.label ?? undefined;
    return { ...plan, label, frame: { ...log.frame, ...plan.frame }, continues: this.continues };
  }
}
