/** POST /result/{id}/signals/{name} and POST /signals/{name}: what a program waits for comes from outside. */
import { copyText } from "../../../vm/inputs/exact-text.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { answerWork } from "../../run/answer-work.ts";
import { precisionWarnings } from "../../run/exact-body.ts";
import {
  JobSignalRequest,
  KeyedSignalParams,
  SignalAccepted,
  SignalParams,
  SignalRequest,
} from "../../schemas/durable.ts";
import type { Services } from "../../services.ts";
import type { TextAnswer } from "../../wire/answer.ts";
import { asText, jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { KeyedHeaders } from "../../wire/headers.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { existing, jobIdIn } from "../answers/documents.ts";
import { signalData } from "../durable/first-signals.ts";
import { NEVER, type NewSignal } from "../durable/waits.ts";
import type { Jobs } from "../jobs.ts";

const KEYED = ["idempotency_in_progress", "idempotency_key_reused", "signals_full", "store_unavailable"] as const;

export function signalRoutes(app: ServiceApp, services: Services, { store, log, now }: Jobs): void {
  const { config } = services;

  const send1 = async (
    name: string,
    asked: Asked,
    target: NewSignal["target"],
    warnings: readonly string[],
  ): Promise<TextAnswer> => {
    if (store.durable === null)
      throw new ServiceFault("not_durable", "this service keeps no signals: set WF_STATE_DIR or WF_DATABASE_URL");
    const { signalKeepS } = config.jobs;
    const data = signalData(name, asked, config.jobs, { path: "/name", of: "path" });
    const id = asked.id ?? services.freshId();
    // Of a job, a signal is kept as long as the job lives.
    const keepS = "key" in target ? (asked.keep_s ?? signalKeepS) : null;
    const expiresMs = keepS === null ? NEVER : now() + keepS * 1000;
    const sent = await store.durable.send({ id, name, target, data, expiresMs });
    switch (sent.state) {
      case "no_job":
        throw existing(null);
      case "ended": {
        const { job } = sent;
        existing(job);
        throw new ServiceFault("signal_not_wanted", `the job is over: ${job.status}`, { job_id: job.id });
      }
      case "full":
        throw new ServiceFault("signals_full", fullOf(target));
      default: {
        const warned = warnings.length === 0 ? {} : { warnings };
        // It was sent before, and its job is over: the answer is what came of it.
        const isOver = !sent.isNew && sent.over;
        const jobs = isOver ? sent.reads : sent.woken.length;
        const delivered = jobs > 0 ? ("now" as const) : ("kept" as const);
        const answer = { ok: true, id, delivered, jobs, ...warned };
        if (isOver) return asText(jsonAnswer(200, answer));
        services.events.note("info", "signal_received", { name, jobs });
        for (const job of sent.woken) log.woken(job, "signal");
        return asText(jsonAnswer(202, answer));
      }
    }
  };

  app.route({
    method: "POST",
    url: "/result/:id/signals/:name",
    config: { work: "settles", bodyOptional: true },
    schema: {
      operationId: "signalJob",
      summary: "Sends a signal to a job",
      params: SignalParams,
      headers: KeyedHeaders,
      body: JobSignalRequest,
      response: responses({ 200: SignalAccepted, 202: SignalAccepted }, [
        ...refusalsOfBodies,
        ...KEYED,
        "not_durable",
        "job_not_found",
        "job_expired",
        "signal_not_wanted",
      ]),
    },
    handler: async (request, reply) => {
      const { params, body, validationError, call } = request;
      const job = jobIdIn(params);
      const make = async () => {
        if (validationError !== undefined) throw validationError;
        const found = existing(await store.find(job));
        if (store.durable !== null && !found.durable && found.finishedMs === null)
          throw new ServiceFault("not_durable", "the job is not durable: it takes no signals");
        return send1(params.name, withId(body, request.headers), { job }, lossWarnings(body));
      };
      return send(
        reply,
        await answerWork(services, request, make, call.route.replace(":id", job).replace(":name", params.name)),
      );
    },
  });

  app.route({
    method: "POST",
    url: "/signals/:name",
    config: { work: "settles" },
    schema: {
      operationId: "signalKey",
      summary: "Sends a signal to the jobs that wait for it under a key",
      params: KeyedSignalParams,
      headers: KeyedHeaders,
      body: SignalRequest,
      response: responses({ 200: SignalAccepted, 202: SignalAccepted }, [...refusalsOfBodies, ...KEYED, "not_durable"]),
    },
    handler: async (request, reply) => {
      const { params, body, validationError, call } = request;
      const make = async () => {
        if (validationError !== undefined) throw validationError;
        return send1(params.name, withId(body, request.headers), { key: body.key }, lossWarnings(body));
      };
      return send(reply, await answerWork(services, request, make, call.route.replace(":name", params.name)));
    },
  });
}

/** Who will read it is not known. */
function lossWarnings(body: object): readonly string[] {
  return precisionWarnings(body).map((warning) => `${warning}, unless a program in Python reads it`);
}

type Asked = {
  readonly data?: unknown;
  readonly id?: string | null | undefined;
  readonly keep_s?: number | null | undefined;
};

/** Without an id of its own, a repeated request is the same signal by its Idempotency-Key. */
function withId<T extends Asked>(body: T, headers: { readonly [name: string]: unknown }): T {
  const key = headers["idempotency-key"];
  if (body.id != null || typeof key !== "string") return body;
  const keyed = { ...body, id: key.slice(0, 128) };
  copyText(body, keyed);
  return keyed;
}

function fullOf(target: NewSignal["target"]): string {
  return "job" in target
    ? "too many signals of the job are unread"
    : "too many signals are kept under the key, or under all keys (WF_SIGNALS_MAX, WF_SIGNALS_MAX_BYTES)";
}
