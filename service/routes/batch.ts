/** POST /batch: one program, many frames, as one JSON document or as lines that are answered while they arrive (docs/http.md, POST /batch). */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import type { JsonObject } from "../../compiler/json.ts";
import { accepts, jsonAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { Batch, type BatchItem, type BatchItems, type BatchLine, type BatchRun } from "../batch.ts";
import { bodyKind } from "../body-stream.ts";
import { faults, ServiceFault } from "../errors.ts";
import { readJsonBody, readJsonObject } from "../json-body.ts";
import { readLines } from "../lines.ts";
import { planRun } from "../run-plan.ts";
import { readAdmitted } from "../run-request.ts";
import { BatchAnswer, BatchHead, BatchRequest, BatchStreamLine } from "../schemas/batch.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";

const DEFAULT_CONCURRENCY = 16;
const IDLE_MS = 30_000;
const NDJSON = "application/x-ndjson";

export function batchRoute(app: ServiceApp, services: Services): void {
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
      refuseKey(request);
      if (bodyKind(request.headers) === "ndjson") return answerStream(services, request, reply);
      return answerDocument(services, request, reply);
    },
  });
}

/** A batch is resumed by its caller, who knows which lines it has. */
function refuseKey({ headers }: FastifyRequest): void {
  if (headers["idempotency-key"] === undefined) return;
  const message = "batches have no Idempotency-Key";
  throw faults.invalidRequest([{ path: "", code: "idempotency_key", message }], "headers");
}

async function answerDocument(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = await readJsonBody(services, request);
  const started = await begin(services, request, BatchRequest, body, (asked) => {
    const { batchMaxFrames } = services.config;
    if (asked.frames.length > batchMaxFrames)
      throw faults.invalidRequest([
        { path: "/frames", code: "range", message: `must have at most ${batchMaxFrames} frames` },
      ]);
    return { inputs: [...new Set(asked.frames.flatMap((frame) => Object.keys(frame)))], count: asked.frames.length };
  });
  const frames = started.asked.frames[Symbol.iterator]();
  const run = started.run({
    next() {
      const { value, done } = frames.next();
      return done === true ? null : { frame: value as JsonObject };
    },
  });
  if (accepts(request.headers, NDJSON)) return sendLines(reply, run, started);
  const results: BatchLine[] = [];
  for await (const lines of run.lines) results.push(...lines);
  results.sort((a, b) => a.index - b.index);
  const { ok, count, succeeded, failed, fault } = await run.ended;
  const { traceId, warnings } = started;
  const totals = { ok, trace_id: traceId, count, succeeded, failed };
  return send(reply, jsonAnswer(200, { ...totals, results, ...warnings, ...reasonOf(fault) }));
}

async function answerStream(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { clock, config } = services;
  const lines = readLines(request.raw, { maxBytes: config.maxBodyBytes, idleMs: IDLE_MS, clock });
  const head = await lines.next();
  if (head.done === true) throw new ServiceFault("invalid_json", "the request has no body; the first line is the head");
  const started = await begin(services, request, BatchHead, readJsonObject(head.value), () => ({
    inputs: null,
    count: null,
  }));
  return sendLines(reply, started.run(itemsOf(lines)), started);
}

type Started<R> = {
  readonly asked: R;
  readonly traceId: string;
  readonly warnings: { readonly warnings?: readonly string[] };
  run(items: BatchItems): BatchRun;
};

/** Everything that is refused before the first line. */
async function begin<S extends typeof BatchHead | typeof BatchRequest>(
  services: Services,
  request: FastifyRequest,
  schema: S,
  body: JsonObject,
  look: (asked: z.output<S>) => { readonly inputs: readonly string[] | null; readonly count: number | null },
): Promise<Started<z.output<S>>> {
  const { call } = request;
  const startedAt = services.clock.now();
  const { request: asked, admission } = readAdmitted(schema, body, services.gateway);
  const { inputs, count } = look(asked);
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
    const batch = new Batch(services, plan, options, { trace, context, startedAt });
    const warnings = [...new Set([...plan.warnings, ...plan.prepared.warnings])];
    return {
      asked,
      traceId: context.trace_id,
      warnings: warnings.length === 0 ? {} : { warnings },
      run: (items) => batch.run(items, slot, call.caller),
    };
  } catch (cause) {
    slot.leave();
    throw cause;
  }
}

function sendLines(
  reply: FastifyReply,
  run: BatchRun,
  started: Pick<Started<unknown>, "traceId" | "warnings">,
): FastifyReply {
  return reply
    .code(200)
    .type(`${NDJSON}; charset=utf-8`)
    .send(Readable.from(textLines(run, started)));
}

async function* textLines(
  { lines, ended }: BatchRun,
  { traceId, warnings }: Pick<Started<unknown>, "traceId" | "warnings">,
): AsyncGenerator<string, void> {
  for await (const some of lines) yield some.map((line) => `${JSON.stringify(line)}\n`).join("");
  const { fault, ok, ...totals } = await ended;
  yield `${JSON.stringify({ summary: true, ok, trace_id: traceId, ...totals, ...warnings, ...reasonOf(fault) })}\n`;
}

/** What ended the batch before its last frame. */
function reasonOf(fault: ServiceFault | null): { readonly error?: string; readonly message?: string } {
  return fault === null ? {} : { error: fault.error, message: fault.message };
}

function itemsOf(lines: AsyncIterator<Buffer>): BatchItems {
  return {
    async next() {
      const { value, done } = await lines.next();
      return done === true ? null : itemOf(value);
    },
  };
}

function itemOf(line: Buffer): BatchItem {
  try {
    return { frame: readJsonObject(line) };
  } catch (cause) {
    if (!(cause instanceof ServiceFault)) throw cause;
    return { broken: new ServiceFault("invalid_json", "the line is no JSON object that can be a frame") };
  }
}
