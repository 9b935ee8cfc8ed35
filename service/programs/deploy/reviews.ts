/** Reviews of deployments: small ones at once, large ones one after the other in a thread, which starts with the first of them. */
import { helperPath } from "../../../adapters/engine/helpers.ts";
import { WaitingLine } from "../../../adapters/engine/waiting-line.ts";
import { WorkerLane } from "../../../adapters/engine/wasm/lane.ts";
import type { AdapterCatalog } from "../../../compiler/catalog.ts";
import { faults } from "../../wire/errors.ts";
import { type Review, type ReviewedTexts, type ReviewRequest, review } from "./review.ts";

/** Characters of IR that are reviewed in less than some tens of milliseconds. */
const SMALL = 256 * 1024;
/** The largest programs take some seconds and a third of this. */
const TIMEOUT_MS = 60_000;
const HEAP_MB = 1024;
const WAITING = 64;

export class Reviews {
  readonly #lane = new WorkerLane<ReviewRequest, Review>({
    path: helperPath("program-review"),
    heapMb: HEAP_MB,
    late,
    lost,
  });
  readonly #line = new WaitingLine([this.#lane], { waiting: WAITING, busy: lost });

  /** Rejects with ServiceFault server_busy. `before`: the current version, or null. */
  async of(
    before: ReviewRequest["before"],
    after: ReviewedTexts,
    catalog: AdapterCatalog,
    isProposal = false,
  ): Promise<Review> {
    const entries = catalog.names().flatMap((name) => catalog.adapter(name) ?? []);
    const request = {
      before: before === null ? null : { version: before.version, ...textsOf(before) },
      after: textsOf(after),
      entries,
      isProposal,
    };
    if (after.ir.length + (before?.ir.length ?? 0) <= SMALL) return review(request);
    const lane = await this.#line.take();
    try {
      return await lane.run(request, { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal });
    } finally {
      this.#line.give(lane);
    }
  }

  async close(): Promise<void> {
    this.#line.close();
    await this.#lane.close();
  }
}

const textsOf = ({ ir, source, settings }: ReviewedTexts): ReviewedTexts => ({ ir, source, settings });

function late(): Error {
  return faults.busy("comparing the program with its current version takes too long");
}

function lost(): Error {
  return faults.busy("no thread could compare the program with its current version");
}
