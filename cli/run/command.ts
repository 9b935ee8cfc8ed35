/** `wf run FILE`: compile or load one program, run it once, print what it returns. */

import { Command, Option } from "../argv/clipanion.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { readAnyFrame } from "../input/frame.ts";
import { readLog } from "../input/replay-log-file.ts";
import { faultDocument, printFault } from "../output/fault.ts";
import { CliFault, CompileFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { readAnswers } from "./questions/asking.ts";
import { RunFlags } from "./run-flags.ts";
import type { RunPlan } from "./run-plan.ts";
import { runProgram } from "./run-program.ts";

export class RunCommand extends RunFlags {
  static override paths = [["run"]];
  static override usage = Command.Usage({
    description: "Run a program and print its result.",
    details: "FILE",
    examples: [
      ["run a program", "wf run hello.wf"],
      ["give it variables and a limit", `wf run order.wf --frame '{"amount": 12}' --max-steps 5000`],
      ["machine output", "wf run hello.wf --json"],
      ["what it could do, without doing it", "wf run hello.wf --plan"],
      ["a program that is deployed to a service", "wf run --program digest"],
      ["how long it takes, over a thousand runs", "wf run hello.wf --repeat 1000"],
      ["read the program from standard input", "cat hello.wf | wf run -"],
    ],
  });
  static override readonly notes = [
    "Without `--frame` and `--frame-set`, the program's comment `# with: {…}` supplies the frame, and a note says so. Text needs its quotes: `--frame-set 'city=\"Bonn\"'`.",
    "A setting of an adapter enables it. A limit below 1 (for `--max-adapter-calls`: below 0) is ignored with a warning.",
    "`--repeat N` runs the program once cold and N times after that, calls of adapters included, and prints how long that took in place of the result; every run must succeed. The first run and compiling take milliseconds in a fresh process: `p50` is what a warm one takes. Adapters other than core are named, because the figures include their time. With `--json`: `{ok, runs, adapters, checksum, figures: {compile_ms, first_ms, p50_ms, p95_ms, p99_ms, runs_per_s, steps_per_s}}`.",
    "Ctrl-C cancels the run and gives adapters two seconds to stop; a second one exits at once.",
    "Exit 1: the program does not compile or fails. 2: an input or label is not what the program takes. 3: it violates the policy.",
  ];
  static override readonly pages = ["running.md", "durable.md", "replay.md", "policy.md", "performance.md"];

  file = Option.String({ required: false });
  record = Option.String("--record,--record-adapters", {
    description: "<FILE> write a log of all adapter calls (mode 0600)",
  });
  replayed = Option.String("--replay,--replay-adapters", {
    description: "<FILE|-> answer all adapter calls from this log",
  });
  skipTimers = Option.Boolean("--skip-timers", false, {
    description: "do not wait for times: timers and the timeouts of signals are over at once",
  });
  planned = Option.Boolean("--plan", false, {
    description: "run nothing; list the calls that the program can make, and its bounds",
  });
  summary = Option.Boolean("--summary", false, {
    description: "print the summary of wf summarize instead of the result",
  });
  program = Option.String("--program", {
    description: "<NAME[@VERSION]> run a deployment of a service instead of a FILE",
  });
  server = Option.String("--server", {
    description: "<URL> address of the service for --program (WF_SERVER; default: http://127.0.0.1:8770)",
  });
  decide = Option.String("--decide", {
    description: "<CHOICE[=JSON]> answer every question of the program with this choice, and the fields of its form",
  });
  signals = Option.Array("--signal", {
    description: "<NAME[@KEY]=JSON> a signal that the program waits for (repeatable, in order)",
  });
  repeat = Option.String("--repeat", {
    description: "<N> run it N times, and print how long that takes instead of the result",
  });
  watch = Option.Boolean("--watch", false, { description: "run again whenever a program changes, until Ctrl-C" });

  async execute(): Promise<number> {
    const session = this.session();
    if ([this.planned, this.summary, this.watch].filter(Boolean).length > 1)
      throw usageFault("--plan, --summary and --watch exclude each other");
    if (this.repeat !== undefined) return this.repeated(session, this.repeat);
    if (this.program !== undefined) return this.remote(session, this.program);
    await this.readPipes(session, this.file, this.replayed);
    if (this.planned) {
      const { planProgram } = await import("./plan/plan-program.ts");
      return planProgram(session, this.plan(session, this.file, undefined, null));
    }
    if (this.watch) return this.watched(session);
    return this.summary ? this.summarized(session) : this.once(session);
  }

  /** The service has the program, its settings and its limits: flags about those of this machine have no meaning. */
  private async remote(session: Session, program: string): Promise<number> {
    if (this.file !== undefined) throw usageFault("give either FILE or --program");
    const { runRemote } = await import("./run-remote.ts");
    // The service knows whether the program loses digits, and warns.
    const { frame } = readAnyFrame(session.cwd, this.frame, this.frameSet);
    const server = this.server ?? session.environment.server;
    return runRemote(session, { server, program, frame, label: this.label, raw: this.raw });
  }

  private async repeated(session: Session, times: string): Promise<number> {
    const { MAX_REPEATS, repeatRuns } = await import("./repeat/repeat-runs.ts");
    const idle = this.ofOneRun();
    if (idle !== undefined) throw usageFault(`--repeat and ${idle} exclude each other`);
    const count = wholeNumber("--repeat", times);
    if (count < 1 || count > MAX_REPEATS)
      throw usageFault(`option --repeat needs a number from 1 to ${MAX_REPEATS}, found '${times}'`);
    await this.readPipes(session, this.file);
    return repeatRuns(session, this.plan(session, this.file, undefined, null), count);
  }

  /** The first of the flags that say something of a single run. */
  private ofOneRun(): string | undefined {
    const given = {
      "--plan": this.planned,
      "--summary": this.summary,
      "--watch": this.watch,
      "--program": this.program,
      "--record": this.record,
      "--replay": this.replayed,
      "--trace": this.trace,
      "--trace-out": this.traceOut,
      "--trace-jsonl": this.traceJsonl,
      "--raw": this.raw,
      "--out": this.out,
      "--decide": this.decide,
      "--signal": this.signals,
      "--skip-timers": this.skipTimers,
    };
    return Object.entries(given).find(([, value]) => value !== undefined && value !== false)?.[0];
  }

  private async once(session: Session, print: Pick<RunPlan, "print"> = {}): Promise<number> {
    const log = this.replayed === undefined ? null : await readLog(session.io, session.cwd, this.replayed);
    const plan = this.plan(session, this.file, this.record, log);
    const answers = readAnswers({ decide: this.decide, signals: this.signals ?? [], skipTimers: this.skipTimers });
    return runProgram(session, { ...plan, ...print, answers });
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
    const { isSource, watchFiles } = await import("../watch/watch.ts");
    const matters = (path: string): boolean => isSource(path) || file.endsWith(path);
    return watchFiles(session, [file, ...(this.includeRoot ?? [])], () => this.once(session), matters);
  }
}
