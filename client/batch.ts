/** Many frames of one program: sent in documents of some frames each, because browsers cannot send a stream, and read line by line. */
import type { BatchLine, BatchRequest, Json } from "./api-types.ts";
import { WeftError, type WeftErrorCode } from "./errors.ts";
import { linesOf, lineValue } from "./streams.ts";
import type { Call, Wire } from "./wire.ts";

/** Initial variables of one run. */
export type Frame = Readonly<Record<string, Json>>;
/** Frames that may be made while their results are read. */
export type Frames = Iterable<Frame> | AsyncIterable<Frame>;
/** What a row says: `full` everything, `lean` the result, `out` the value alone. */
export type Rows = "full" | "lean" | "out";
/** A frame that failed has its whole result in each form. */
export type LeanRow =
  | { readonly index: number; readonly ok: true; readonly out: Json }
  | (BatchLine & { readonly ok: false });
export type RowOf<R extends Rows> = R extends "out" ? Json : R extends "lean" ? LeanRow : BatchLine;
type Options = Call & { readonly chunk?: number; readonly repeatCut?: boolean; readonly rows?: Rows };

const CHUNK = 1000;
/** Breaks without a result between them. */
const MAX_BREAKS = 5;

type Pending = readonly { readonly index: number; readonly frame: Frame }[];
type Summary = {
  readonly summary: true;
  readonly failed?: number;
  readonly error?: string;
  readonly message?: string;
  readonly trace_id?: string;
};

export async function* batchOf<R extends Rows>(
  wire: Wire,
  request: Omit<BatchRequest, "frames">,
  frames: Frames,
  options: Options,
): AsyncGenerator<RowOf<R>, void> {
  const { chunk = CHUNK } = options;
  let pending: { readonly index: number; readonly frame: Frame }[] = [];
  let index = 0;
  for await (const frame of frames) {
    pending.push({ index, frame });
    index += 1;
    if (pending.length < chunk) continue;
    if ((yield* partOf<R>(wire, request, pending, options)) === "stopped") return;
    pending = [];
  }
  if (pending.length > 0) yield* partOf<R>(wire, request, pending, options);
}

/** The results of some frames. Rejects with the code of the summary when the service ended the batch early. */
async function* partOf<R extends Rows>(
  wire: Wire,
  request: Omit<BatchRequest, "frames">,
  part: Pending,
  { repeatCut = false, rows = "full", signal }: Options,
): AsyncGenerator<RowOf<R>, "stopped" | "over"> {
  let pending = part;
  let failed = false;
  for (let breaks = 0; pending.length > 0; breaks++) {
    const sent = pending;
    const answered = new Set<number>();
    const lines = sentPart(wire, request, sent, rows, signal);
    try {
      for (;;) {
        const { value: line, done } = await lines.next();
        if (done === true) return (failed || line) && request.on_error === "stop" ? "stopped" : "over";
        // Full rows come as they are made, others in the order of their frames.
        const place = rows === "full" ? (line as BatchLine).index : answered.size;
        answered.add(place);
        breaks = 0;
        const isFailed = isFailure(line, place);
        failed ||= isFailed;
        const index = sent[place]?.index ?? place;
        yield (rows === "out" && !isFailed ? line : { ...(line as object), index }) as RowOf<R>;
      }
    } catch (thrown) {
      const isCut = thrown instanceof WeftError && (thrown.code === "stream_cut" || thrown.code === "unreachable");
      if (!isCut || !repeatCut || breaks >= MAX_BREAKS) throw thrown;
    } finally {
      await lines.return(false);
    }
    pending = sent.filter((_one, at) => !answered.has(at));
    await wire.pause(breaks, null, signal);
  }
  return "over";
}

/** A value may look like a failure, though hardly like that of this very frame. */
function isFailure(row: Json | object, place: number): boolean {
  if (typeof row !== "object" || row === null) return false;
  return "ok" in row && row.ok === false && "index" in row && row.index === place;
}

/** Rows of an answer; true: some failed. The last line is the summary, and a value may look like one: what comes before another line is a row. */
async function* sentPart(
  wire: Wire,
  request: Omit<BatchRequest, "frames">,
  part: Pending,
  rows: Rows,
  signal: AbortSignal | undefined,
): AsyncGenerator<Json | object, boolean> {
  const response = await wire.open("POST", "/batch", {
    body: { ...request, frames: part.map(({ frame }) => frame) },
    headers: { accept: "application/x-ndjson", ...(rows === "full" ? {} : { prefer: `rows=${rows}` }) },
    signal,
    repeatable: false,
  });
  let summary: Summary | null = null;
  for await (const text of linesOf(response, signal)) {
    if (summary !== null) yield summary;
    const line = lineValue<Json | object>(text);
    summary = isSummary(line) ? line : null;
    if (summary === null) yield line;
  }
  if (summary === null)
    throw new WeftError("stream_cut", "the stream of results ended before its last line", { status: response.status });
  const { error, message, failed = 0 } = summary;
  if (error !== undefined && message !== undefined)
    throw new WeftError(error as WeftErrorCode, message, { status: response.status });
  return failed > 0;
}

function isSummary(line: Json | object): line is Summary {
  return typeof line === "object" && line !== null && "summary" in line && line.summary === true;
}
