/** Questions that jobs put before people: cards that are decided in the list, and one of them by itself. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Approval as ApprovalData, ApprovalPage } from "../data.ts";
import { useData } from "../loading.ts";
import { Chip, type Tone } from "../look/chip.tsx";
import { NoRows, Skeleton } from "../look/empty.tsx";
import { NO_LISTS } from "../look/table.tsx";
import { Time } from "../look/time.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { address, go, place } from "../router.ts";
import { RULES } from "../rules.ts";
import { useTitle } from "../title.ts";
import { Question, titleOf } from "./question.tsx";

const PAGE = "50";
const STATES = ["open", "decided", "expired", "cancelled", "all"];
const TONES: Readonly<Record<string, Tone>> = { open: "waits", decided: "good" };

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
  const { data, fault, again } = useData<ApprovalPage>(`/approvals?${new URLSearchParams(query)}`);
  const [opened, open] = useState<string | null>(null);
  /** What was decided here stays in the list, as a record. */
  const [decided, setDecided] = useState<readonly string[]>([]);
  const listed = data?.approvals ?? [];
  const inAddress = (chosen: { readonly state: string; readonly whose: string | undefined }) => ({
    state: chosen.state === "open" ? "" : chosen.state,
    for: chosen.whose === WHOSE[0] ? "" : (chosen.whose ?? ""),
  });
  const choose = (chosen: { readonly state?: string; readonly whose?: string }) => {
    setDecided([]);
    go(address(["approvals"], inAddress({ state, whose, ...chosen })), { replace: true });
  };
  return (
    <div class="narrow">
      <div class="title">
        <h1>Approvals</h1>
      </div>
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
      {decided
        .filter((id) => !listed.some(({ approval_id }) => approval_id === id))
        .map((id) => (
          <DecidedCard key={id} id={id} />
        ))}
      {listed.length === 0 ? (
        <NoRows data={data} fault={fault}>
          {RULES.lists ? nothing(state, isMine) : NO_LISTS}
        </NoRows>
      ) : null}
      {listed.map((each, at) => (
        <QuestionCard
          key={each.approval_id}
          approval={each}
          isOpen={opened === null ? at === 0 : opened === each.approval_id}
          open={() => open(each.approval_id)}
          done={() => {
            setDecided([...decided, each.approval_id]);
            again();
          }}
        />
      ))}
      <Pager path={["approvals"]} query={{ ...inAddress({ state, whose }), cursor }} next={data?.next_cursor} />
    </div>
  );
}

type CardOf = {
  readonly approval: ApprovalData;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly done: () => void;
};

/** The details and the form of one at a time: a form for each of fifty questions would be a page of fields. */
export function QuestionCard({ approval, isOpen, open, done }: CardOf) {
  return (
    <article class="card">
      <h2>
        <a href={address(["approvals", approval.approval_id])}>{titleOf(approval)}</a>
      </h2>
      <About approval={approval} />
      <details
        open={isOpen}
        onToggle={(event) => {
          if (event.currentTarget.open && !isOpen) open();
        }}
      >
        <summary>{approval.state === "open" ? "Details and decision" : "Details"}</summary>
        {isOpen ? <Question approval={approval} done={done} /> : null}
      </details>
    </article>
  );
}

/** The record of what was decided a moment ago. */
function DecidedCard({ id }: { readonly id: string }) {
  const { data } = useData<ApprovalData>(`/approvals/${encodeURIComponent(id)}`, null);
  if (data === null) return <Skeleton />;
  return (
    <article class="card">
      <h2>
        <a href={address(["approvals", id])}>{titleOf(data)}</a>
      </h2>
      <About approval={data} />
      <Question approval={data} done={() => {}} />
    </article>
  );
}

/** Who asks whom, and until when, on one line. */
function About({ approval }: { readonly approval: ApprovalData }) {
  const { state, decision, to, asked_by: by, opened_at: opened, expires_at: expires, job_id: job } = approval;
  const asker = programOf(approval);
  return (
    <ul class="lead">
      <li>
        <Chip tone={TONES[state] ?? "idle"}>{decision ?? state}</Chip>
      </li>
      {asker === "" ? null : <li>{asker}</li>}
      <li>
        <a href={address(["jobs", job])}>job</a>
      </li>
      {by === undefined ? null : <li>queued by {by}</li>}
      {to.length === 0 ? null : <li>for {to.join(", ")}</li>}
      <li>
        asked <Time at={opened} />
      </li>
      {state === "open" && expires !== null ? (
        <li>
          closes <Time at={expires} />
        </li>
      ) : null}
    </ul>
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
        {fault === null ? <Skeleton /> : null}
      </>
    );
  return (
    <div class="narrow">
      <div class="title">
        <h1>{titleOf(data)}</h1>
      </div>
      <About approval={data} />
      <FaultNotice fault={fault} />
      <section class="card">
        <Question approval={data} done={again} />
      </section>
    </div>
  );
}
