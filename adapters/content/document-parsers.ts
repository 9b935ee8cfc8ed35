import { AdapterError } from "../../vm/errors/failures.ts";
import { helperPath } from "../engine/helpers.ts";
import { WaitingLine } from "../engine/waiting-line.ts";
import { WorkerLane } from "../engine/wasm/lane.ts";
import type { ParserJob, ParserReply } from "../entries/parser-messages.ts";
import type { Parsers } from "../entries/parser-thread.ts";
import { adapterError, retryableByCode } from "../errors.ts";

/** Up to this size one is parsed where it is needed: even one that was made to be slow takes a few milliseconds. */
export const PARSED_IN_PLACE_BYTES = 8 * 1024;

type DocumentKind = keyof Parsers;
type Source<Kind extends DocumentKind> = Parameters<Parsers[Kind]>;
type Parsed<Kind extends DocumentKind> = { [K in DocumentKind]: Awaited<ReturnType<Parsers[K]>> }[Kind];

export interface DocumentParsers {
  /**
   * Rejects as the parser does, with ADAPTER_TOO_LARGE when the document takes more time or memory than one may, ADAPTER_CANCELLED with the
   * signal, and ADAPTER_BUSY without a thread.
   */
  parse<Kind extends DocumentKind>(kind: Kind, source: Source<Kind>, signal: AbortSignal): Promise<Parsed<Kind>>;
  close(): Promise<void>;
}

export type DocumentParsersOptions = {
  /** Most documents at once. */
  readonly threads?: number;
  readonly waiting?: number;
  /** Most time for one of them. */
  readonly timeoutMs?: number;
};

/** Honest documents of the largest size take a fraction of it. */
const PARSE_MS = 5_000;
/** Texts of messages stand in it, their bytes do not. */
const HEAP_MB = 256;

type Lane = WorkerLane<ParserJob, ParserReply>;

export function createDocumentParsers(options: DocumentParsersOptions = {}): DocumentParsers {
  const { threads = 4, waiting = 10_000, timeoutMs = PARSE_MS } = options;
  const program = { path: helperPath("document-parser"), heapMb: HEAP_MB, late: tooMuch, lost };
  const lanes = Array.from({ length: threads }, (): Lane => new WorkerLane(program));
  const line = new WaitingLine(lanes, { waiting, busy });
  return {
    async parse<Kind extends DocumentKind>(kind: Kind, source: Source<Kind>, signal: AbortSignal) {
      const lane = await line.take(signal);
      try {
        return documentOf(await lane.run({ kind, source }, { timeoutMs, signal })) as Parsed<Kind>;
      } finally {
        line.give(lane);
      }
    },
    async close() {
      line.close();
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

function documentOf(reply: ParserReply): unknown {
  if ("document" in reply) return reply.document;
  if (reply.error === null) throw adapterError("ADAPTER_BAD_DATA", "the document cannot be parsed");
  const { code, message, data } = reply.error;
  throw new AdapterError(code, message, { retryable: retryableByCode(code), data });
}

function tooMuch(cause?: unknown): Error {
  return adapterError("ADAPTER_TOO_LARGE", "the document takes more time or memory to parse than one may", { cause });
}

function lost(cause?: unknown): Error {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return tooMuch(cause);
  return adapterError("ADAPTER_BUSY", "the thread that parses ended early", { cause });
}

function busy(): Error {
  return adapterError("ADAPTER_BUSY", "no thread is free to parse the document");
}
