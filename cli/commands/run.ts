/** `wf run FILE`: compile or load one program, run it once, print what it returns. */

import { Command, Option } from "../clipanion.ts";
import { CliFault, CompileFault, EXIT, usageFault } from "../faults.ts";
import { faultDocument, printFault } from "../output/fault.ts";
import { readLog } from "../replay-log-file.ts";
import { type RunPlan, runProgram } from "../run-program.ts";
import type { Session } from "./base.ts";
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
      ["what it could do, without doing it", "wf run hello.wf --plan"],
      ["read the program from standard input", "cat hello.wf | wf run -"],
    ],
  });

  file = Option.String({ required: false });
  record = Option.String("--record,--record-adapters", { description: "<FILE> write a log of the calls there" });
  replayed = Option.String("--replay,--replay-adapters", {
    description: "<FILE|-> make no call: the log answers",
  });
  planned = Option.Boolean("--plan", false, { description: "run nothing: list the calls it could make, and bounds" });
  summary = Option.Boolean("--summary", false, { description: "print the summary of wf summarize, not the result" });
  watch = Option.Boolean("--watch", false, { description: "run again whenever a program changes, until Ctrl-C" });

  async execute(): Promise<number> {
    const session = this.session();
    if ([this.planned, this.summary, this.watch].filter(Boolean).length > 1)
      throw usageFault("--plan, --summary and --watch exclude each other");
    await this.readPipes(session, this.file, this.replayed);
    if (this.planned) {
      const { planProgram } = await import("../plan-program.ts");
      return planProgram(session, this.plan(session, this.file, undefined, null));
    }
    if (this.watch) return this.watched(session);
    return this.summary ? this.summarized(session) : this.once(session);
  }

  private async once(session: Session, print: Pick<RunPlan, "print"> = {}): Promise<number> {
    const log = this.replayed === undefined ? null : await readLog(session.io, session.cwd, this.replayed);
    const plan = this.plan(session, this.file, this.record, log);
    return runProgram(session, { ...plan, ...print });
  }

  /** A program that is refused has a summary, too; wrong usage has none. */
  private async summarized(session: Session): Promise<number> {
    const { printSummary } = await import("../output/summary.ts");
    const print = (answer: object): void => printSummary(session.screen, answer);
    try {
      return await this.once(session, { print });
    } catch (cause) {
      const ofProgram = cause instanceof CompileFault || (cause instanceof CliFault && cause.exitCode !== EXIT.usage);
      if (!ofProgram) throw cause;
      print(faultDocument(cause, session.io));
      return printFault(cause, session.io, session.environment, { ...session.screen, json: false });
    }
  }

  private async watched(session: Session): Promise<number> {
    const { file } = this;
    if (file === undefined || file === "-") throw usageFault("--watch needs a FILE");
    if (this.json) throw usageFault("--watch prints for people only");
    if (this.replayed === "-") throw usageFault("--watch reads the log at every run: --replay needs a file");
    const { isSource, watchFiles } = await import("../watch.ts");
    const matters = (path: string): boolean => isSource(path) || file.endsWith(path);
    return watchFiles(session, [file, ...(this.includeRoot ?? [])], () => this.once(session), matters);
  }
}
