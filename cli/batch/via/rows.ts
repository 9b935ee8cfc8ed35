/** Results of jobs as rows of a batch, in the forms of `--rows` (docs/running.md, many frames). */
import * as z from "zod/mini";
import {
  MAX_ROW_WARNINGS,
  MAX_SHOWN_FAILURES,
  type RowFailure,
  type Rows,
  type RowsPart,
} from "../../../vm/batch/rows/rows-part.ts";
import { UsageTotals } from "../../../vm/batch/usage-totals.ts";
import { memberJson } from "../../../vm/inputs/exact-text.ts";
import { lineSafe } from "../../../vm/values/json-line.ts";
import { encoded } from "../part.ts";
import type { RowFault } from "./blocks.ts";
import type { GivenResult } from "./service.ts";

const Usage = z.looseObject({
  steps: z.number(),
  depth: z.number(),
  adapter_calls: z.number(),
  time_ms: z.number(),
  frame_bytes: z.nullable(z.number()),
  loop_iters: z.number(),
});
const Ran = z.looseObject({
  ok: z.boolean(),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  usage: z.optional(Usage),
  duration_ms: z.optional(z.number()),
  warnings: z.optional(z.array(z.string())),
});
/** What a failed row tells besides, where its result has it. */
const TOLD: ReadonlySet<string> = new Set(["error_structured", "policy_errors", "reason"]);

type GivenRun = Extract<GivenResult, { readonly result: object }>;

/** Rows one after the other, from index `from` on. */
export class RowWriter {
  readonly #rows: Rows;
  readonly #usage = new UsageTotals();
  readonly #warnings = new Set<string>();
  readonly #failures: RowFailure[] = [];
  readonly #lines: string[] = [];
  readonly #from: number;
  #failed = 0;

  constructor(rows: Rows, from: number) {
    this.#rows = rows;
    this.#from = from;
  }

  fault({ error, message, line }: RowFault): void {
    this.#fails({ error, message, ...(line === undefined ? {} : { line }) });
  }

  result(given: GivenResult): void {
    const { job_id } = given;
    const read = "result" in given ? Ran.safeParse(given.result) : null;
    if (!("result" in given)) this.#fails({ error: given.error, message: given.message, job_id });
    else if (read?.success === true) this.#ran(given, read.data);
    else this.#fails({ error: "internal_error", message: "the result of the job has another shape", job_id });
  }

  part(): RowsPart {
    return {
      bytes: encoded(this.#lines.join("")),
      count: this.#lines.length,
      failed: this.#failed,
      failures: this.#failures,
      usage: this.#usage.usage,
      warnings: [...this.#warnings],
    };
  }

  #ran({ job_id, result, duration_ms: whole = 0 }: GivenRun, ran: z.output<typeof Ran>): void {
    const { ok, error = "internal_error", message = "", usage, duration_ms = whole, warnings = [] } = ran;
    if (usage !== undefined) this.#usage.add(usage);
    const said = warnings.length === 0 ? {} : { warnings };
    const facts = { ...(usage === undefined ? {} : { usage }), duration_ms, ...said };
    if (this.#rows !== "full")
      for (const one of warnings) if (this.#warnings.size < MAX_ROW_WARNINGS) this.#warnings.add(one);
    if (ok) this.#succeeds(memberJson(result, "out"), facts);
    else {
      const told = Object.entries(result).filter(([name]) => TOLD.has(name));
      this.#fails({ error, message, ...Object.fromEntries(told), ...facts, job_id });
    }
  }

  #succeeds(out: string, facts: object): void {
    if (this.#rows === "out") this.#line(out);
    else if (this.#rows === "lean") this.#line(`{"ok":true,"out":${out}}`);
    else this.#line(`{"index":${this.#index},"ok":true,"out":${out},${JSON.stringify(facts).slice(1)}`);
  }

  #fails(members: RowFault & { readonly job_id?: string }): void {
    const { error, message } = members;
    if (this.#failures.length < MAX_SHOWN_FAILURES) this.#failures.push({ index: this.#index, error, message });
    this.#failed += 1;
    this.#line(JSON.stringify({ index: this.#index, ok: false, ...members }));
  }

  get #index(): number {
    return this.#from + this.#lines.length;
  }

  #line(json: string): void {
    this.#lines.push(`${lineSafe(json)}\n`);
  }
}
