/** Requests to a runner service whose answers have a known shape. */
import * as z from "zod/mini";
import { isObject } from "../../compiler/json.ts";
import { copyText, exactJson } from "../../vm/inputs/exact-text.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import { baseOf, json, MAX_OTHER_BYTES, refusal, unreachable } from "./client.ts";

type Sent = { readonly body?: object; readonly headers?: Readonly<Record<string, string>> };
export type AskService = <S extends z.ZodMiniType>(
  schema: S,
  method: string,
  path: string,
  sent?: Sent,
) => Promise<z.output<S>>;

/** Throws CliFault for an invalid address. What the service refuses rejects with CliFault. */
export function asking(server: string, signal: AbortSignal): AskService {
  const base = baseOf(server);
  return async (schema, method, path, { body, headers = {} } = {}) => {
    const sent = body === undefined ? {} : { body: exactJson(body) };
    const type: Readonly<Record<string, string>> = body === undefined ? {} : { "content-type": "application/json" };
    let status: number;
    let answer: unknown;
    try {
      const response = await fetch(`${base}${path}`, { method, signal, ...sent, headers: { ...type, ...headers } });
      status = response.status;
      answer = await json(base, response, MAX_OTHER_BYTES);
    } catch (cause) {
      if (signal.aborted || cause instanceof CliFault) throw cause;
      throw unreachable(base);
    }
    const read = schema.safeParse(answer);
    if (status < 300 && read.success) {
      if (isObject(answer)) copyText(answer, read.data as object);
      return read.data;
    }
    throw compileFaultOf(answer) ?? refusal(base, status, answer);
  };
}

const Diagnostics = z.looseObject({
  error: z.literal("compile_error"),
  message: z.string(),
  diagnostics: z.array(
    z.looseObject({ severity: z.string(), code: z.string(), message: z.string(), line: z.nullable(z.number()) }),
  ),
});

/** The findings of the service's compiler, a line each; null: it says something else. */
function compileFaultOf(answer: unknown): CliFault | null {
  const read = Diagnostics.safeParse(answer);
  if (!read.success) return null;
  const errors = read.data.diagnostics.filter(({ severity }) => severity === "error");
  const notes = errors.map(({ line, code, message }) => `${line === null ? "" : `line ${line}: `}${code} ${message}`);
  return new CliFault(read.data.message, { error: "compile_error", exitCode: EXIT.usage, notes: notes.slice(0, 20) });
}
