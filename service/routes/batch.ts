/** POST /batch: one program, many frames, as one JSON document or as lines that are answered while they arrive (docs/http.md, POST /batch). */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { lineSafe } from "../../vm/values/json-line.ts";
import { checkedFrames } from "../batch/checked-frames.ts";
import { type BatchItems, changedFrames, LineFrames, ListedFrames } from "../batch/frames.ts";
import { Outbox } from "../batch/line-outbox.ts";
import type { BatchOut } from "../batch/result-order.ts";
import { Batch, type BatchTotals } from "../batch/run-batch.ts";
import { readJsonObject } from "../http/body/json.ts";
import { readLines } from "../http/body/lines.ts";
import { leaveLinesUnread } from "../http/body/parsers.ts";
import { bodyKind } from "../http/body/stream.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { deployedPlan, programContext, resolved, withDefaults } from "../programs/run-program.ts";
import { asksForStrict, precisionWarnings } from "../run/exact-body.ts";
import { declaresInputs, frameWarnings } from "../run/frame-check.ts";
import { checkFrameCount, namesIn } from "../run/frame-lists.ts";
import { planRun, warnedPlan } from "../run/plan.ts";
import { checked, readAdmitted, type ValidatedBody } from "../run/read-request.ts";
import { BatchAnswer, BatchHead, BatchRequest, BatchStreamLine } from "../schemas/batch.ts";
import { refusalsOfPrograms, responses } from "../schemas/responses.ts";
import type { Services } from "../services.ts";
import type { Answer } from "../wire/answer.ts";
import { JSON_HEADERS, READ_IDLE_MS, send, wantsBeforeJson } from "../wire/answers.ts";
import { faults, ServiceFault } from "../wire/errors.ts";

const DEFAULT_CONCURRENCY = 16;
const IDLE_MS = 30_000;
const NDJSON = "application/x-ndjson";
/** The results of a document are held until the last one; their total limit, as a multiple of the maximum result. */
const MAX_RESULTS = 4;
/** Texts of the language end at twice this. */
const MAX_RESULT_CHARACTERS = 256 * 1024 * 1024;

export function batchRoute(app: ServiceApp, services: Services): void {
  // A scope of its own: only here may a body be lines.
  app.register(async (scope: ServiceApp) => {
    leaveLinesUnread(scope);
    scope.route({
      method: "POST",
      url: "/batch",
      config: { work: true },
      schema: {
        operationId: "batch",
        summary: "Runs one program with many frames",
        body: BatchRequest,
        response: responses({ 200: { "application/json": BatchAnswer, [NDJSON]: BatchStreamLine } }, [
          ...refusalsOfPrograms,
          "program_not_found",
          "store_unavailable",
        ]),
      },
      onRequest: refuseKey,
      handler: async (request, reply) => {
        const { headers, body, validationError: fault, call, raw } = request;
        if (bodyKind(headers) === "ndjson") return sendLines(services, reply, await beginLines(services, raw, call));
        const started = await beginFrames(services, { body, fault }, call);
        if (wantsBeforeJson(headers, NDJSON)) return sendLines(services, reply, started);
        return send(reply, await documentOf(services, started));
      },
    });
  });
}

/** A batch is resumed by its caller, who knows which lines it has. */
function refuseKey({ headers }: FastifyRequest, _reply: FastifyReply, next: () => void): void {
  if (headers["idempotency-key"] !== undefined) {
    const message = "batches have no Idempotency-Key";
    throw faults.invalidRequest([{ path: "", code: "idempotency_key", message }], "headers");
  }
  next();
}

/** The frames of a document. */
async function beginFrames(
  services: Services,
  { body, fault }: ValidatedBody<z.output<typeof BatchRequest>>,
  call: RequestCall,
): Promise<Started> {
  checkFrameCount(body.frames, 0, services.config.batchMaxFrames);
  return begin(services, { body, fault }, call, ({ frames }) => ({
    items: new ListedFrames(frames),
    inputs: namesIn(frames),
    count: frames.length,
  }));
}

/** The answer is put together from the texts of its results. */
async function documentOf({ unsent, maxResultBytes }: Services, started: Started): Promise<Answer> {
  const results: string[] = [];
  const most = Math.min(MAX_RESULTS * maxResultBytes, MAX_RESULT_CHARACTERS);
  const room = unsent.gather();
  let size = 0;
  try {
    const {
      fault,
      duration_ms: _duration,
      adapter_p95_ms: _times,
      ok,
      ...counts
    } = await started.run({
      put(line, index) {
        results[index] = line;
        size += line.length;
        if (size > most) throw tooMuch(most);
        room.add(line.length);
        return undefined;
      },
      close() {},
    });
    const head = JSON.stringify({ ok, trace_id: started.traceId, ...counts }).slice(0, -1);
    // A frame without a result, because the service broke down in it, leaves a hole.
    const lines = results.filter((line) => line !== undefined).join(",");
    const rest = JSON.stringify({ ...started.warnings, ...reasonOf(fault) }).slice(1);
    const body = `${head},"results":[${lines}]${rest === "}" ? "" : ","}${rest}\n`;
    return { status: 200, headers: JSON_HEADERS, body };
  } finally {
    room.end();
  }
}

function tooMuch(most: number): ServiceFault {
  const message = `the results together are larger than ${most} bytes; ask for ${NDJSON}, or send fewer frames`;
  return new ServiceFault("runtime_error", message);
}

/** The frames of lines, which arrive while the first are run. */
async function beginLines(services: Services, incoming: IncomingMessage, call: RequestCall): Promise<Started> {
  const { clock, config, bodies } = services;
  const bounds = { maxBytes: config.maxBodyBytes, idleMs: IDLE_MS, clock, room: bodies };
  const items = new LineFrames(readLines(incoming, bounds));
  const head = await items.head();
  if (head === null) throw new ServiceFault("invalid_json", "the request has no body; the first line is the head");
  const body = readJsonObject(head);
  const read = checked(BatchHead, body);
  const asked = "value" in read ? { body: read.value, fault: undefined } : { body, fault: read.error };
  return begin(services, asked as ValidatedBody<BatchSettings>, call, () => ({ items, inputs: null, count: null }));
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

type BatchSettings = z.output<typeof BatchHead>;

/** Everything that is refused before the first line. */
async function begin<Body extends BatchSettings>(
  services: Services,
  body: ValidatedBody<Body>,
  call: RequestCall,
  framesOf: (asked: Body) => Frames,
): Promise<Started> {
  const startedAt = services.clock.now();
  const { asked: whole, program } = await resolved(services.programs, body);
  const { request: asked, admission } = readAdmitted(whole, services.gateway, program?.within);
  const { items: given, inputs, count } = framesOf(asked);
  const defaults = program?.settings.frame;
  // Those of a document have them already.
  const items =
    defaults === undefined || count !== null ? given : changedFrames(given, (one) => withDefaults(defaults, one));
  const slot = await services.slots.enter(call.caller);
  try {
    const planned = deployedPlan(await planRun(services, asked, admission, inputs), program);
    const plan = warnedPlan(planned, precisionWarnings(body.body, asked));
    const frames = checkedFrames(items, {
      exact: asksForStrict(body.body),
      keepsDigits: isPythonIr(plan.prepared.ir),
      inputs: declaresInputs(plan) ? (frame) => frameWarnings(plan, asked, frame, "") : null,
    });
    const { trace } = call;
    const context = programContext(call.context, program);
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
        new Batch(services, plan, options, { trace, context, startedAt }, frames.warned(out)).run(
          frames.items,
          slot,
          call.caller,
        ),
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
  for await (const lines of outbox.lines()) yield `${lineSafe(lines.join("\n"))}\n`;
  const { fault, ok, ...totals } = await ended;
  const summary = { summary: true, ok, trace_id: traceId, ...totals, ...warnings, ...reasonOf(fault) };
  yield `${lineSafe(JSON.stringify(summary))}\n`;
}

/** What ended the batch before its last frame. */
function reasonOf(fault: ServiceFault | null): { readonly error?: string; readonly message?: string } {
  return fault === null ? {} : { error: fault.error, message: fault.message };
}
