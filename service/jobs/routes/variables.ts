/** GET /result/{id}/variables: the variables of a durable run, as the last state of it that was stored has them. */
import * as z from "zod";
import type { Program } from "../../../compiler/bytecode/program.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { readSnapshot } from "../../../vm/durable/stored-snapshot.ts";
import { FatalFailure } from "../../../vm/errors/failures.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobVariables, ValuesQuery } from "../../schemas/durable.ts";
import { responses } from "../../schemas/responses.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { existing, jobIdIn } from "../answers/documents.ts";
import { shapeOf } from "../answers/shapes.ts";
import { ValueViews } from "../answers/value-views.ts";
import type { Job } from "../job.ts";
import type { Jobs } from "../jobs.ts";

export function variablesRoute(app: ServiceApp, services: Services, { store, programs }: Jobs): void {
  const { gateway } = services;
  const views = new ValueViews(services);
  app.route({
    method: "GET",
    url: "/result/:id/variables",
    schema: {
      operationId: "jobVariables",
      summary: "Variables of a durable job in its last stored state",
      params: z.object({ id: z.string() }),
      querystring: ValuesQuery,
      response: responses({ 200: JobVariables }, [
        "job_not_found",
        "job_expired",
        "values_hidden",
        "store_unavailable",
      ]),
    },
    handler: async ({ params, query, ip, call }, reply) => {
      const job = existing(await store.find(jobIdIn(params)));
      const withValues = views.asked(query, job.id, ip, call.context);
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
