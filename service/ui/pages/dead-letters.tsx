/** Jobs that failed and wait for a person to retry or discard them, and what people were notified of. */
import { send } from "../api.ts";
import type { DeadLetterList, NoticeList } from "../data.ts";
import { useData } from "../loading.ts";
import { NoRows } from "../look/empty.tsx";
import { Table } from "../look/table.tsx";
import { Time } from "../look/time.tsx";
import { ActButton } from "../parts/act.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { address } from "../router.ts";
import { RULES } from "../rules.ts";
import { useTitle } from "../title.ts";
import { counted, number, spaced } from "../words.ts";
import { deadFilters, useDeadMessages } from "./jobs/found-jobs.ts";

/** In one request. */
const MOST = 1000;

export function DeadLetters() {
  useTitle("Failed");
  const { data, fault, again } = useData<DeadLetterList>("/dead-letters");
  const messages = useDeadMessages();
  const groups = data?.groups ?? [];
  return (
    <>
      <h1>Failed</h1>
      <p class="quiet">Jobs that failed and were neither retried nor discarded.</p>
      <FaultNotice fault={fault} />
      {groups.length === 0 ? (
        <NoRows data={data} fault={fault}>
          Every job that failed was retried or discarded.
        </NoRows>
      ) : (
        <Table label="Dead letters" titles={["Program", "Reason", "Jobs", "Last", "Newest", ""]} isStacked>
          {groups.map((group) => (
            <tr key={`${group.program} ${group.error}`}>
              <td class="name">
                {group.program === null ? (
                  "without a deployment"
                ) : (
                  <a href={address(["programs", group.program])}>{group.program}</a>
                )}
              </td>
              <td>
                {spaced(group.error)}
                <div class="bad small">{messages.get(group.job_id)}</div>
              </td>
              <td data-title="jobs">
                <a href={address(["jobs"], deadFilters(group))}>{number(group.count)}</a>
              </td>
              <td>
                <Time at={group.last_at} />
              </td>
              <td>
                <a href={address(["jobs", group.job_id])}>
                  <code>{group.job_id.slice(-12)}</code>
                </a>
              </td>
              <td class="actions">
                <Actions group={group} done={again} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Notices />
    </>
  );
}

type Group = DeadLetterList["groups"][number];

function Actions({ group, done }: { readonly group: Group; readonly done: () => void }) {
  const count = Math.min(group.count, MOST);
  const whose = group.program === null ? "without a deployment" : `of ${group.program}`;
  const jobs = `${counted(count, "job")} ${whose}`;
  const act = (verb: "retry" | "discard") => () =>
    send("POST", `/jobs/${verb}`, { ...deadFilters(group), limit: MOST });
  return (
    <>
      <ActButton
        text="Retry"
        said={`Queued ${jobs} again.`}
        confirm={`Retry ${jobs}?`}
        run={act("retry")}
        done={done}
      />
      <ActButton
        text="Discard"
        kind="danger"
        said={`Discarded ${jobs}.`}
        confirm={`Discard ${jobs}?`}
        run={act("discard")}
        done={done}
      />
    </>
  );
}

function Notices() {
  const { data, fault } = useData<NoticeList>(RULES.lists ? "/notices" : null, 60_000);
  if (data === null || data.notices.length === 0) return <FaultNotice fault={fault} />;
  return (
    <>
      <h2>Notices</h2>
      <Table label="Notices" titles={["What", "Program", "Cause", "Jobs", "To", "State", "Last"]}>
        {data.notices.map((notice) => (
          <tr key={notice.id}>
            <td>{spaced(notice.kind)}</td>
            <td>{notice.program ?? "without a deployment"}</td>
            <td>{notice.cause.exception ?? notice.cause.code}</td>
            <td>
              <a href={address(["jobs", notice.job_id])}>{number(notice.count)}</a>
            </td>
            <td>{notice.target}</td>
            <td>{notice.error === undefined ? notice.state : `${notice.state}: ${notice.error}`}</td>
            <td>
              <Time at={notice.last_at} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
