/**
 * Requests to a runner service whose answers have a known shape. What the service refuses is a fault with the service's own word and sentence; a service
 * that cannot be reached is a usage fault, because another address may help.
 */
import * as z from "zod/mini";
import { isObject } from "../../compiler/json.ts";
import { copyText, exactJson, readExactly } from "../../vm/inputs/exact-text.ts";
import { readServiceAddress, type ServiceAddress } from "../../vm/inputs/service-address.ts";
import { CliFault, EXIT, usageFault } from "./faults.ts";

export const MEBIBYTE = 1024 * 1024;
/** Of an answer, unless it is a result or a journal. */
export const MAX_OTHER_BYTES = 16 * MEBIBYTE;

const Issue = z.looseObject({ path: z.string(), message: z.string() });
const Refusal = z.looseObject({ error: z.string(), message: z.string(), issues: z.optional(z.array(Issue)) });

type Sent = {
  readonly body?: object;
  /** In place of the body: its JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes that the answer may have. */
  readonly most?: number;
};
export type AskService = <S extends z.ZodMiniType>(
  schema: S,
  method: string,
  path: string,
  sent?: Sent,
) => Promise<z.output<S>>;

/** Throws CliFault for an invalid address. What the service refuses rejects with CliFault. */
export function asking(server: string, signal: AbortSignal): AskService {
  const { base, headers: credentials } = addressOf(server);
  return async (schema, method, path, sending = {}) => {
    const { body, headers = {}, most = MAX_OTHER_BYTES } = sending;
    const text = body === undefined ? sending.text : exactJson(body);
    const sent = text === undefined ? {} : { body: text };
    const type: Readonly<Record<string, string>> = text === undefined ? {} : { "content-type": "application/json" };
    let status = 0;
    let answer: unknown;
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        signal,
        ...sent,
        headers: { ...credentials, ...type, ...headers },
      });
      status = response.status;
      answer = await json(base, response, status < 300 ? most : MAX_OTHER_BYTES);
    } catch (cause) {
      if (signal.aborted || cause instanceof CliFault) throw cause;
      throw cause instanceof SyntaxError && REFUSALS_OF_PROXIES.has(status)
        ? refusedByProxy(base, status)
        : unreachable(base);
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

/** The JSON of an answer, with its text where that says more, read up to a maximum of bytes. Throws CliFault for a larger answer. */
export async function json(base: string, { body }: Response, most: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge(base, `an answer of more than ${most / MEBIBYTE} MiB`);
    chunks.push(chunk);
  }
  return readExactly(new TextDecoder().decode(Buffer.concat(chunks)));
}

export function addressOf(server: string): ServiceAddress {
  const address = readServiceAddress(server);
  if (address === null)
    throw usageFault(
      "the address of the server must look like http://127.0.0.1:8770 or https://TOKEN@weft.example.com",
    );
  return address;
}

/** What the service says in place of an answer. */
export function refusal(base: string, status: number, answer: unknown): CliFault {
  const refused = Refusal.safeParse(answer);
  if (!refused.success) return unreachable(base);
  const { error, message, issues = [] } = refused.data;
  const exitCode = error === "policy_violation" ? EXIT.policy : status >= 500 ? EXIT.failed : EXIT.usage;
  const notes = issues.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`));
  // A single fault of the whole request is often the message itself.
  const further = notes.filter((note) => note !== message);
  const members =
    issues.length === 0 ? {} : { issues: issues.map(({ path, message: text }) => ({ path, message: text })) };
  return new CliFault(message, { error, exitCode, notes: further, members });
}

export function tooLarge(base: string, what: string): CliFault {
  return new CliFault(`${base} sends ${what}, which exceeds the maximum size of an answer`, {
    error: "answer_too_large",
    exitCode: EXIT.failed,
  });
}

/** What does not pass by itself, when it is not said in JSON: a service always says it so. */
const REFUSALS_OF_PROXIES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 407, 411, 413, 414, 415, 431]);

const CREDENTIALS = "put them into the address: WF_SERVER=https://TOKEN@HOST, or https://USER:PASSWORD@HOST";

function refusedByProxy(base: string, status: number): CliFault {
  const why =
    status === 401 || status === 407
      ? "it asks for credentials"
      : status === 413
        ? "the request is too large for it"
        : `it answers ${status}`;
  return new CliFault(`something in front of the service at ${base} refuses the request: ${why}`, {
    error: "proxy_refused",
    exitCode: EXIT.usage,
    notes: status === 401 ? [CREDENTIALS] : [],
    members: { status },
  });
}

export function unreachable(base: string): CliFault {
  return new CliFault(`no service answers at ${base}`, {
    error: "server_unreachable",
    exitCode: EXIT.usage,
    notes: ["start one with `wf serve`, or give its address with --server or WF_SERVER"],
  });
}
