/** The state of a job. */
import { Chip, type Tone } from "../look/chip.tsx";
import { spaced } from "../words.ts";

const TONES: Readonly<Record<string, Tone>> = {
  succeeded: "good",
  running: "busy",
  cancelling: "busy",
  waiting: "waits",
  sleeping: "waits",
  failed: "bad",
  timed_out: "bad",
  interrupted: "bad",
  rejected: "bad",
};

export const toneOf = (status: string): Tone => TONES[status] ?? "idle";

export function Status({ status }: { readonly status: string }) {
  return <Chip tone={toneOf(status)}>{spaced(status)}</Chip>;
}
