/** Methods of answers of http, which mean what they mean in `requests` (python-effects.md K-12). */
import type { Json } from "../../../compiler/json.ts";
import { foundError } from "../adapter-errors.ts";
import { left } from "../borders.ts";
import { Raised } from "../exceptions.ts";
import { readJson } from "../json/read.ts";
import { PyDict } from "../kinds/dict.ts";
import type { Context, Value } from "../object.ts";
import { type PyResponse, RESPONSE_TYPE } from "../record.ts";
import type { Part } from "./registry.ts";

const FIRST_REFUSED = 400;
const FIRST_OF_SERVER = 500;
/** Statuses below 500 that another try may change. */
const PASSING: ReadonlySet<Value> = new Set([408, 425, 429]);

/** The body as data. One that came as JSON is data already, a text is read. */
function json(ctx: Context, self: PyResponse): Value {
  const body = self.get("body") ?? null;
  if (body !== null && (typeof body !== "string" || isJson(self))) return body;
  return readJson(body ?? "", { ctx });
}

function isJson(response: PyResponse): boolean {
  const headers = response.get("headers");
  const type = headers instanceof PyDict ? headers.get("content-type") : undefined;
  return typeof type === "string" && /^[\w.+-]+\/(?:[\w.-]+\+)?json\b/i.test(type);
}

function raiseForStatus(ctx: Context, self: PyResponse): Value {
  const status = self.get("status");
  if (typeof status !== "number" || status < FIRST_REFUSED) return null;
  throw new Raised(
    foundError(`the server answered ${status}`, left(self, ctx) as Json, {
      code: "ADAPTER_HTTP_STATUS",
      adapter: "http",
      verb: null,
      retryable: status >= FIRST_OF_SERVER || PASSING.has(status),
      retry_after_ms: null,
    }),
  );
}

export const RESPONSES: Part = {
  natives: { "weft.Response.json": json, "weft.Response.raise_for_status": raiseForStatus },
  types: { "weft.Response": RESPONSE_TYPE },
};
