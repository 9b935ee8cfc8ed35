/** Which version of a deployment a call or a fire reaches, and what becomes of the runs of `next` (docs/channels.md). */
import type { IncomingHttpHeaders } from "node:http";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { labelName } from "../../../compiler/ir/references.ts";
import { single } from "../../http/request-context.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { CurrentLoaded, LoadedProgram, LoadedPrograms } from "../loaded-programs.ts";
import type { ProgramStore } from "../store.ts";
import { isOfNext, KeylessCalls, type NextChannel } from "./channel.ts";

type Call = { readonly headers: IncomingHttpHeaders; readonly query: URLSearchParams };
type EndedJob = { readonly status: string; readonly deployment?: string | null; readonly version?: number | null };
const FAILED: ReadonlySet<string> = new Set(["failed", "timed_out", "rejected"]);
type Of = { readonly name: string; readonly version: number };

export class Channels {
  readonly #services: Pick<Services, "metrics" | "events" | "readiness">;
  readonly #programs: LoadedPrograms;
  readonly #store: Pick<ProgramStore, "noteNext">;
  readonly #keyless = new KeylessCalls();

  constructor(
    services: Pick<Services, "metrics" | "events" | "readiness">,
    programs: LoadedPrograms,
    store: Pick<ProgramStore, "noteNext">,
  ) {
    this.#services = services;
    this.#programs = programs;
    this.#store = store;
  }

  /** The version that a call of an endpoint reaches. Rejects with ServiceFault. */
  async forCall({ program, next }: CurrentLoaded, call: Call): Promise<LoadedProgram> {
    if (next === null) return program;
    const key = keyOf(next, call);
    const isNext = key === null ? this.#keyless.isOfNext(program.name, next) : isOfNext(program.name, next, key);
    return isNext ? this.#programs.version(program.name, next.version) : program;
  }

  /** The version that a due time of a schedule reaches; `next` only where it has the label. Rejects with ServiceFault. */
  async forFire(program: LoadedProgram, { id, label }: { readonly id: string; readonly label: string }, dueMs: number) {
    const next = await this.#programs.next(program.name);
    if (next === null || !isOfNext(program.name, next, `${id}\n${dueMs}`)) return program;
    const other = await this.#programs.version(program.name, next.version);
    return hasLabel(other.ir, label) ? other : program;
  }

  /** A run of a deployment ended. What fails here is not a fault of the run. */
  ended(of: Of, failed: boolean): void {
    void this.#ended(of, failed).catch((cause: unknown) => {
      if (cause instanceof ServiceFault) return;
      this.#services.events.note("error", "defect", { error: cause instanceof Error ? cause.name : "unknown" });
    });
  }

  /** A job that came to an end of its own; one that somebody cancelled says nothing about its program. */
  jobEnded({ status, deployment = null, version = null }: EndedJob): void {
    if (deployment === null || version === null) return;
    if (status === "succeeded") this.ended({ name: deployment, version }, false);
    else if (FAILED.has(status)) this.ended({ name: deployment, version }, true);
  }

  async #ended({ name, version }: Of, failed: boolean): Promise<void> {
    const next = await this.#programs.next(name);
    if (next === null) return;
    const isNext = version === next.version;
    this.#services.metrics.channelRun(isNext ? "next" : "current", failed ? "failed" : "succeeded");
    if (!isNext || next.abort === null) return;
    const aborted = await this.#store.noteNext({ name, version, failed });
    if (aborted === null) return;
    const { failures, of } = aborted;
    this.#services.events.note("warn", "program_next_aborted", { program: name, version, failures, of });
    const why = `version ${version} ended by itself: ${failures} of its last ${of} runs failed`;
    this.#services.readiness.warn(nextKey(name), `next_aborted: ${name}: ${why}`);
  }
}

/** Under what /ready keeps the warning about a `next` that ended by itself. */
export const nextKey = (name: string): string => `next of ${name}`;

/** null: the call has none. */
function keyOf({ key }: NextChannel, { headers, query }: Call): string | null {
  const given =
    key === null
      ? single(headers["idempotency-key"])
      : "header" in key
        ? single(headers[key.header.toLowerCase()])
        : (query.get(key.query) ?? undefined);
  return given === undefined || given === "" ? null : given;
}

function hasLabel(ir: Ir, label: string): boolean {
  return Object.keys(ir.labels).some((id) => labelName(ir, id) === label);
}
