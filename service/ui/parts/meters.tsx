/** The meters of a run as bars against their limits. */
import type { RunResult } from "../data.ts";
import { duration, number } from "../words.ts";

const METERS = ["steps", "depth", "adapter_calls", "time_ms", "frame_bytes", "loop_iters"] as const;

export function Meters({
  usage,
  limits,
}: {
  readonly usage: RunResult["usage"];
  readonly limits: RunResult["limits"];
}) {
  if (usage === undefined) return null;
  return (
    <dl class="meters">
      {METERS.map((name) => {
        const used = usage[name] ?? null;
        if (used === null) return null;
        const most = limits?.[`max_${name}`] ?? null;
        const shown = name === "time_ms" ? duration(used) : number(used);
        return (
          <div key={name}>
            <dt>{name.replaceAll("_", " ").replace(" ms", "")}</dt>
            <dd>
              {shown}
              {most === null ? null : (
                <span class="quiet"> of {name === "time_ms" ? duration(most) : number(most)}</span>
              )}
              {most === null ? null : (
                <meter aria-label={`${name} used`} min={0} max={most} high={most * 0.9} value={used} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
