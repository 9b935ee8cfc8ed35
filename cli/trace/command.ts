/** `wf trace FILE|TRACE`: what a run did, step by step, as a tree; `--follow`: what a job of a service does, as it happens. */

import { hasSourceLines } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { indexIr } from "../../compiler/ir/ir-index.ts";
import { stepText } from "../../compiler/ir/step-text.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { Usage } from "../../vm/run.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { sharedPlaceNotes } from "../grant/shared-places.ts";
import { checkOutputs } from "../input/files.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { jobService } from "../jobs/client.ts";
import { followJob } from "../jobs/events.ts";
import { jobIdOf } from "../jobs/short-ids.ts";
import { counted } from "../output/terminal/table.ts";
import { labelId } from "../run/labels.ts";
import { loadWithFrame, prepare } from "../run/prepare-program.ts";
import { RunFlags } from "../run/run-flags.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { execute, traceFiles, writeTraces } from "../run/run-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { lineTree, lineWords } from "./line-tree.ts";
import { type Trace, traceFileOf, traceOf } from "./trace-events.ts";
import {
  machineWords,
  type StepTexts,
  slowest,
  slowestText,
  stepDocument,
  traceFooter,
  traceTreeText,
  visitDocument,
} from "./trace-text.ts";
import { failuresOnly, MAX_SHOWN_DEPTH, shownDepth, stepsOf, traceTree, visitsTo } from "./tree.ts";

/** A trace with what is known of its program and its end. */
type Traced = {
  readonly trace: Trace;
  /** null: of a saved trace. */
  readonly program: Pick<LoadedProgram, "ir" | "textOf"> | null;
  readonly usage: Usage | null;
  readonly exit: number;
};

export class TraceCommand extends RunFlags {
  static override paths = [["trace"]];
  static override readonly idleFlags = ["--trace", "--raw", "--out"];
  static override usage = Command.Usage({
    description: "Run a program, or read a saved trace, and show what happened as a tree.",
    details: "FILE|TRACE",
    examples: [
      ["run and look", "wf trace hello.wf"],
      ["a trace that wf run --trace-out wrote", "wf trace hello.trace.json --slowest 5"],
      ["what the compiler made of its lines", "wf trace hello.wf --steps"],
      ["a job of a service, as it happens", "wf trace --follow --job 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
    ],
  });
  static override readonly notes = [
    "FILE is a program to run, or a saved trace. The exit code is that of the run, 0 for a saved trace, and with `--follow` 1 when the job did not succeed. A program in Python is shown by the lines of its functions, with `--steps` by the steps that the compiler made of them. Nested labels are shown down to 250 levels; `deeper_steps` counts what is left out.",
    "With `--json`: `{ok, trace_id, label, events, dropped, deeper_steps?, usage, tree: [{label, handler, duration_ms, steps: [{node_id, op, text, line, start_ms, duration_ms, own_ms, ok, out?, branch?, iterations?, error?, retry?, visits}]}]}`, with `--slowest` the list `slowest` in place of `tree`, with `--follow` a line `{event, data}` for each event. A saved trace has neither `text` nor `usage`: they are null.",
  ];
  static override readonly pages = ["diagrams.md#wf-trace", "jobs.md#events-of-a-job"];

  file = Option.String({ required: false });
  override label = Option.String("--entry", {
    description: "<NAME> function or label that starts (default: main, or else the first)",
  });
  only = Option.String("--label", { description: "<NAME> show only visits of this label" });
  slowest = Option.String("--slowest", { description: "<N> list the N slowest steps instead of the tree" });
  errors = Option.Boolean("--errors", false, { description: "show only what leads to failures" });
  steps = Option.Boolean("--steps", false, {
    description: "show the steps that the compiler made of a program in Python, in place of its lines",
  });
  follow = Option.Boolean("--follow", false, { description: "show the events of a job until it ends" });
  server = Option.String("--server", {
    description: "<URL> with --follow: address of the service (WF_SERVER; default: http://127.0.0.1:8770)",
  });
  job = Option.String("--job", { description: "<ID> with --follow: id of the job" });

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
      saved === null ? await this.run(session) : { trace: saved, program: null, usage: null, exit: EXIT.success };
    this.show(session, traced, most);
    return traced.exit;
  }

  private async run(session: Session): Promise<Traced> {
    await this.readPipes(session, this.file);
    const asked: RunPlan = this.plan(session, this.file, undefined, null);
    const { io, screen } = session;
    const { program, plan } = await loadWithFrame(session, asked);
    const prepared = await prepare(plan, program);
    if (plan.label !== undefined) labelId(session, program.ir, plan.label);
    checkOutputs(session.cwd, program.input, ...traceFiles(plan));
    for (const note of sharedPlaceNotes(session, prepared)) screen.note(note);
    for (const warning of prepared.warnings) screen.warning(warning);
    const shown = { ...plan, trace: { ...plan.trace, show: true } };
    const { result, by } = await interruptible(io, (signal) =>
      execute(session, program, prepared, shown, signal),
    ).finally(() => plan.grant.close());
    if (result === null)
      return { trace: emptyTrace(), program, usage: null, exit: by === null ? EXIT.failed : exitOf(by) };
    writeTraces(session, plan, result);
    const { trace_id, label_written, ok, usage } = result;
    const trace = traceOf({ trace: result.trace ?? [], trace_id, label: label_written, ok });
    if (trace === null) throw new Error("a run gave no trace");
    const exit = by === null ? (ok ? EXIT.success : EXIT.failed) : exitOf(by);
    return { trace, program, usage, exit };
  }

  private show(session: Session, { trace, program, usage }: Traced, most: number | null): void {
    const ir = program?.ir ?? null;
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
    const isOfLines = !this.steps && (ir === null ? trace.events.some(({ op }) => op === "Py") : hasSourceLines(ir));
    const seen = isOfLines ? lineTree(visits, { ir }) : visits;
    const words = isOfLines ? lineWords({ ir, textOf: program?.textOf ?? (() => null) }) : machineWords(texts);
    if (most === null)
      screen.out(traceTreeText(seen, words, { paint: screen.paint, width: screen.traceWidth }, environment.utf8));
    else screen.out(slowestText(slowest(seen, most), words, screen.traceWidth));
    if (hidden > 0) screen.note(`${counted(hidden, "step")} deeper than ${MAX_SHOWN_DEPTH} labels not shown`);
    screen.note(traceFooter(trace, usage));
  }

  private async followed(session: Session): Promise<number> {
    if (this.job === undefined) throw usageFault("--follow needs --job ID");
    if (this.file !== undefined) throw usageFault("--follow takes no FILE");
    const { io, environment, screen } = session;
    const server = this.server ?? environment.server;
    const job = this.job;
    const { result, by } = await interruptible(io, async (signal) => {
      const id = await jobIdOf(jobService(server, signal), job);
      return followJob(server, id, screen, signal);
    });
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
