/**
 * Batches of JSON-RPC, which MCP 2025-03-26 asks servers to receive and the revisions after it removed: several messages in one line,
 * whose answers go back together in one line.
 */
import { isObject, type Members } from "../../compiler/json.ts";
import { errorAnswer, type Incoming, isId, type RequestId } from "./json-rpc.ts";

export const BATCH_VERSION = "2025-03-26";

/** Answers that are ready, and ids of requests that are under way. */
type Batch = { readonly answers: object[]; readonly waiting: Set<RequestId> };

export class Batches {
  readonly #write: (message: object) => void;
  /** By the id of each request that is under way. */
  readonly #open = new Map<RequestId, Batch>();

  constructor(write: (message: object) => void) {
    this.#write = write;
  }

  /** `refusal`: the answer to a request that cannot be delivered; null: it can. */
  take(
    messages: readonly Incoming[],
    deliver: (message: Members) => void,
    refusal: (message: Members) => object | null,
  ): void {
    const batch: Batch = { answers: [], waiting: new Set() };
    const delivered: Members[] = [];
    for (const one of messages) {
      if (one.kind === "refused") batch.answers.push(one.answer);
      if (one.kind !== "message") continue;
      const { message } = one;
      const refused = refusal(message) ?? this.#refusal(message);
      if (refused !== null) {
        batch.answers.push(refused);
        continue;
      }
      if (isId(message["id"])) {
        batch.waiting.add(message["id"]);
        this.#open.set(message["id"], batch);
      }
      delivered.push(message);
    }
    for (const message of delivered) deliver(message);
    this.#finish(batch);
  }

  /** Whether the answer belongs to a batch, which has it then. */
  answered(message: Members): boolean {
    const { id } = message;
    if (!isId(id) || !("result" in message || "error" in message)) return false;
    const batch = this.#open.get(id);
    if (batch === undefined) return false;
    batch.answers.push(message);
    this.#ended(id, batch);
    return true;
  }

  /** A request that the client cancels is never answered. */
  noticed({ method, params }: Members): void {
    if (method !== "notifications/cancelled" || !isObject(params) || !isId(params["requestId"])) return;
    const batch = this.#open.get(params["requestId"]);
    if (batch !== undefined) this.#ended(params["requestId"], batch);
  }

  #refusal({ id, method }: Members): object | null {
    if (!isId(id)) return null;
    if (method === "initialize") return errorAnswer("invalidRequest", "Invalid Request: initialize stands alone", id);
    return this.#open.has(id) ? errorAnswer("invalidRequest", "Invalid Request: the id is in use", id) : null;
  }

  #ended(id: RequestId, batch: Batch): void {
    this.#open.delete(id);
    batch.waiting.delete(id);
    this.#finish(batch);
  }

  /** A batch of notifications has no answer. */
  #finish({ answers, waiting }: Batch): void {
    if (waiting.size > 0 || answers.length === 0) return;
    this.#write(answers.splice(0));
  }
}
