/** `/ui`: the page of the console, the same at every path below it, and its files. */
import * as z from "zod";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { nothingThere } from "../wire/errors.ts";
import type { ConsoleFiles } from "./files.ts";
import type { ConsoleRules } from "./mode.ts";

/** No script, style, image or connection from anywhere else, no frame around the page, and no text that becomes markup. */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
const ASSET_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
  vary: "accept-encoding",
};

export type PageFacts = {
  /** A proxy names who asks, so people may decide approvals on the page. */
  readonly namesPeople: boolean;
  /** Jobs, recent runs and questions can be listed. */
  readonly lists: boolean;
  /** Inputs of jobs and journals can be read with their values. */
  readonly journalValues: boolean;
};

export function consoleRoutes(
  app: ServiceApp,
  { page, assets }: ConsoleFiles,
  { mode, values, environment, name }: ConsoleRules,
  { namesPeople, lists, journalValues }: PageFacts,
): void {
  const words = [
    mode,
    ...(values ? ["values"] : []),
    ...(values && journalValues ? ["journals"] : []),
    ...(namesPeople ? ["people"] : []),
    ...(lists ? [] : ["unlisted"]),
  ];
  const text = page
    .replace("{{rules}}", words.join(" "))
    .replace("{{service}}", [RUNTIME_VERSION, environment ?? "", name ?? ""].join("|"));
  for (const url of ["/ui", "/ui/*"]) {
    app.route({
      method: "GET",
      url,
      schema: { hide: true, querystring: z.looseObject({}) },
      handler: async (_request, reply) => reply.headers(PAGE_HEADERS).serializer(String).send(text),
    });
  }
  app.route({
    method: "GET",
    url: "/ui/assets/:name",
    // Everybody may have these files, and without them a page whose origin is refused could not say so.
    config: { ownOrigins: true },
    schema: { hide: true, params: z.object({ name: z.string() }) },
    handler: async ({ params, headers }, reply) => {
      const file = assets.get(params.name);
      if (file === undefined) throw nothingThere();
      const gzip = /\bgzip\b/.test(headers["accept-encoding"] ?? "");
      reply.headers({ ...ASSET_HEADERS, "content-type": file.type });
      return gzip ? reply.header("content-encoding", "gzip").send(file.gzipped) : reply.send(file.plain);
    },
  });
}
