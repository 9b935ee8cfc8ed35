/** `wf batch --via URL`: the rows of a batch as jobs of a service, whose replicas share them; results in the order of the input. */
import { EVERY_LINE } from "../../../vm/batch/rows/cut-lines.ts";
import { MAX_ROW_WARNINGS } from "../../../vm/batch/rows/rows-part.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { textReaderOf } from "../../../vm/inputs/from-text.ts";
import type { Limits } from "../../../vm/run.ts";
import type { LoadedProgram } from "../../input/loaded-program.ts";
import { shellWord } from "../../output/terminal/shell-word.ts";
import { loadProgram } from "../../run/load-program.ts";
import type { ProgramPlan } from "../../run/prepare-program.ts";
import { showDiagnostics } from "../../run/prepare-program.ts";
import { addressOf } from "../../session/asking.ts";
import { CliFault, EXIT, usageFault } from "../../session/faults.ts";
import { exitOf, interruptible } from "../../session/interrupt.ts";
import type { Session } from "../../session/session.ts";
import { openInput } from "../input.ts";
import { type DoneFrames, openOutputFile, openStandardOutput } from "../output.ts";
import type { BatchPlan } from "../plan.ts";
import { type Beginning, forgetBeginning, recordBeginning, recordedVia } from "../resume/beginning.ts";
import type { ViaRecord } from "../resume/record.ts";
import { checkPlaces, doneBefore } from "../run.ts";
import { BatchWork, type Making } from "../work.ts";
import { blocksOf } from "./blocks.ts";
import { gatherRows } from "./gather.ts";
import { patience } from "./patience.ts";
import { type BulkJobs, bulkJobs } from "./service.ts";

export type ViaPlan = Pick<BatchPlan, "source" | "out" | "resume" | "rows" | "mostFrames"> &
  Pick<ProgramPlan, "file" | "strict" | "includeRoots" | "label" | "inputs"> & {
    readonly server: string;
    /** Those that were asked for; the service has its own. */
    readonly limits: Limits;
    /** Inputs that are not what the program declares are warnings. */
    readonly loose: boolean;
    /** Rows of a block. */
    readonly blockRows: number;
    /** Rows that may be queued and not yet written: fewer than the results that a service keeps. */
    readonly ahead: number;
    /** Seconds that results are kept; undefined: as long as the service keeps them. */
    readonly keepS: number | undefined;
    /** A row whose process dies begins again. */
    readonly restart: boolean;
  };

/** The id of no job. */
const NO_JOB = "00000000-0000-0000-0000-000000000000";

/** `serviceAt`: how the service is reached; tests give their own. */
export async function runBatchVia(session: Session, plan: ViaPlan, serviceAt = bulkJobs): Promise<number> {
  const { io, cwd, screen } = session;
  const { out } = plan;
  const server = addressOf(plan.server).base;
  const { strict, includeRoots, label } = plan;
  const program = await loadProgram(session, plan.file, { strict, strictGiven: strict, includeRoots, forRun: true });
  checkPlaces(cwd, plan, program);
  const { ir } = program;
  const entry = session.host.resolveLabel(ir, label).id;
  const before = plan.resume && out !== undefined ? recordedVia(cwd, out) : null;
  let via: ViaRecord = before ?? { server, batch: io.uuid(), blocks: [] };
  const input = openInput(io, cwd, plan.source);
  const about = {
    program: ir.checksum,
    label: entry ?? label ?? "",
    dryRun: false,
    limits: plan.limits,
    prepared: null,
  };
  const beginning = (): Beginning => ({ ...about, source: plan.source, rows: plan.rows, via: { ...via, server } });
  const { done, differences } = await doneBefore(cwd, plan, beginning());
  checkWritten(out ?? "", done, via);
  const output = out === undefined ? openStandardOutput(io) : await openOutputFile(cwd, out, plan.resume, done.bytes);
  const record = (): void => {
    if (out !== undefined) recordBeginning(cwd, out, beginning());
  };
  record();
  showDiagnostics(session, program);
  for (const warning of new Set([...differences, ...program.warnings])) screen.warning(warning);
  const warned = new Set<string>();
  const work = new BatchWork(session, { ...plan, onError: "continue" }, { input, output, done });
  const pieces = input.pieces({ ...EVERY_LINE, most: plan.mostFrames, readCell: textReaderOf(ir) });
  const reading = {
    ir,
    entry,
    strict,
    checks: plan.inputs === "strict",
    warn: (text: string) => warned.size < MAX_ROW_WARNINGS && warned.add(text),
  };
  const known = new Map(via.blocks.map(({ from, count }) => [from, count]));
  const blocks = blocksOf(pieces, reading, {
    first: via.blocks[0]?.from ?? done.count,
    mostRows: plan.blockRows,
    known,
  });
  const parts: Making["parts"] = (signal) => {
    const jobs = serviceAt(plan.server, signal);
    const waiting = patience({ clock: io.clock, signal, note: screen.note });
    return checked(
      jobs,
      gatherRows(blocks, {
        ...{
          jobs,
          patience: waiting,
          clock: io.clock,
          id: via.batch,
          rows: plan.rows,
          ahead: plan.ahead,
          before: via.blocks,
          written: done.count,
        },
        request: requestOf(program, plan),
        record: (queued) => {
          via = { ...via, blocks: [...queued] };
          record();
        },
        settled: () => output.sync(),
      }),
    );
  };
  try {
    const { by } = await interruptible(io, (signal) => work.run(signal, { parts, readsAll: true }));
    for (const warning of warned) screen.warning(warning);
    work.conclude(by !== null);
    if (by !== null) {
      if (via.blocks.length > 0) screen.note(`queued rows continue to run: ${leftText(server, via)}`);
      return exitOf(by);
    }
    if (out !== undefined && !work.leavesFrames) forgetBeginning(cwd, out);
    return work.failed ? EXIT.failed : EXIT.success;
  } catch (cause) {
    throw cause instanceof CliFault ? withWayOn(cause, plan, server, via) : cause;
  } finally {
    input.close();
    await output.close();
  }
}

/** Asks for the result of no job first: a service that does not give results in this way must not be given jobs. */
async function* checked<T>(jobs: BulkJobs, parts: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  await jobs.results([NO_JOB], 0);
  yield* parts;
}

/** The request of every block, as JSON without its last brace. */
function requestOf({ ir }: LoadedProgram, { label, limits, loose, keepS, restart }: ViaPlan): string {
  const request = {
    ir,
    ...(label === undefined ? {} : { label }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(loose ? { strict: false } : {}),
    ...(keepS === undefined ? {} : { keep_s: keepS }),
    ...(restart ? { retry: true } : {}),
  };
  return exactJson(request).slice(0, -1);
}

function checkWritten(out: string, done: DoneFrames, { blocks: [first] }: ViaRecord): void {
  if (first !== undefined && done.count < first.from)
    throw usageFault(`${out} has ${done.count} rows, and had ${first.from} when the batch was cut`, [
      "bring the file back, or omit --resume to start again",
    ]);
}

const leftText = (server: string, { batch }: ViaRecord): string =>
  `wf jobs list --server ${shellWord(server)} --tag batch:${batch}`;

function withWayOn(
  { message, error, exitCode, members, notes }: CliFault,
  { out }: ViaPlan,
  server: string,
  via: ViaRecord,
): CliFault {
  const further =
    error === "payload_too_large" || error === "queue_full" || (error === "proxy_refused" && members["status"] === 413)
      ? ["send fewer rows at a time: --block N"]
      : [];
  const queued = via.blocks.length === 0 ? [] : [`rows are queued: ${leftText(server, via)}`];
  const resumed = out === undefined ? [] : ["--resume continues from here"];
  return new CliFault(message, { error, exitCode, members, notes: [...notes, ...further, ...queued, ...resumed] });
}
