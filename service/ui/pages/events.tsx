/** Recent events, and one of them with what it started. */
import type { EventDetail, EventList } from "../data.ts";
import { useData } from "../loading.ts";
import { FaultNotice } from "../parts/fault.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { NoRows, Table } from "../parts/tables/table.tsx";
import { Time } from "../parts/time.tsx";
import { address, place } from "../router.ts";
import { useTitle } from "../title.ts";
import { number } from "../words.ts";

export function Events() {
  useTitle("Events");
  const { query } = place.value;
  const asked = { name: query.get("name") ?? "", cursor: query.get("cursor") ?? "" };
  const given = Object.entries(asked).filter(([, value]) => value !== "");
  const { data, fault } = useData<EventList>(`/events?${new URLSearchParams(given)}`);
  const events = data?.events ?? [];
  const subscribers = data?.subscribers ?? [];
  return (
    <>
      <h1>Events</h1>
      <FaultNotice fault={fault} />
      {events.length === 0 ? (
        <NoRows data={data} fault={fault}>
          No event is kept. <code>wf events emit NAME DATA</code> emits one.
        </NoRows>
      ) : (
        <Table label="Events" titles={["Event", "Time", "State", "Started", "Woken", "Failed"]}>
          {events.map(({ id, name, at, state, started, woken, failed, cut }) => (
            <tr key={id}>
              <td>
                <a href={address(["events", id])}>{name}</a>
              </td>
              <td>
                <Time at={at} />
              </td>
              <td>{state}</td>
              <td>
                {number(started)}
                {cut ? ", and more were left out" : ""}
              </td>
              <td>{number(woken)}</td>
              <td>{number(failed)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["events"]} query={asked} next={data?.next_cursor} titles={["newest", "older"]} />
      {subscribers.length === 0 ? null : (
        <Table label="Programs that hear of events" titles={["Event", "Program"]}>
          {subscribers.map(({ name, program }) => (
            <tr key={`${name} ${program}`}>
              <td>
                <a href={address(["events"], { name })}>{name}</a>
              </td>
              <td>
                <a href={address(["programs", program])}>{program}</a>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

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
          </p>
          {event.data === undefined ? null : <pre>{JSON.stringify(event.data, null, 2)}</pre>}
          {event.starts.length === 0 ? (
            <p class="quiet">nothing heard of it</p>
          ) : (
            <Table label="What it started" titles={["Function", "Outcome", "Job"]}>
              {event.starts.map(({ program, label, outcome, job_id: job, error }) => (
                <tr key={`${program} ${label} ${job}`}>
                  <td>{program === null ? "a run that waited" : `${program}/${label}`}</td>
                  <td>
                    {outcome.replaceAll("_", " ")}
                    {error === null ? "" : `: ${error}`}
                  </td>
                  <td>{job === null ? null : <a href={address(["jobs", job])}>job</a>}</td>
                </tr>
              ))}
            </Table>
          )}
        </>
      )}
    </>
  );
}
