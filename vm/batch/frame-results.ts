/** The results of frames that are given one by one or as blocks of lines, handed out one by one or as blocks of rows. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { RequestInvalid } from "../inputs/request-invalid.ts";
import type { FrameRunner } from "./frame-runner.ts";
import { type Frames, itemsIn, piecesOf } from "./frame-source.ts";
import type { BatchResult } from "./result.ts";
import type { FrameRules } from "./rows/frame-lines.ts";
import { ROWS, type Rows, type RowsPart } from "./rows/rows-part.ts";
import { runRows } from "./rows/run-rows.ts";
import type { BatchPace } from "./run-groups.ts";
import { runItems } from "./run-items.ts";

/** How lines become frames of a program. */
export function rulesOf(ir: Ir): FrameRules {
  return { keepsDigits: isPythonIr(ir) };
}

/** Runs frames as their results are asked for. Ending the iteration early cancels what is under way. */
export function frameResults(
  runner: FrameRunner,
  frames: Frames,
  rules: FrameRules,
  pace: BatchPace,
): AsyncIterableIterator<BatchResult> {
  return oneByOne(runItems(runner, itemsIn(piecesOf(frames), rules), pace));
}

/** The same as blocks of rows. The runner gives texts of results. Throws RequestInvalid for other rows. */
export function frameRows(
  runner: FrameRunner,
  frames: Frames,
  { strict = false, keepsDigits = false }: FrameRules,
  pace: BatchPace & { readonly rows: Rows },
): AsyncIterableIterator<RowsPart> {
  if (!ROWS.includes(pace.rows))
    throw new RequestInvalid([{ path: "/rows", code: "type", message: "must be lean, out or full" }]);
  return runRows(runner, piecesOf(frames), { ...pace, rules: { strict, keepsDigits } });
}

/** The results of groups. An async generator would take longer for each than a short run takes. */
function oneByOne(groups: AsyncGenerator<readonly BatchResult[], void>): AsyncIterableIterator<BatchResult> {
  let ready: readonly BatchResult[] = [];
  let at = 0;
  const taken = (): IteratorResult<BatchResult> => {
    const value = ready[at] as BatchResult;
    at += 1;
    return { done: false, value };
  };
  const fetched = async (): Promise<IteratorResult<BatchResult>> => {
    while (at >= ready.length) {
      const { value, done } = await groups.next();
      if (done === true) return { done, value: undefined };
      ready = value;
      at = 0;
    }
    return taken();
  };
  let asked: Promise<unknown> = Promise.resolve();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (at < ready.length) return Promise.resolve(taken());
      const next = asked.then(fetched);
      asked = next.catch(() => {});
      return next;
    },
    async return() {
      ready = [];
      await groups.return();
      return { done: true, value: undefined };
    },
  };
}
