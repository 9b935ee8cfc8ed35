/** Bodies that are read as they come: lines of JSON, and server-sent events. Nothing is kept of what was read. */
import { WeftError } from "./errors.ts";

/** Lines of a body, without their ends. Rejects with `stream_cut` when the connection breaks. */
export async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<string, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        if (signal?.aborted) throw cause;
        throw new WeftError("stream_cut", "the connection broke within a stream", { status: response.status, cause });
      });
      if (done) break;
      const [first = "", ...following] = decoder.decode(value, { stream: true }).split("\n");
      rest += first;
      for (const next of following) {
        yield rest.endsWith("\r") ? rest.slice(0, -1) : rest;
        rest = next;
      }
    }
    if (rest !== "") yield rest;
  } finally {
    // A reader that stops early lets the service know.
    await reader.cancel().catch(() => {});
  }
}

/** JSON of one line. Throws `stream_cut`: only the last line of a broken stream is not JSON. */
export function lineValue<T>(line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch (cause) {
    throw new WeftError("stream_cut", "a stream ended within a line", { cause });
  }
}

export type ServerEvent = { readonly id: string | null; readonly event: string; readonly data: unknown };

/** Events of a `text/event-stream`; comments and data that is not JSON are left out. */
export async function* eventsOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent, void> {
  let fields = new Map<string, string>();
  for await (const line of linesOf(response, signal)) {
    if (line === "") {
      const event = eventIn(fields);
      fields = new Map();
      if (event !== null) yield event;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }
}

function eventIn(fields: ReadonlyMap<string, string>): ServerEvent | null {
  const data = fields.get("data");
  if (data === undefined) return null;
  try {
    return { id: fields.get("id") ?? null, event: fields.get("event") ?? "message", data: JSON.parse(data) };
  } catch {
    return null;
  }
}
