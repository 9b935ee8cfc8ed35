/** The jobs of the last 24 hours by hour, as the store counts them: there also after a restart. */
import { useEffect } from "preact/hooks";
import type { JobStats } from "../../data.ts";
import { onJobChange } from "../../job-changes.ts";
import { useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Empty, Skeleton } from "../../look/empty.tsx";
import { NO_LISTS } from "../../look/table.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { counted, number } from "../../words.ts";

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** Sizes of the drawing, in points. */
const [WIDTH, HEIGHT, GAP] = [960, 120, 6];
/** What a bar is made of, from its foot. */
const KINDS = [
  ["succeeded", ["succeeded"]],
  ["failed", ["failed", "timed_out", "interrupted", "rejected"]],
  ["other", ["queued", "running", "waiting", "sleeping", "cancelling", "cancelled", "expired"]],
] as const;
const TITLES = { succeeded: "succeeded", failed: "failed", other: "open or cancelled" } as const;

type Hour = { readonly begin: number; readonly counts: Readonly<Record<(typeof KINDS)[number][0], number>> };

export function DayOfJobs() {
  const { data, fault, again } = useData<JobStats>(RULES.lists ? `/jobs/stats?hours=${HOURS}` : null, null);
  useEffect(() => (RULES.lists ? onJobChange(again) : undefined), []);
  if (!RULES.lists) return <Empty>{NO_LISTS}</Empty>;
  const hours = data === null ? [] : hoursOf(data);
  const sum = (name: keyof Hour["counts"]) => hours.reduce((all, { counts }) => all + counts[name], 0);
  const all = sum("succeeded") + sum("failed") + sum("other");
  const said = `${counted(all, "job")} in the last 24 hours, ${number(sum("failed"))} failed`;
  return (
    <Card
      title="Last 24 hours"
      label="Last 24 hours"
      actions={
        <a class="small" href={address(["jobs"], { since: "1d" })}>
          all its jobs
        </a>
      }
    >
      <FaultNotice fault={fault} />
      {data === null ? fault === null ? <Skeleton /> : null : <Bars hours={hours} said={said} />}
      {data === null ? null : (
        <p class="small">
          {said}.{" "}
          {KINDS.map(([name]) => (
            <span key={name} class="key-of">
              <span class={`swatch ${name}`} /> {TITLES[name]} {number(sum(name))}
            </span>
          ))}
        </p>
      )}
    </Card>
  );
}

function hoursOf({ to, counts }: JobStats): readonly Hour[] {
  const last = Math.floor((Date.parse(to) - 1) / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, at) => {
    const begin = last - (HOURS - 1 - at) * HOUR_MS;
    const own = counts.filter(({ hour }) => Date.parse(hour) === begin);
    const count = (states: readonly string[]) =>
      own.filter(({ status }) => states.includes(status)).reduce((sum, each) => sum + each.count, 0);
    const [succeeded, failed, other] = KINDS.map(([, states]) => count(states)) as [number, number, number];
    return { begin, counts: { succeeded, failed, other } };
  });
}

function Bars({ hours, said }: { readonly hours: readonly Hour[]; readonly said: string }) {
  const most = Math.max(1, ...hours.map(({ counts }) => counts.succeeded + counts.failed + counts.other));
  const step = WIDTH / HOURS;
  return (
    <>
      <svg class="day" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
        {hours.map(({ begin, counts }, at) => {
          let foot = HEIGHT;
          return (
            <g key={begin}>
              <title>{`${clock(begin)} UTC: ${KINDS.map(([name]) => `${counts[name]} ${TITLES[name]}`).join(", ")}`}</title>
              <rect class="ground" x={at * step} y={0} width={step - GAP} height={HEIGHT} rx={3} />
              {KINDS.map(([name]) => {
                // One job in a busy day is still seen.
                const height = counts[name] === 0 ? 0 : Math.max(2, (counts[name] / most) * HEIGHT);
                foot -= height;
                return (
                  <rect
                    key={name}
                    class={`bar ${name}`}
                    x={at * step}
                    y={Math.max(0, foot)}
                    width={step - GAP}
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      {/* Next to the drawing, because text in it would shrink with it on a phone. */}
      <div class="hours small quiet" aria-hidden="true">
        {hours
          .filter((_, at) => at % 4 === 0)
          .map(({ begin }) => (
            <span key={begin}>{clock(begin)}</span>
          ))}
      </div>
    </>
  );
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
