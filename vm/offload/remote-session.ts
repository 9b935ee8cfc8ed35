/**
 * The adapters of a moved run as its guest sees them: every call goes to the host, where the run's own session checks, makes and bounds
 * it. A call therefore has neither an own end nor anything to check here.
 */
import type { Json } from "../../compiler/json.ts";
import type { CallPlace, RunSession, StartedCall } from "../calls/session.ts";
import { exactListText, exactly, plainly } from "../inputs/exact-text.ts";
import { CallFailure } from "../machine/call-checks.ts";
import { detached } from "../memory/copy-out.ts";
import type { AdapterUsage } from "../usage.ts";
import type { CallAnswer, FromGuest } from "./messages.ts";

type Waiting = { readonly resolve: (value: Json) => void; readonly reject: (failure: CallFailure) => void };

export class RemoteSession implements RunSession {
  /** They are kept, and closed, where the adapters are. */
  readonly warnings: string[] = [];
  readonly usage: AdapterUsage = {};
  readonly idle = true;
  readonly #post: (message: FromGuest) => void;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  readonly #concurrent: ReadonlySet<string>;

  /** `concurrent`: adapters that branches may call at the same time. */
  constructor(post: (message: FromGuest) => void, concurrent: readonly string[]) {
    this.#post = post;
    this.#concurrent = new Set(concurrent);
  }

  isConcurrent(adapter: string): boolean {
    return this.#concurrent.has(adapter);
  }

  start(adapter: string, verb: string, args: readonly Json[], { callId, attempt }: CallPlace): StartedCall {
    this.#calls += 1;
    const id = this.#calls;
    const copies = args.map((arg) => detached(plainly(arg)));
    const answer = new Promise<Json>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    // A run that ends right now waits for no answer.
    answer.catch(() => {});
    this.#post({ kind: "call", id, adapter, verb, args: copies, argsText: exactListText(args), callId, attempt });
    const abort = (): void => {
      this.#waiting.delete(id);
      this.#post({ kind: "abandon", id });
    };
    return { adapter, answer, bound: null, endsAt: () => Number.POSITIVE_INFINITY, abort };
  }

  answered(answer: CallAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("value" in answer)
      waiting?.resolve(answer.text === undefined ? answer.value : exactly(answer.value, answer.text));
    else waiting?.reject(new CallFailure(answer.cause));
  }

  taken(_call: StartedCall, answer: unknown): Json {
    return answer as Json;
  }

  takenInPieces(): null {
    return null;
  }

  failure(_call: StartedCall, thrown: unknown): unknown {
    return thrown;
  }

  expire(call: StartedCall): unknown {
    throw new Error(`the host ends calls of ${call.adapter}`);
  }

  abandon(call: StartedCall): void {
    call.abort();
  }

  async close(): Promise<void> {}
}
