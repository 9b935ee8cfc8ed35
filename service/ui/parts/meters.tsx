/** The meters of a run: on one line, and as bars against their limits. */
import { nounFor } from "../../../grammar/text/english.ts";
import type { RunResult } from "../data.ts";
import { duration, number, spaced } from "../words.ts";

type MetersOf = { readonly usage: RunResult["usage"]; readonly limits: RunResult["limits"] };
type Meter = { readonly name: string; readonly used: number; readonly most: number | null };

const METERS = ["steps", "depth", "adapter_calls", "time_ms", "frame_bytes", "loop_iters"] as const;
/** The part of its limit above which a meter has a bar on the line, too. */
const NOTEWORTHY = 0.5;

function metersOf({ usage, limits }: MetersOf): readonly Meter[] {
  if (usage === undefined) return [];
  return METERS.flatMap((name) => {
    const used = usage[name] ?? null;
    return used === null ? [] : [{ name, used, most: limits?.[`max_${name}`] ?? null }];
  });
}

const shown = (name: string, value: number): string => (name === "time_ms" ? duration(value) : number(value));

/** `12 steps, depth 2, 3 calls, 1 ms`. */
export function Meters(meters: MetersOf) {
  const all = metersOf(meters);
  if (all.length === 0) return null;
  return (
    <p class="meter-line small quiet">
      {all.map(({ name, used, most }) => (
        <span key={name} title={most === null ? undefined : `at most ${shown(name, most)}`}>
          {wordsFor(name, used)}
          {most !== null && used > NOTEWORTHY * most ? (
            <>
              {` of ${shown(name, most)}`} <Bar name={name} used={used} most={most} />
            </>
          ) : null}
        </span>
      ))}
    </p>
  );
}

function wordsFor(name: string, used: number): string {
  const value = shown(name, used);
  if (name === "depth") return `depth ${value}`;
  const noun = NOUNS[name];
  return noun === undefined ? value : `${value} ${nounFor(used, ...noun)}`;
}

const NOUNS: Readonly<Record<string, readonly [string, string?]>> = {
  steps: ["step"],
  adapter_calls: ["call"],
  frame_bytes: ["byte"],
  loop_iters: ["pass of loops", "passes of loops"],
};

export function MeterBars(meters: MetersOf) {
  return (
    <dl class="meters">
      {metersOf(meters).map(({ name, used, most }) => (
        <div key={name}>
          <dt>{spaced(name).replace(" ms", "").replace("iters", "passes")}</dt>
          <dd>
            {shown(name, used)}
            {most === null ? null : (
              <>
                <span class="quiet"> of {shown(name, most)}</span>
                <Bar name={name} used={used} most={most} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Bar({ name, used, most }: { readonly name: string; readonly used: number; readonly most: number }) {
  return <meter aria-label={`${name} used`} min={0} max={most} high={most * 0.9} value={used} />;
}
