/** Where the boxes of a graph stand: of a program that a job or a deployment has, by its checksum, or of a text that is being written. */
import * as z from "zod";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import type { ServicePart, Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { nothingThere, ServiceFault } from "../../wire/errors.ts";
import { Layouts } from "./layouts.ts";

const CHECKSUM = /^sha256:[0-9a-f]{64}$/;
const params = z.object({ checksum: z.string() });
const view = z.enum(["source", "steps", "labels"]).optional();
const querystring = z.strictObject({ view });
const body = z.strictObject({ code: z.string(), view });
const CACHED = { "cache-control": "private, max-age=3600" };

export function layoutRoutes(app: ServiceApp, { gateway, clock }: Services, part: ServicePart | undefined): void {
  const layouts = new Layouts(gateway.host.catalog, clock);
  app.addHook("onClose", () => layouts.close());
  app.route({
    method: "GET",
    url: "/ui/layout/:checksum",
    schema: { hide: true, params, querystring },
    handler: async ({ params: { checksum }, query }, reply) => {
      const text = CHECKSUM.test(checksum) ? ((await part?.program(checksum)) ?? null) : null;
      if (text === null) throw nothingThere();
      const layout = await layouts.of(JSON.parse(text) as Ir, query.view ?? "steps");
      return send(reply, jsonAnswer(200, layout, layout.why === null ? CACHED : {}));
    },
  });
  app.route({
    method: "POST",
    url: "/ui/layout",
    schema: { hide: true, body },
    handler: async ({ body: { code, view = "steps" }, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      const known = view === "source" ? layouts.known(code) : undefined;
      if (known !== undefined) return send(reply, jsonAnswer(200, known));
      const { ir } = await gateway.host.compileInTurns(code, { strict: false });
      if (ir === null) throw new ServiceFault("compile_error", "the program cannot be read");
      return send(reply, jsonAnswer(200, await layouts.of(ir, view, code)));
    },
  });
}
