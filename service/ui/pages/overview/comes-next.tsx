/** The schedules that fire next. */
import type { ScheduleList } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Skeleton } from "../../look/empty.tsx";
import { Time } from "../../look/time.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { address } from "../../router.ts";
import { scheduleWords } from "../schedules/schedule-words.ts";
import { isActive } from "../schedules/schedules.tsx";

const SHOWN = 5;
const RARELY_MS = 10_000;

export function ComesNext() {
  const { data, fault } = useData<ScheduleList>("/schedules?limit=200", RARELY_MS);
  const next = (data?.schedules ?? [])
    .filter((each) => isActive(each) && each.next_at != null)
    .toSorted((a, b) => (a.next_at ?? "").localeCompare(b.next_at ?? ""))
    .slice(0, SHOWN);
  return (
    <Card
      title="What comes next"
      label="What comes next"
      actions={
        <a class="small" href={address(["schedules"])}>
          all schedules
        </a>
      }
    >
      <FaultNotice fault={fault} />
      {data === null && fault === null ? <Skeleton /> : null}
      {data !== null && next.length === 0 ? <p class="quiet">No schedule will fire.</p> : null}
      <ul class="rows">
        {next.map((each) => (
          <li key={each.id}>
            <p>
              <a href={address(["schedules", ...each.id.split("/")])}>{each.id}</a> <Time at={each.next_at} />
            </p>
            <span class="quiet small">{scheduleWords(each)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
