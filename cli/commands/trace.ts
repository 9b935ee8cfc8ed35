/** `wf trace FILE|TRACE`: what a run did, step by step, as a tree; `--follow`: what a job of a service does, as it happens. */

import type { Ir } from "../../compiler/ir/graph.ts";
import { indexIr } from "../../compiler/ir/ir-index.ts";
import { stepText } from "../../compiler/ir/step-text.ts";
import { writtenLabel } from "../../grammar/written-label.ts";
import type { Usage } from "../../vm/run.ts";
import { Command, Option } from "../clipanion.ts";
import { EXIT, usageFault } from "../faults.ts";
import { checkOutputs } from "../files.ts";
import { wholeNumber } from "../grant.ts";
import { exitOf, interruptible } from "../interrupt.ts";
import { followJob } from "../job-events.ts";
import { DEFAULT_SERVER } from "../job-service.ts";
import { labelId } from "../labels.ts";
import { counted } from "../output/table.ts";
import {
  type StepTexts,
  slowest,
  slowestText,
  stepDocument,
  traceFooter,
  traceTreeText,
  visitDocument,
} from "../output/trace.ts";
import { loadPlanned, prepare } from "../prepare-program.ts";
import { execute, type RunPlan, traceFiles, writeTraces } from "../run-program.ts";
import { type Trace, traceFileOf, traceOf } from "../trace/trace-events.ts";
import { failuresOnly, MOST_SHOWN_DEPTH, shownDepth, stepsOf, traceTree, visitsTo } from "../trace/tree.ts";
import type { Session } from "./base.ts";
import { RunFlags } from "./run-flags.ts";

/** A trace with what is known of its program and its end. */
type Traced = {
  readonly trace: Trace;
  readonly ir: Ir | null;
  readonly usage: Usage | null;
  readonly exit: number;
};

export class TraceCommand extends RunFlags {
  static override paths = [["trace"]];
  static override readonly idleFlags = ["--trace", "--raw", "--out"];
  static override usage = Command.Usage({
    description: "Runs a program, or reads a saved trace, and shows what happened as a tree.",
    details: "FILE|TRACE",
    examples: [
      ["run and look", "wf trace hello.wf"],
      ["a trace that wf run --trace-out wrote", "wf trace hello.trace.json --slowest 5"],
      ["a job of a service, as it happens", "wf trace --follow --job 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
    ],
  });

  file = Option.String({ required: false });
  override label = Option.String("--entry", { description: "<NAME> entry label of the run; default: the first label" });
  only = Option.String("--label", { description: "<NAME> only the visits of this label" });
  slowest = Option.String("--slowest", { description: "<N> the steps that took longest, in place of the tree" });
  errors = Option.Boolean("--errors", false, { description: "only what leads to failures" });
  follow = Option.Boolean("--follow", false, { description: "the events of a job, until it is over" });
  server = Option.String("--server", { description: "<URL> follow: the service (WF_SERVER); http://127.0.0.1:8770" });
  job = Option.String("--job", { description: "<ID> follow: the job" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.follow) return this.followed(session);
    if (this.server !== undefined || this.job !== undefined) throw usageFault("--server and --job belong to --follow");
    if (this.raw || this.out !== undefined) throw usageFault("--raw and --out belong to wf run: this shows no result");
    if (this.traceJsonl === "-") throw usageFault("--trace-jsonl - and the tree both need stdout; name a file");
    const most = this.slowest === undefined ? null : wholeNumber("--slowest", this.slowest);
    const saved = this.file === undefined ? null : traceFileOf(session.cwd, this.file);
    if (saved !== null && (this.traceOut !== undefined || this.traceJsonl !== undefined))
      throw usageFault("--trace-out and --trace-jsonl are for runs: this trace is saved already");
    const traced =
      saved === null ? await this.run(session) : { trace: saved, ir: null, usage: null, exit: EXIT.success };
    this.show(session, traced, most);
    return traced.exit;
  }

  private async run(session: Session): Promise<Traced> {
    await this.readPipes(session, this.file);
    const plan: RunPlan = this.plan(session, this.file, undefined, null);
    const { io, screen } = session;
    const program = await loadPlanned(session, plan, Object.keys(plan.frame));
    const prepared = await prepare(plan, program);
    if (plan.label !== undefined) labelId(session, program.ir, plan.label);
    checkOutputs(session.cwd, program.input, ...traceFiles(plan));
    for (const warning of prepared.warnings) screen.warning(warning);
    const shown = { ...plan, trace: { ...plan.trace, show: true } };
    const { result, by } = await interruptible(io, (signal) =>
      execute(session, program, prepared, shown, signal),
    ).finally(() => plan.grant.close());
    const { ir } = program;
    if (result === null) return { trace: emptyTrace(), ir, usage: null, exit: by === null ? EXIT.failed : exitOf(by) };
    writeTraces(session, plan, result);
    const { trace_id, label_written, ok, usage } = result;
    const trace = traceOf({ trace: result.trace ?? [], trace_id, label: label_written, ok });
    if (trace === null) throw new Error("a run gave no trace");
    const exit = by === null ? (ok ? EXIT.success : EXIT.failed) : exitOf(by);
    return { trace, ir, usage, exit };
  }

  private show(session: Session, { trace, ir, usage }: Traced, most: number | null): void {
    const { screen, environment } = session;
    const whole = traceTree(trace);
    // The slowest steps are wanted wherever they are.
    const shown = most !== null && this.only === undefined && !this.errors ? whole : shownDepth(whole);
    const hidden = [...stepsOf(whole)].length - [...stepsOf(shown)].length;
    const kept = this.only === undefined ? shown : visitsTo(shown, bareLabel(session, ir, this.only));
    const visits = this.errors ? failuresOnly(kept) : kept;
    const texts = textsOf(ir);
    if (screen.json) {
      const { traceId, label, ok, total, dropped } = trace;
      const found =
        most === null
          ? { tree: visits.map((visit) => visitDocument(visit, texts)) }
          : {
              slowest: slowest(visits, most).map((step) => ({
                label: writtenLabel(step.event.label),
                ...withoutVisits(stepDocument({ ...step, visits: shownDepth(step.visits, 1) }, texts)),
              })),
            };
      const deeper = hidden === 0 ? {} : { deeper_steps: hidden };
      screen.document({ ok: ok ?? true, trace_id: traceId, label, events: total, dropped, ...deeper, usage, ...found });
      return;
    }
    if (most === null) screen.out(traceTreeText(visits, texts, screen, environment.utf8));
    else screen.out(slowestText(slowest(visits, most), texts, screen.width));
    if (hidden > 0) screen.note(`${counted(hidden, "step")} deeper than ${MOST_SHOWN_DEPTH} labels not shown`);
    screen.note(traceFooter(trace, usage));
  }

  private async followed(session: Session): Promise<number> {
    if (this.job === undefined) throw usageFault("--follow needs --job ID");
    if (this.file !== undefined) throw usageFault("--follow takes no FILE");
    const { io, environment, screen } = session;
    const server = this.server ?? environment.server ?? DEFAULT_SERVER;
    const job = this.job;
    const { result, by } = await interruptible(io, (signal) => followJob(server, job, screen, signal));
    if (by !== null) return exitOf(by);
    return result === true ? EXIT.success : EXIT.failed;
  }
}

const emptyTrace = (): Trace => ({ traceId: null, label: null, ok: false, events: [], total: 0, dropped: 0 });

function withoutVisits({ visits: _, ...facts }: ReturnType<typeof stepDocument>): object {
  return facts;
}

/** Without the program nothing says which labels there are: the name is taken as it is written. */
function bareLabel(session: Session, ir: Ir | null, given: string): string {
  if (ir !== null) return labelId(session, ir, given);
  const bare = given.replace(/^->/, "").replace(/:$/, "");
  return bare.startsWith("L") ? bare.slice(1) : bare;
}

function textsOf(ir: Ir | null): StepTexts {
  if (ir === null) return () => null;
  const index = indexIr(ir);
  return (label, node) => {
    const found = index.node(label, node);
    return found === undefined ? null : stepText(found);
  };
}
