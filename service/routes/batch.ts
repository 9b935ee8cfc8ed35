/** POST /batch: one program, many frames, as one JSON document or as lines that are answered while they arrive (docs/http.md, POST /batch). */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import { type Answer, JSON_HEADERS, READ_IDLE_MS, send, wantsBeforeJson } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { Batch, type BatchTotals } from "../batch.ts";
import { type BatchItems, LineFrames, ListedFrames } from "../batch-items.ts";
import type { BatchOut } from "../batch-order.ts";
import { bodyKind } from "../body-stream.ts";
import { faults, ServiceFault } from "../errors.ts";
import { type Exchange, exchangeOf } from "../exchange.ts";
import { checkFrameCount, namesIn } from "../frames.ts";
import { readJsonBody, readJsonObject } from "../json-body.ts";
import { readLines } from "../lines.ts";
import { Outbox } from "../outbox.ts";
import { planRun } from "../run-plan.ts";
import { readAdmitted } from "../run-request.ts";
import { membersText } from "../run-text.ts";
import { BatchAnswer, BatchHead, BatchRequest, BatchStreamLine } from "../schemas/batch.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";

const DEFAULT_CONCURRENCY = 16;
const IDLE_MS = 30_000;
const NDJSON = "application/x-ndjson";
/** The results of a document are kept until the last: together they may be as large as so many results of the largest kind. */
const MOST_RESULTS = 4;
/** Texts of the language end at twice this. */
const MOST_RESULT_CHARACTERS = 256 * 1024 * 1024;

export function batchRoute(app: ServiceApp, services: Services): void {
  app.shortcuts.add("/batch", (exchange) => answerDocument(services, exchange));
  app.route({
    method: "POST",
    url: "/batch",
    config: { work: true },
    schema: {
      operationId: "batch",
      summary: "Runs one program with many frames",
      body: BatchRequest,
      response: responses({ 200: { "application/json": BatchAnswer, [NDJSON]: BatchStreamLine } }, refusalsOfPrograms),
    },
    handler: async (request, reply) => {
      const exchange = exchangeOf(request, reply);
      const { headers } = request;
      if (bodyKind(headers) === "ndjson") return sendLines(services, reply, await beginLines(services, exchange));
      if (wantsBeforeJson(headers, NDJSON)) return sendLines(services, reply, await beginFrames(services, exchange));
      return send(reply, await answerDocument(services, exchange));
    },
  });
}

/** A batch is resumed by its caller, who knows which lines it has. */
function refuseKey({ incoming: { headers } }: Exchange): void {
  if (headers["idempotency-key"] === undefined) return;
  const message = "batches have no Idempotency-Key";
  throw faults.invalidRequest([{ path: "", code: "idempotency_key", message }], "headers");
}

/** The frames of a document. */
async function beginFrames(services: Services, exchange: Exchange): Promise<Started> {
  refuseKey(exchange);
  const body = await readJsonBody(services, exchange.incoming);
  checkFrameCount(body, 0, services.config.batchMaxFrames);
  return begin(services, exchange, BatchRequest, body, ({ frames }) => ({
    items: new ListedFrames(frames),
    inputs: namesIn(frames),
    count: frames.length,
  }));
}

async function answerDocument(services: Services, exchange: Exchange): Promise<Answer> {
  const started = await beginFrames(services, exchange);
  const results: string[] = [];
  const most = Math.min(MOST_RESULTS * services.maxResultBytes, MOST_RESULT_CHARACTERS);
  const room = services.unsent.gather();
  let size = 0;
  try {
    const totals = await started.run({
      put(line, index) {
        results[index] = line;
        size += line.length;
        if (size > most) throw tooMuch(most);
        room.add(line.length);
        return undefined;
      },
      close() {},
    });
    return documentOf(totals, results, started);
  } finally {
    room.end();
  }
}

function tooMuch(most: number): ServiceFault {
  const message = `the results together are larger than ${most} bytes; ask for ${NDJSON}, or send fewer frames`;
  return new ServiceFault("runtime_error", message);
}

/** The answer is put together from the texts of its results. */
function documentOf(
  { ok, count, succeeded, failed, fault }: BatchTotals,
  results: readonly string[],
  { traceId, warnings }: Pick<Started, "traceId" | "warnings">,
): Answer {
  const totals = membersText({ ok, trace_id: traceId, count, succeeded, failed }).slice(1);
  // A frame without a result, because the service broke down in it, leaves a hole.
  const lines = results.filter((line) => line !== undefined).join(",");
  const body = `{${totals},"results":[${lines}]${membersText({ ...warnings, ...reasonOf(fault) })}}\n`;
  return { status: 200, headers: JSON_HEADERS, body };
}

/** The frames of lines, which arrive while the first are run. */
async function beginLines(services: Services, exchange: Exchange): Promise<Started> {
  refuseKey(exchange);
  const { clock, config } = services;
  const bounds = { maxBytes: config.maxBodyBytes, idleMs: IDLE_MS, clock };
  const items = new LineFrames(readLines(exchange.incoming, bounds));
  const head = await items.head();
  if (head === null) throw new ServiceFault("invalid_json", "the request has no body; the first line is the head");
  return begin(services, exchange, BatchHead, readJsonObject(head), () => ({ items, inputs: null, count: null }));
}

type Frames = {
  readonly items: BatchItems;
  /** Names of their variables; null: not known yet. */
  readonly inputs: readonly string[] | null;
  readonly count: number | null;
};

type Started = {
  readonly traceId: string;
  readonly warnings: { readonly warnings?: readonly string[] };
  /** Lines that may wait for a reader. */
  readonly window: number;
  run(out: BatchOut): Promise<BatchTotals>;
};

/** Everything that is refused before the first line. */
async function begin<S extends typeof BatchHead | typeof BatchRequest>(
  services: Services,
  { call }: Exchange,
  schema: S,
  body: JsonObject,
  framesOf: (asked: z.output<S>) => Frames,
): Promise<Started> {
  const startedAt = services.clock.now();
  const { request: asked, admission } = readAdmitted(schema, body, services.gateway);
  const { items, inputs, count } = framesOf(asked);
  const slot = await services.slots.enter(call.caller);
  try {
    const plan = await planRun(services, asked, admission, inputs);
    const { trace, context } = call;
    const options = {
      concurrency: Math.min(asked.concurrency ?? DEFAULT_CONCURRENCY, services.config.slots.most),
      stopOnError: asked.on_error === "stop",
      inInputOrder: asked.order === "input",
      frames: count,
    };
    const warnings = [...new Set([...plan.warnings, ...plan.prepared.warnings])];
    return {
      traceId: context.trace_id,
      warnings: warnings.length === 0 ? {} : { warnings },
      window: options.concurrency,
      run: (out) =>
        new Batch(services, plan, options, { trace, context, startedAt }, out).run(items, slot, call.caller),
    };
  } catch (cause) {
    slot.leave();
    throw cause;
  }
}

function sendLines({ unsent }: Services, reply: FastifyReply, started: Started): FastifyReply {
  const outbox = new Outbox(started.window);
  const ended = started.run(outbox);
  unsent.watch(reply.raw);
  return reply
    .code(200)
    .type(`${NDJSON}; charset=utf-8`)
    .send(Readable.from(whileRead(textLines(outbox, ended, started), reply.raw)));
}

/** A reader that takes nothing of a text for too long loses its connection: a batch keeps a place that others wait for. */
async function* whileRead(texts: AsyncIterable<string>, { socket }: ServerResponse): AsyncGenerator<string, void> {
  for await (const text of texts) {
    socket?.setTimeout(READ_IDLE_MS);
    yield text;
    socket?.setTimeout(0);
  }
}

async function* textLines(
  outbox: Outbox,
  ended: Promise<BatchTotals>,
  { traceId, warnings }: Pick<Started, "traceId" | "warnings">,
): AsyncGenerator<string, void> {
  for await (const lines of outbox.lines()) yield `${lines.join("\n")}\n`;
  const { fault, ok, ...totals } = await ended;
  yield `${JSON.stringify({ summary: true, ok, trace_id: traceId, ...totals, ...warnings, ...reasonOf(fault) })}\n`;
}

/** What ended the batch before its last frame. */
function reasonOf(fault: ServiceFault | null): { readonly error?: string; readonly message?: string } {
  return fault === null ? {} : { error: fault.error, message: fault.message };
}
