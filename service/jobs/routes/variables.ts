/** GET /result/{id}/variables: the variables of a durable run, as the last state of it that was stored has them. */
import * as z from "zod";
import type { Program } from "../../../compiler/bytecode/program.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { counted } from "../../../grammar/text/english.ts";
import { readSnapshot } from "../../../vm/durable/stored-snapshot.ts";
import { FatalFailure } from "../../../vm/errors/failures.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobVariables, VariablesQuery } from "../../schemas/durable.ts";
import { responses } from "../../schemas/responses.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { existing, jobIdIn } from "../answers/documents.ts";
import { ValueViews } from "../answers/value-views.ts";
import type { Job } from "../job.ts";
import type { Jobs } from "../jobs.ts";

export function variablesRoute(app: ServiceApp, services: Services, { store, programs }: Jobs): void {
  const { config, gateway } = services;
  const views = new ValueViews(services);
  app.route({
    method: "GET",
    url: "/result/:id/variables",
    schema: {
      operationId: "jobVariables",
      summary: "Variables of a durable job in its last stored state",
      params: z.object({ id: z.string() }),
      querystring: VariablesQuery,
      response: responses({ 200: JobVariables }, [
        "job_not_found",
        "job_expired",
        "values_hidden",
        "store_unavailable",
      ]),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const job = existing(await store.find(jobIdIn(params)));
      const withValues = query.values === "1";
      if (withValues && !config.jobs.journalValues)
        throw new ServiceFault("values_hidden", "values of journals are not shown here (WF_JOURNAL_VALUES)");
      if (withValues) views.note(job.id, ip, call.context);
      const [stored, work] = job.durable
        ? await Promise.all([store.durable?.snapshot(job.id) ?? null, store.work(job.id)])
        : [null, null];
      const program = work === null ? null : programOf(programs.read(work) as unknown as Ir, job);
      const state = program === null ? null : readSnapshot(stored, program, Number.MAX_SAFE_INTEGER);
      if (program === null || state === null || !state.ok)
        return send(reply, jsonAnswer(200, { job_id: job.id, seq: null, variables: {} }));
      const variables: Record<string, unknown> = Object.create(null);
      for (const [slot, value] of state.state.frame) {
        const name = program.names[slot];
        if (name !== undefined) variables[name] = withValues ? value : shapeOf(value);
      }
      return send(reply, jsonAnswer(200, { job_id: job.id, seq: state.seq, variables }));
    },
  });

  /** null: the program cannot be run any more. */
  function programOf(ir: Ir, { label }: Job): Program | null {
    try {
      const { id } = gateway.host.resolveLabel(ir, label);
      return id === null ? null : gateway.host.program(ir, id);
    } catch (thrown) {
      if (thrown instanceof FatalFailure) return null;
      throw thrown;
    }
  }
}

/** As the console shows a value that is hidden. */
function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text, ${[...value].length}`;
  if (Array.isArray(value)) return `[${counted(value.length, "element")}]`;
  if (typeof value === "object") return `{${counted(Object.keys(value).length, "member")}}`;
  return typeof value === "number" ? "a number" : "a boolean";
}
