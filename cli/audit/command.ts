/** `wf audit verify FILE`: whether the log of a service is whole. */
import { readReplayLog } from "../../vm/recording/replay-log.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { readText } from "../input/input.ts";
import { readLogFile } from "../input/replay-log-file.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import type { AuditOptions, AuditReport } from "./verify-log.ts";

const ACTIONS = ["verify"] as const;
const MAX_LOG_BYTES = 256 * 1024 * 1024;
/** Longer lists are cut in the text form; the JSON form has them all. */
const MAX_SHOWN = 100;

export class AuditCommand extends WeftCommand {
  static override paths = [["audit"]];
  static override readonly actions = {
    verify: { operands: "FILE", summary: "Check the line format, the order of events and the call hashes of a log." },
  };
  static override usage = Command.Usage({
    description: "Check the log of a service: line format, order of events and call hashes.",
    details: "verify FILE",
    examples: [
      ["a log file", "wf audit verify service.log"],
      ["from standard input", "zcat service.log.gz | wf audit verify -"],
      [
        "the hashes of one run against its record",
        "wf audit verify service.log --record run.record.json --trace-id 6f0c",
      ],
    ],
  });
  static override readonly notes = [
    "It checks the form of every line, and for each run that it begins before anything else, that its calls are numbered without a gap, that times do not go back, and that it ends. So it finds lines that were removed, added or moved. Gaps that the log itself reports (`logs_dropped`, `adapter_calls_unlogged`) are not an issue. Hashes must be keyed exactly when `WF_AUDIT_HASH_KEY` is set; `--record FILE --trace-id ID` recomputes those of one run.",
    "It prints one line for each issue, such as `service.log:3 call 2 is missing before call 3`, and exits with 1 when there are any. With `--json`: `{ok, lines, runs, calls, dropped, issues: [{line, message}]}`.",
  ];
  static override readonly pages = ["http.md#log-events"];
  protected override readonly usesAdapters = false;

  action = Option.String({ required: false });
  file = Option.String({ required: false });
  record = Option.String("--record", { description: "<FILE> verify call hashes against a recorded run" });
  traceId = Option.String("--trace-id", { description: "<ID> trace id of the run in --record" });

  async execute(): Promise<number> {
    const session = this.session();
    const { cwd, io, screen, environment } = session;
    actionOf(this.action, ACTIONS);
    const { file } = this;
    if (file === undefined) throw usageFault("missing FILE; use - for standard input");
    const { verifyLog } = await import("./verify-log.ts");
    const record = this.recorded(cwd);
    const text = await readText(io, cwd, file, MAX_LOG_BYTES);
    const report = verifyLog(text, { hashKey: environment.auditHashKey, record });
    const ok = report.issues.length === 0;
    if (screen.json) screen.document({ ok, ...report });
    else print(session, file, report);
    return ok ? EXIT.success : EXIT.failed;
  }

  private recorded(cwd: string): AuditOptions["record"] {
    const { record, traceId } = this;
    if ((record === undefined) !== (traceId === undefined)) throw usageFault("--record and --trace-id go together");
    if (record === undefined || traceId === undefined) return null;
    return { log: readReplayLog(readLogFile(cwd, record).log), traceId };
  }
}

function print({ screen }: Session, file: string, { issues, lines, runs, calls, dropped }: AuditReport): void {
  for (const { line, message } of issues.slice(0, MAX_SHOWN))
    screen.out(`${visible(line === 0 ? file : `${file}:${line}`)} ${visible(message)}\n`);
  if (issues.length > MAX_SHOWN) screen.out(`… ${issues.length - MAX_SHOWN} more\n`);
  if (dropped > 0) screen.note(`the service dropped ${counted(dropped, "line")}, so gaps are not reported as issues`);
  const counts = [
    counted(lines, "line"),
    counted(runs, "run"),
    counted(calls, "call"),
    counted(issues.length, "issue"),
  ];
  screen.out(`${counts.join(", ")}\n`);
}
