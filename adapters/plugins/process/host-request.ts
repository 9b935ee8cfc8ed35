/** What requests of a plugin process to the host's services share: contents as text or bytes, and the error for a wrong shape. */
import * as z from "zod";
import type { Json } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";

export const content = z.union([z.string(), z.strictObject({ $base64: z.base64() })]);

export function bytesOf(given: z.output<typeof content>): Buffer {
  return typeof given === "string" ? Buffer.from(given) : Buffer.from(given.$base64, "base64");
}

/** Text where the bytes are UTF-8, else base64. */
export function contentOf(bytes: Uint8Array): Json {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { $base64: Buffer.from(bytes).toString("base64") };
  }
}

export function badRequest(error: z.ZodError): AdapterError {
  const [issue] = error.issues;
  const place = issue === undefined ? "" : issue.path.map((step) => `/${String(step)}`).join("");
  return adapterError("ADAPTER_BAD_ARGS", `the request to the host is not valid at ${place || "its top"}`);
}
