/** Questions that jobs put before people, and one of them with the form that decides it. */
import type { ComponentChildren } from "preact";
import type { Approval as ApprovalData, ApprovalPage } from "../data.ts";
import { useData } from "../loading.ts";
import { FaultNotice } from "../parts/fault.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { NO_LISTS, NoRows, Table } from "../parts/tables/table.tsx";
import { Time } from "../parts/time.tsx";
import { address, go, place } from "../router.ts";
import { RULES } from "../rules.ts";
import { useTitle } from "../title.ts";
import { exact } from "../words.ts";
import { Question, titleOf } from "./question.tsx";

const PAGE = "50";
const STATES = ["open", "decided", "expired", "cancelled", "all"];

/** The page begins with what the reader may decide. Without names of people, everybody may decide everything. */
const WHOSE = RULES.people ? ["me", "everybody"] : ["everybody"];

/** The filters live in the address. */
export function Approvals() {
  useTitle("Approvals");
  const state = place.value.query.get("state") ?? "open";
  const cursor = place.value.query.get("cursor") ?? "";
  const whose = place.value.query.get("for") ?? WHOSE[0];
  const isMine = whose === "me";
  const query = { state, limit: PAGE, ...(isMine ? { to: "me" } : {}), ...(cursor === "" ? {} : { cursor }) };
  const { data, fault } = useData<ApprovalPage>(`/approvals?${new URLSearchParams(query)}`);
  const approvals = data?.approvals ?? [];
  const inAddress = (chosen: { readonly state: string; readonly whose: string | undefined }) => ({
    state: chosen.state === "open" ? "" : chosen.state,
    for: chosen.whose === WHOSE[0] ? "" : (chosen.whose ?? ""),
  });
  const choose = (chosen: { readonly state?: string; readonly whose?: string }) =>
    go(address(["approvals"], inAddress({ state, whose, ...chosen })), { replace: true });
  return (
    <>
      <h1>Approvals</h1>
      <FaultNotice fault={fault} />
      <div class="filters">
        <label>
          State
          <select value={state} onChange={(event) => choose({ state: event.currentTarget.value })}>
            {STATES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        {RULES.people ? (
          <label>
            For
            <select value={whose} onChange={(event) => choose({ whose: event.currentTarget.value })}>
              {WHOSE.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        ) : null}
      </div>
      {approvals.length === 0 ? (
        <NoRows data={data} fault={fault}>
          {RULES.lists ? nothing(state, isMine) : NO_LISTS}
        </NoRows>
      ) : (
        <Table label="Approvals" titles={["Question", "Program", "For", "State", "Asked", "Open until"]}>
          {approvals.map((each) => (
            <tr key={each.approval_id}>
              <td>
                <a href={address(["approvals", each.approval_id])}>{titleOf(each)}</a>
              </td>
              <td>{programOf(each)}</td>
              <td>{each.to.length === 0 ? "everybody" : each.to.join(", ")}</td>
              <td>{each.decision ?? each.state}</td>
              <td>
                <Time at={each.opened_at} />
              </td>
              <td>{each.expires_at === null ? "no end" : <Time at={each.expires_at} />}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["approvals"]} query={{ ...inAddress({ state, whose }), cursor }} next={data?.next_cursor} />
    </>
  );
}

function nothing(state: string, isMine: boolean): string {
  const who = isMine ? " you" : "";
  return state === "all" ? `No job has asked${who} anything.` : `No question${isMine ? " for you" : ""} is ${state}.`;
}

/** The program that asks; of a job of its own, the name of the job. */
function programOf({ program, version, name }: ApprovalData): ComponentChildren {
  if (program === undefined) return name ?? "";
  return (
    <a href={address(["programs", program])}>
      {program}@{version ?? "?"}
    </a>
  );
}

export function Approval({ id }: { readonly id: string }) {
  const { data, fault, again } = useData<ApprovalData>(`/approvals/${encodeURIComponent(id)}`);
  useTitle(data === null ? "Question" : titleOf(data), "Approvals");
  if (data === null)
    return (
      <>
        <h1>Question</h1>
        <FaultNotice fault={fault} />
      </>
    );
  const asker = programOf(data);
  return (
    <>
      <h1>{titleOf(data)}</h1>
      <FaultNotice fault={fault} />
      <p>
        {asker === "" ? null : <>{asker}, </>}
        <a href={address(["jobs", data.job_id])}>job</a>
        {data.asked_by === undefined ? null : `, queued by ${data.asked_by}`}
        {data.to.length === 0 ? null : `, for ${data.to.join(", ")}`}. State: {data.state}.
        {data.expires_at === null ? null : ` Open until ${exact(data.expires_at)}.`}
      </p>
      <Question approval={data} done={again} />
    </>
  );
}
