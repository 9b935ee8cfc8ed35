/** Many frames of one program: sent in documents of some frames each, because browsers cannot send a stream, and read line by line. */
import type { BatchLine, BatchRequest, Json } from "./api-types.ts";
import { WeftError, type WeftErrorCode } from "./errors.ts";
import { linesOf, lineValue } from "./streams.ts";
import type { Call, Wire } from "./wire.ts";

/** Initial variables of one run. */
export type Frame = Readonly<Record<string, Json>>;
/** Frames that may be made while their results are read. */
export type Frames = Iterable<Frame> | AsyncIterable<Frame>;
type Options = Call & { readonly chunk?: number; readonly repeatCut?: boolean };

const CHUNK = 1000;
/** Breaks without a result between them. */
const MAX_BREAKS = 5;

type Pending = readonly { readonly index: number; readonly frame: Frame }[];
type Line = BatchLine & { readonly summary?: undefined };
type Summary = {
  readonly summary: true;
  readonly error?: string;
  readonly message?: string;
  readonly trace_id?: string;
};

export async function* batchOf(
  wire: Wire,
  request: Omit<BatchRequest, "frames">,
  frames: Frames,
  options: Options,
): AsyncGenerator<BatchLine, void> {
  const { chunk = CHUNK } = options;
  let pending: { readonly index: number; readonly frame: Frame }[] = [];
  let index = 0;
  for await (const frame of frames) {
    pending.push({ index, frame });
    index += 1;
    if (pending.length < chunk) continue;
    if ((yield* partOf(wire, request, pending, options)) === "stopped") return;
    pending = [];
  }
  if (pending.length > 0) yield* partOf(wire, request, pending, options);
}

/** The results of some frames. Rejects with the code of the summary when the service ended the batch early. */
async function* partOf(
  wire: Wire,
  request: Omit<BatchRequest, "frames">,
  part: Pending,
  { repeatCut = false, signal }: Options,
): AsyncGenerator<BatchLine, "stopped" | "over"> {
  let pending = part;
  let failed = false;
  for (let breaks = 0; pending.length > 0; breaks++) {
    const sent = pending;
    const answered = new Set<number>();
    try {
      for await (const line of sentPart(wire, request, sent, signal)) {
        answered.add(line.index);
        breaks = 0;
        failed ||= !line.ok;
        const index = sent[line.index]?.index ?? line.index;
        yield { ...line, index };
      }
      return failed && request.on_error === "stop" ? "stopped" : "over";
    } catch (thrown) {
      const isCut = thrown instanceof WeftError && (thrown.code === "stream_cut" || thrown.code === "unreachable");
      if (!isCut || !repeatCut || breaks >= MAX_BREAKS) throw thrown;
    }
    pending = sent.filter((_one, at) => !answered.has(at));
    await wire.pause(breaks, null, signal);
  }
  return "over";
}

async function* sentPart(
  wire: Wire,
  request: Omit<BatchRequest, "frames">,
  part: Pending,
  signal: AbortSignal | undefined,
): AsyncGenerator<BatchLine, void> {
  const response = await wire.open("POST", "/batch", {
    body: { ...request, frames: part.map(({ frame }) => frame) },
    headers: { accept: "application/x-ndjson" },
    signal,
    repeatable: false,
  });
  for await (const text of linesOf(response, signal)) {
    const line = lineValue<Line | Summary>(text);
    if (line.summary === undefined) yield line;
    else {
      const { error, message } = line;
      const wasEnded = error !== undefined && message !== undefined;
      if (wasEnded) throw new WeftError(error as WeftErrorCode, message, { status: response.status });
      return;
    }
  }
  throw new WeftError("stream_cut", "the stream of results ended before its last line", { status: response.status });
}
