/** Compiles large sources one after the other in a thread, which starts with the first of them. */
import { helperPath } from "../../../adapters/engine/helpers.ts";
import { WaitingLine } from "../../../adapters/engine/waiting-line.ts";
import { WorkerLane } from "../../../adapters/engine/wasm/lane.ts";
import type { AdapterEntry } from "../../../compiler/catalog.ts";
import type { UnboundProgram } from "../../../compiler/compile.ts";
import type { CompileOptions } from "../../../compiler/options.ts";
import type { ProgramFiles } from "../../../vm/inputs/program-files.ts";
import { inTurns } from "../../../vm/tasks/task.ts";
import { faults } from "../../wire/errors.ts";
import { type ProgramParts, programOf } from "./parts.ts";

export type CompileOrder = {
  readonly source: string;
  /** Files that it may include or import; null: none. */
  readonly files: ProgramFiles | null;
  readonly options: Pick<CompileOptions, "strict" | "allowed_adapters" | "reachability" | "compat_notes" | "advice">;
  /** The adapters that the program may know. */
  readonly entries: readonly AdapterEntry[];
};

/** A source of the largest size takes a second and a half of this on a slow machine. */
const TIMEOUT_MS = 60_000;
const HEAP_MB = 1024;
const WAITING = 64;

export class Compilers {
  readonly #lane = new WorkerLane<CompileOrder, ProgramParts>({
    path: helperPath("program-compiler"),
    heapMb: HEAP_MB,
    late: () => faults.busy("compiling the program takes too long"),
    lost,
  });
  readonly #line = new WaitingLine([this.#lane], { waiting: WAITING, busy: lost });
  readonly #clock: { now(): number };
  readonly #turn: (then: () => void) => void;

  constructor(clock: { now(): number }, turn: (then: () => void) => void) {
    this.#clock = clock;
    this.#turn = turn;
  }

  /** Rejects with ServiceFault server_busy. */
  async compile(source: string, given: CompileOptions): Promise<UnboundProgram> {
    const { catalog, inputs: _applied_later, includes, ...options } = given;
    const files = includes?.all ?? null;
    const entries = catalog.names().flatMap((name) => catalog.adapter(name) ?? []);
    const lane = await this.#line.take();
    try {
      const limits = { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
      return await inTurns(
        programOf(await lane.run({ source, files, options, entries }, limits)),
        this.#clock,
        this.#turn,
      );
    } finally {
      this.#line.give(lane);
    }
  }

  async close(): Promise<void> {
    this.#line.close();
    await this.#lane.close();
  }
}

function lost(): Error {
  return faults.busy("no thread could compile the program");
}
