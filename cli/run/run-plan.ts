import type { JsonObject } from "../../compiler/json.ts";
import type { LogFile } from "../input/replay-log-file.ts";
import type { CliFault } from "../session/faults.ts";
import type { ProgramPlan } from "./prepare-program.ts";
import type { GivenAnswers } from "./questions/asking.ts";

export type RunPlan = ProgramPlan & {
  readonly frame: JsonObject;
  /** What was noticed when the frame was read. */
  readonly warnings: readonly string[];
  /** Flags or a log say what the frame is; otherwise the program's comment `# with:` may. */
  readonly frameGiven: boolean;
  /** Why a strict run refuses the frame, unless its program takes whole numbers of any length; null: it does not. */
  readonly lost?: CliFault | null;
  readonly raw: boolean;
  readonly out: string | undefined;
  readonly trace: { readonly show: boolean; readonly document: string | undefined; readonly lines: string | undefined };
  /** File for the log of the calls. */
  readonly record: string | undefined;
  readonly replay: LogFile | null;
  /** What questions and signals of the run are answered with. Absent: they are asked on the terminal, where there is one. */
  readonly answers?: GivenAnswers;
  /** With `replay`: the run continues live where the log ends. */
  readonly continues?: boolean;
  /** Prints the JSON answer in another form, in place of the result. */
  readonly print?: (answer: object) => void;
};
