/** What a batch is answered with: one document with all results, or lines that leave as they are made, with a summary at the end. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { lineSafe } from "../../vm/values/json-line.ts";
import { encodedStream, wantedCoding } from "../http/body/coding.ts";
import type { Services } from "../services.ts";
import type { Answer } from "../wire/answer.ts";
import { JSON_HEADERS, READ_IDLE_MS } from "../wire/answers.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { Started } from "./begin.ts";
import { Outbox } from "./line-outbox.ts";
import type { BatchTotals } from "./totals.ts";

export const NDJSON = "application/x-ndjson";
/** The results of a document are held until the last one; their total limit, as a multiple of the maximum result. */
const MAX_RESULTS = 4;
/** Texts of the language end at twice this. */
const MAX_RESULT_CHARACTERS = 256 * 1024 * 1024;
/** Blocks of rows that may wait for a reader. */
const BLOCKS = 2;

/** The answer is put together from the texts of its results. */
export async function documentOf({ unsent, maxResultBytes }: Services, started: Started): Promise<Answer> {
  const most = Math.min(MAX_RESULTS * maxResultBytes, MAX_RESULT_CHARACTERS);
  const room = unsent.gather();
  let size = 0;
  const count = (bytes: number): undefined => {
    size += bytes;
    if (size > most) throw tooMuch(most);
    room.add(bytes);
    return undefined;
  };
  try {
    const { totals, results } = await gathered(started, count);
    const { ok, count: ended, succeeded, failed, fault, warnings } = totals;
    const head = JSON.stringify({ ok, trace_id: started.traceId, count: ended, succeeded, failed }).slice(0, -1);
    const rest = JSON.stringify({ ...warningsOf(started, warnings), ...reasonOf(fault) }).slice(1);
    const body = `${head},"results":[${results}]${rest === "}" ? "" : ","}${rest}\n`;
    return { status: 200, headers: { ...JSON_HEADERS, ...appliedRows(started) }, body };
  } finally {
    room.end();
  }
}

type Gathered = { readonly totals: BatchTotals; readonly results: string };

async function gathered({ work }: Started, count: (bytes: number) => undefined): Promise<Gathered> {
  if (work.rows === "full") {
    const lines: string[] = [];
    const totals = await work.run({
      put(line, index) {
        lines[index] = line;
        return count(line.length);
      },
      close() {},
    });
    // A frame without a result, because the service broke down in it, leaves a hole.
    return { totals, results: lines.filter((line) => line !== undefined).join(",") };
  }
  const blocks: Uint8Array[] = [];
  const totals = await work.run({
    put(rows) {
      blocks.push(rows);
      return count(rows.length);
    },
    close() {},
  });
  // No row has the end of a line in it.
  const rows = Buffer.concat(blocks).toString("utf8");
  return { totals, results: rows.trimEnd().replaceAll("\n", ",") };
}

function tooMuch(most: number): ServiceFault {
  const message = `the results together are larger than ${most} bytes; ask for ${NDJSON}, or send fewer frames`;
  return new ServiceFault("runtime_error", message);
}

export function sendLines(
  { unsent }: Services,
  reply: FastifyReply,
  started: Started,
  headers: IncomingHttpHeaders,
): FastifyReply {
  const texts = linesOf(started);
  unsent.watch(reply.raw);
  const stream = Readable.from(whileRead(texts, reply.raw));
  const coding = wantedCoding(headers);
  reply.code(200).type(`${NDJSON}; charset=utf-8`).headers(appliedRows(started));
  return coding === null
    ? reply.send(stream)
    : reply.header("content-encoding", coding).send(encodedStream(stream, coding));
}

function linesOf(started: Started): AsyncGenerator<string | Uint8Array, void> {
  const { work, window } = started;
  if (work.rows === "full") {
    const outbox = new Outbox<string>(window);
    return textLines(outbox, work.run(outbox), started);
  }
  const outbox = new Outbox<Uint8Array>(BLOCKS);
  return rowBlocks(outbox, work.run(outbox), started);
}

/** A reader that takes nothing of a text for too long loses its connection: a batch keeps a place that others wait for. */
async function* whileRead<Text>(texts: AsyncIterable<Text>, { socket }: ServerResponse): AsyncGenerator<Text, void> {
  for await (const text of texts) {
    socket?.setTimeout(READ_IDLE_MS);
    yield text;
    socket?.setTimeout(0);
  }
}

async function* textLines(
  outbox: Outbox<string>,
  ended: Promise<BatchTotals>,
  started: Started,
): AsyncGenerator<string, void> {
  for await (const lines of outbox.lines()) yield `${lineSafe(lines.join("\n"))}\n`;
  const { fault, ok, usage: _usage, warnings: _none, ...totals } = await ended;
  yield summaryLine({ ok, trace_id: started.traceId, ...totals, ...warningsOf(started), ...reasonOf(fault) });
}

async function* rowBlocks(
  outbox: Outbox<Uint8Array>,
  ended: Promise<BatchTotals>,
  started: Started,
): AsyncGenerator<string | Uint8Array, void> {
  for await (const blocks of outbox.lines()) yield* blocks;
  const { fault, ok, warnings, ...totals } = await ended;
  const about = { ...warningsOf(started, warnings), ...reasonOf(fault) };
  yield summaryLine({ ok, trace_id: started.traceId, ...totals, ...about });
}

function summaryLine(totals: object): string {
  return `${lineSafe(JSON.stringify({ summary: true, ...totals }))}\n`;
}

function warningsOf({ warnings }: Started, others: readonly string[] = []): { readonly warnings?: readonly string[] } {
  const all = [...warnings, ...others.filter((one) => !warnings.includes(one))];
  return all.length === 0 ? {} : { warnings: all };
}

function appliedRows({ preferred }: Started): Readonly<Record<string, string>> {
  return preferred === null ? {} : { "preference-applied": `rows=${preferred}` };
}

/** What ended the batch before its last frame. */
function reasonOf(fault: ServiceFault | null): { readonly error?: string; readonly message?: string } {
  return fault === null ? {} : { error: fault.error, message: fault.message };
}
