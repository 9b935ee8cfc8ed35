/**
 * One batch from plan to summary and exit code. The program is loaded and prepared as for one run; then frames stream in and results
 * out, and every part is written before the next one is asked for.
 */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EVERY_LINE } from "../../vm/batch/rows/cut-lines.ts";
import { textReaderOf } from "../../vm/inputs/from-text.ts";
import { sharedPlaceNotes } from "../grant/shared-places.ts";
import { descriptorOf } from "../input/descriptor.ts";
import { checkOutputs } from "../input/files.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { isSameFile } from "../input/path-kind.ts";
import { loadPlanned, planned, showDiagnostics } from "../run/prepare-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { arrowResults } from "./arrow/results.ts";
import { CsvResults } from "./csv/results.ts";
import { openInput } from "./input.ts";
import {
  type DoneFrames,
  NOTHING_DONE,
  openOutputFile,
  openStandardOutput,
  type ResultOutput,
  readDone,
} from "./output.ts";
import { partsOf } from "./parts.ts";
import type { BatchPlan } from "./plan.ts";
import {
  type Beginning,
  compareBeginning,
  forgetBeginning,
  recordBeginning,
  recordedVia,
  requireNoOther,
} from "./resume/beginning.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { BatchWork, type Making } from "./work.ts";

export async function runBatchFile(session: Session, plan: BatchPlan): Promise<number> {
  keepHeapSmall();
  const { io, cwd, screen } = session;
  const { grant } = plan;
  const program = await loadPlanned(session, plan);
  const { prepared, entry: label } = await planned(session, plan, program);
  checkPlaces(cwd, plan, program);
  const input = openInput(io, cwd, plan.source);
  const beginning: Beginning = {
    program: prepared.ir.checksum,
    label,
    dryRun: plan.dryRun,
    limits: prepared.admission.limits,
    prepared,
    source: plan.source,
    rows: plan.rows,
  };
  const { done, differences } = await doneBefore(cwd, plan, beginning);
  const { out } = plan;
  const file = out === undefined ? null : () => openOutputFile(cwd, out, plan.resume, done.bytes);
  const output = file === null ? openStandardOutput(io) : await resultsIn(plan.outForm, file);
  /** What `--resume` may continue. */
  const lines = plan.outForm === "lines" ? out : undefined;
  if (lines !== undefined) recordBeginning(cwd, lines, beginning);
  for (const note of [...grant.notes, ...sharedPlaceNotes(session, prepared)]) screen.note(note);
  showDiagnostics(session, program);
  for (const warning of new Set([...differences, ...grant.warnings, ...program.warnings, ...prepared.warnings]))
    screen.warning(warning);
  const work = new BatchWork(session, { ...plan, out: lines }, { input, output, done });
  const selection = { ...EVERY_LINE, isDone: done.has, most: plan.mostFrames, readCell: textReaderOf(prepared.ir) };
  const pieces = input.pieces(selection);
  const about = { session, plan, prepared, bytes: input.bytes };
  const parts: Making["parts"] = (signal, called) => partsOf(pieces, { ...about, signal, called });
  try {
    const { result, by } = await interruptible(io, (signal) => work.run(signal, { parts, readsAll: false }));
    work.conclude(by !== null);
    if (lines !== undefined && by === null && !work.leavesFrames) forgetBeginning(cwd, lines);
    if (by !== null) return exitOf(by);
    if (result === null) throw new Error("only an interrupt leaves no result");
    return work.failed ? EXIT.failed : EXIT.success;
  } finally {
    input.close();
    await output.close();
    await grant.close();
  }
}

async function resultsIn(form: BatchPlan["outForm"], open: () => Promise<ResultOutput>): Promise<ResultOutput> {
  if (form === "arrow") return arrowResults(open);
  const file = await open();
  return form === "csv" ? new CsvResults(file) : file;
}

type Places = Pick<BatchPlan, "source" | "out" | "resume" | "rows">;

/** Throws CliFault for results that cannot be written, or not there. */
export function checkPlaces(cwd: string, { source, out, resume }: Places, { input }: LoadedProgram): void {
  if (resume && out === undefined) throw usageFault("--resume needs --out FILE with the earlier results");
  if (resume && out !== undefined && descriptorOf(resolve(cwd, out)) !== null)
    throw usageFault(`--resume needs a file; ${out} is a stream that is open already`);
  if (out !== undefined && isSameFile(resolve(cwd, out), resolve(cwd, source.file)))
    throw usageFault("--out and the frames are the same file");
  checkOutputs(cwd, input, out);
  if (out !== undefined) requireNoOther(cwd, out);
}

type Found = { readonly done: DoneFrames; readonly differences: readonly string[] };

/** What `--resume` finds. Compared before anything of it is changed. */
export async function doneBefore(cwd: string, { out, resume, rows }: Places, beginning: Beginning): Promise<Found> {
  const nothing: Found = { done: NOTHING_DONE, differences: [] };
  if (out === undefined || !resume) return nothing;
  if (sizeOf(resolve(cwd, out)) === 0)
    return recordedVia(cwd, out) === null
      ? nothing
      : { ...nothing, differences: compareBeginning(cwd, out, beginning) };
  const differences = compareBeginning(cwd, out, beginning);
  return { done: await readDone(cwd, out, rows), differences };
}

/** 0 for a file that does not exist or cannot be read; opening it reports the error. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
