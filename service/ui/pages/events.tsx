/** Recent events, and one of them with what it started. */
import type { EventDetail, EventList } from "../data.ts";
import { useData } from "../loading.ts";
import { NoRows } from "../look/empty.tsx";
import { Table } from "../look/table.tsx";
import { Time } from "../look/time.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { Value } from "../parts/value.tsx";
import { address, place } from "../router.ts";
import { useTitle } from "../title.ts";

export function Events() {
  useTitle("Events");
  const cursor = place.value.query.get("cursor") ?? "";
  const { data, fault } = useData<EventList>(`/events${cursor === "" ? "" : `?cursor=${cursor}`}`);
  const events = data?.events ?? [];
  return (
    <>
      <h1>Events</h1>
      <FaultNotice fault={fault} />
      {events.length === 0 ? (
        <NoRows data={data} fault={fault}>
          No event is kept.
        </NoRows>
      ) : (
        <Table label="Events" titles={["Event", "Time", "State", "Started", "Woken", "Failed"]} isStacked>
          {events.map(({ id, name, at, state, started, woken, failed, cut }) => (
            <tr key={id}>
              <td class="name">
                <a href={address(["events", id])}>{name}</a>
              </td>
              <td>
                <Time at={at} />
              </td>
              <td>{state}</td>
              <td data-title="started">
                {started}
                {cut ? "+" : ""}
              </td>
              <td data-title="woken">{woken}</td>
              <td data-title="failed">{failed}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["events"]} query={{ cursor }} next={data?.next_cursor} titles={["first", "next"]} />
      {(data?.subscribers ?? []).length === 0 ? null : <h2>Who hears of what</h2>}
      <ul>
        {(data?.subscribers ?? []).map(({ name, program }) => (
          <li key={name + program}>
            {name}: <a href={address(["programs", program])}>{program}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Of an outcome that is not its own word. */
const OUTCOMES: Readonly<Record<string, string>> = {
  when_failed: "nothing started, because its condition (when) failed for this data:",
  key_failed: "nothing started, because its key failed for this data:",
  refused: "no job could be queued:",
  dropped: "a rule of the program gave its place to another job",
};

export function Event({ id }: { readonly id: string }) {
  useTitle("Event", "Events");
  const { data: event, fault } = useData<EventDetail>(`/events/${encodeURIComponent(id)}`);
  return (
    <>
      <h1>{event?.name ?? "Event"}</h1>
      <FaultNotice fault={fault} />
      {event === null ? null : (
        <>
          <p>
            <code>{id}</code>, {event.state}, <Time at={event.at} />
            {event.emitted_by === null ? null : (
              <>
                , emitted by <a href={address(["jobs", event.emitted_by])}>a job</a>
              </>
            )}
            {event.hops === 0 ? null : `, ${event.hops} events before it caused it`}
          </p>
          {event.cut ? (
            <p>Further programs hear of it and were left out: one event starts 1,000 jobs at most.</p>
          ) : null}
          {event.data === undefined ? null : <Value value={event.data} />}
          <h2>What it started</h2>
          {event.starts.length === 0 ? (
            <p class="quiet">
              {event.state === "done"
                ? "Nothing: no deployed program heard of it, or none of them wanted it."
                : "Nothing yet."}
            </p>
          ) : null}
          <ul>
            {event.starts.map(({ program, label, outcome, job_id: job, error }) => (
              <li key={`${program} ${label} ${job}`}>
                {program === null ? (
                  "a run that waited"
                ) : (
                  <a href={address(["programs", program])}>{`${program}/${label}`}</a>
                )}
                : {OUTCOMES[outcome] ?? outcome} {error}{" "}
                {job === null ? null : <a href={address(["jobs", job])}>job</a>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
