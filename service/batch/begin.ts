/** From a request for a batch to frames that are ready to run: everything that is refused is refused here, before the first row. */
import type { IncomingMessage } from "node:http";
import type * as z from "zod";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { Rows } from "../../vm/batch/rows/rows-part.ts";
import { decodedBody } from "../http/body/coding.ts";
import { readJsonObject } from "../http/body/json.ts";
import { firstLine, type LineBounds, readBlocks, readLines } from "../http/body/lines.ts";
import type { RequestCall } from "../http/request-context.ts";
import { deployedPlan, programContext, resolved, withDefaults } from "../programs/run-program.ts";
import { asksForStrict, precisionWarnings } from "../run/exact-body.ts";
import { declaresInputs, frameWarnings } from "../run/frame-check.ts";
import { checkFrameCount, namesIn } from "../run/frame-lists.ts";
import { planRun, warnedPlan } from "../run/plan.ts";
import { checked, readAdmitted, type ValidatedBody } from "../run/read-request.ts";
import { BatchHead, type BatchRequest } from "../schemas/batch.ts";
import type { Services } from "../services.ts";
import { faults, ServiceFault } from "../wire/errors.ts";
import { checkedFrames } from "./checked-frames.ts";
import { type BatchItems, changedFrames, LineFrames, ListedFrames } from "./frames.ts";
import type { BatchOut } from "./result-order.ts";
import { RowBatch, type RowChunks, type RowOut } from "./row-batch.ts";
import { type ChunkRules, documentChunks, lineChunks } from "./row-chunks.ts";
import { Batch } from "./run-batch.ts";
import type { BatchTotals } from "./totals.ts";

const DEFAULT_CONCURRENCY = 16;
const IDLE_MS = 30_000;

/** A batch whose first frame may run. */
export type Started = {
  readonly traceId: string;
  /** The preference of the request that holds; null: it stated none. */
  readonly preferred: Rows | null;
  readonly warnings: readonly string[];
  /** Lines that may wait for a reader. */
  readonly window: number;
  readonly work:
    | { readonly rows: "full"; run(out: BatchOut): Promise<BatchTotals> }
    | { readonly rows: LeanRows; run(out: RowOut): Promise<BatchTotals> };
};

/** Rows that do not say which frame they are of. */
type LeanRows = Exclude<Rows, "full">;

type BatchSettings = z.output<typeof BatchHead>;

/** The frames, in the shape that the rows take. */
type Frames = {
  /** Names of their variables; null: not known yet. */
  readonly inputs: readonly string[] | null;
  readonly count: number | null;
} & (
  | { readonly rows: "full"; readonly items: BatchItems }
  | {
      readonly rows: LeanRows;
      readonly chunks: (rules: ChunkRules) => RowChunks;
    }
);

/** The frames of a document. */
export async function beginFrames(
  services: Services,
  { body, fault }: ValidatedBody<z.output<typeof BatchRequest>>,
  call: RequestCall,
  preferred: Rows | null,
): Promise<Started> {
  checkFrameCount(body.frames, 0, services.config.batchMaxFrames);
  const rows = preferred ?? "full";
  return begin(services, { body, fault }, call, preferred, ({ frames }) => {
    const known = { inputs: namesIn(frames), count: frames.length };
    return rows === "full"
      ? { ...known, rows, items: new ListedFrames(frames) }
      : { ...known, rows, chunks: () => documentChunks(frames as readonly JsonObject[]) };
  });
}

/** The frames of lines, which arrive while the first are run. */
export async function beginLines(
  services: Services,
  incoming: IncomingMessage,
  call: RequestCall,
  preferred: Rows | null,
): Promise<Started> {
  const { clock, config, bodies } = services;
  const stream = decodedBody(incoming);
  const bounds = {
    maxBytes: config.maxBodyBytes,
    maxTotalBytes: config.batchMaxBytes,
    isDecoded: stream !== incoming,
    idleMs: IDLE_MS,
    clock,
    room: bodies,
  };
  const rows = preferred ?? "full";
  if (rows === "full") {
    const items = new LineFrames(readLines(stream, bounds));
    const head = await items.head();
    const settings = headOf(head);
    return begin(services, settings, call, preferred, () => ({ rows, items, inputs: null, count: null }));
  }
  return beginBlocks(services, readBlocks(stream, bounds), bounds, call, rows);
}

async function beginBlocks(
  services: Services,
  blocks: AsyncGenerator<Buffer, void>,
  bounds: LineBounds,
  call: RequestCall,
  rows: LeanRows,
): Promise<Started> {
  const share = bounds.room.share();
  try {
    const head = await firstLine(blocks, bounds.maxBytes, share);
    const settings = headOf(head?.line ?? null);
    const lines = { blocks: head?.rest ?? blocks, firstLine: head?.next ?? 1, maxLineBytes: bounds.maxBytes, share };
    return await begin(services, settings, call, rows, () => ({
      rows,
      chunks: (rules) => lineChunks(lines, rules),
      inputs: null,
      count: null,
    }));
  } catch (cause) {
    share.release();
    await blocks.return();
    throw cause;
  }
}

function headOf(head: Buffer | null): ValidatedBody<BatchSettings> {
  if (head === null) throw new ServiceFault("invalid_json", "the request has no body; the first line is the head");
  const body = readJsonObject(head);
  const read = checked(BatchHead, body);
  const asked = "value" in read ? { body: read.value, fault: undefined } : { body, fault: read.error };
  return asked as ValidatedBody<BatchSettings>;
}

/** Everything that is refused before the first line. */
async function begin<Body extends BatchSettings>(
  services: Services,
  body: ValidatedBody<Body>,
  call: RequestCall,
  preferred: Rows | null,
  framesOf: (asked: Body) => Frames,
): Promise<Started> {
  const startedAt = services.clock.now();
  const { asked: whole, program } = await resolved(services, body);
  const { request: asked, admission } = readAdmitted(whole, services.gateway, program?.within);
  const frames = framesOf(asked);
  const { rows, inputs, count } = frames;
  if (rows !== "full") refuseReports(asked);
  // Those of a document have them already.
  const defaults = count === null ? program?.settings.frame : undefined;
  const slot = await services.slots.enter(call.caller);
  try {
    const planned = deployedPlan(await planRun(services, asked, admission, inputs), program);
    const plan = warnedPlan(planned, precisionWarnings(body.body, asked));
    const { trace, caller } = call;
    const context = programContext(call.context, program);
    const scope = { trace, context, startedAt };
    const rules = { strict: asksForStrict(body.body), keepsDigits: isPythonIr(plan.prepared.ir) };
    const options = {
      concurrency: Math.min(asked.concurrency ?? DEFAULT_CONCURRENCY, services.config.slots.most),
      stopOnError: asked.on_error === "stop",
      frames: count,
    };
    const known = {
      traceId: context.trace_id,
      preferred,
      warnings: [...new Set([...plan.warnings, ...plan.prepared.warnings])],
      window: options.concurrency,
    };
    if (frames.rows !== "full") {
      const rowOptions = { ...options, rows: frames.rows, rules, strict: asked.strict ?? true };
      const chunks = frames.chunks({ ...rules, defaults });
      const run = (out: RowOut) => new RowBatch(services, plan, rowOptions, scope, out).run(chunks, slot, caller);
      return { ...known, work: { rows: frames.rows, run } };
    }
    const { items: given } = frames;
    const items = defaults === undefined ? given : changedFrames(given, (one) => withDefaults(defaults, one));
    const looked = checkedFrames(items, {
      exact: rules.strict,
      keepsDigits: rules.keepsDigits,
      inputs: declaresInputs(plan) ? (frame) => frameWarnings(plan, asked, frame, "") : null,
    });
    const fullOptions = { ...options, inInputOrder: asked.order === "input" };
    const run = (out: BatchOut) =>
      new Batch(services, plan, fullOptions, scope, looked.warned(out)).run(looked.items, slot, caller);
    return { ...known, work: { rows: "full", run } };
  } catch (cause) {
    slot.leave();
    throw cause;
  }
}

/** Lean rows have no place for what was asked for. */
function refuseReports({ trace, record_calls }: BatchSettings): void {
  const named = trace === true ? "trace" : record_calls === true ? "record_calls" : null;
  if (named === null) return;
  const message = `rows without usage have no ${named}; leave one of the two out`;
  throw faults.invalidRequest([{ path: `/${named}`, code: "exclusive", message }]);
}
