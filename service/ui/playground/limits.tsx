/** Limits of a run; an empty one is the server's. */
import { spaced } from "../words.ts";

const LIMITS = [
  "max_steps",
  "max_depth",
  "max_adapter_calls",
  "max_time_ms",
  "max_frame_bytes",
  "max_loop_iters",
  "cleanup_calls",
  "cleanup_ms",
] as const;

export type LimitTexts = Readonly<Record<(typeof LIMITS)[number], string>>;

export const NO_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, ""])) as LimitTexts;

/** Members of a request to run. */
export function limitsOf(limits: LimitTexts): object {
  const given = LIMITS.filter((name) => limits[name] !== "").map((name) => [name, Number(limits[name])]);
  return given.length === 0 ? {} : { limits: Object.fromEntries(given) };
}

type LimitsOf = { readonly limits: LimitTexts; readonly set: (limits: LimitTexts) => void };

export function Limits({ limits, set }: LimitsOf) {
  return (
    <details>
      <summary>Limits of the run</summary>
      <div class="filters">
        {LIMITS.map((name) => (
          <label key={name}>
            {spaced(name.replace(/^max_/, ""))}
            <input
              type="number"
              min={0}
              value={limits[name]}
              onInput={(event) => set({ ...limits, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
    </details>
  );
}
