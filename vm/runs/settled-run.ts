/** A request whose run is made and driven by somebody else than the runner. */
import type { JsonObject } from "../../compiler/json.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import type { MachineJournal } from "../recording/journal.ts";
import type { ReadyProgram } from "./programs.ts";
import type { RunAnswer } from "./requests.ts";

/** A request that is settled, for who makes its machine and drives it. */
export type SettledRun = {
  readonly program: ReadyProgram | null;
  readonly refused: RunAnswer | null;
  readonly frame: JsonObject;
  /** null: not asked for. */
  readonly recorder: MachineJournal | null;
  readonly options: MachineOptions;
  answer(m: Machine): RunAnswer;
  close(): void;
};
