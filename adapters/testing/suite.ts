/** What the points of the conformance suite share: the shapes of suite and result, and reading of answers. */
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import type { Json } from "../../compiler/json.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { AdapterDefinition } from "../definition/define.ts";
import type { Bench, Program } from "./bench.ts";

/** What one point found; no findings is a pass. `skipped`: why it does not apply. */
export type PointResult = { readonly findings: readonly string[]; readonly skipped?: string };

/** A call that works: the source of an example, or one of the programs. */
export type WorkingProgram = Program & {
  readonly title: string;
  /** null: of more than one verb. */
  readonly verb: string | null;
  readonly expected?: Json;
};

/** What a point has at hand. */
export type Suite = {
  readonly definition: AdapterDefinition;
  readonly programs: readonly WorkingProgram[];
  /** Only to be aborted. */
  readonly slow: readonly WorkingProgram[];
  /** Does something with a fresh bench, and stops it. */
  with<T>(work: (bench: Bench) => Promise<T>): Promise<T>;
};

export type Point = {
  readonly number: number;
  readonly title: string;
  check(suite: Suite): Promise<PointResult>;
};

/** The code of a failed run as a program sees it: the adapter's, else the run's; null: it succeeded. */
export function codeOf(answer: RunAnswer): string | null {
  if (answer.ok) return null;
  const { adapter_code, cause_type } = answer.error.data;
  if (typeof adapter_code === "string") return adapter_code;
  return cause_type === "adapter_crash" ? "a crash" : answer.error.code;
}

/** What is left after `ms` milliseconds at the latest; null: it is still not over. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function same(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
