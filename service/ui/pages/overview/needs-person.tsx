/** What needs a person now: calls of unknown outcome, open questions, refused programs, paused schedules, and what the service warns of. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ApprovalPage, JobList, ProposalList, ScheduleList } from "../../data.ts";
import { type Loaded, useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { nameOf } from "../../parts/tables/jobs-table.tsx";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { QuestionCard } from "../approvals.tsx";
import { isOfProgram, type Ready, troubledPrograms, warningText } from "../readiness.ts";

/** The service may look through all jobs for it. */
const RARELY_MS = 10_000;
/** The newest ones; their own pages have the others. */
const SHOWN = 5;

export function NeedsPerson({ ready }: { readonly ready: Loaded<Ready> }) {
  const unknown = useData<JobList>(RULES.lists ? `/jobs?waits=outcome&limit=${SHOWN}` : null, RARELY_MS);
  const schedules = useData<ScheduleList>("/schedules?limit=200");
  const open = useData<ApprovalPage>(`/approvals?limit=${SHOWN}`);
  const proposed = useData<ProposalList>(`/proposals?limit=${SHOWN}`);
  const [opened, setOpened] = useState<string | null>(null);
  const fault = unknown.fault ?? schedules.fault ?? open.fault ?? proposed.fault;
  const isLoading = [ready, schedules, open, proposed, ...(RULES.lists ? [unknown] : [])].some(
    (each) => each.data === null && each.fault === null,
  );
  const outcomes = unknown.data?.jobs ?? [];
  const questions = open.data?.approvals ?? [];
  const paused = (schedules.data?.schedules ?? []).filter((each) => each.paused);
  const warnings = ready.data?.warnings ?? [];
  const proposals = proposed.data?.proposals ?? [];
  const isEmpty = outcomes.length + questions.length + proposals.length + paused.length + warnings.length === 0;
  return (
    <Card title="Needs a person" label="Needs a person">
      <FaultNotice fault={fault} />
      {isEmpty && fault === null ? <p class="quiet">{isLoading ? "loading" : "nothing"}</p> : null}
      {questions.map((question) => (
        <QuestionCard
          key={question.approval_id}
          approval={question}
          isOpen={opened === question.approval_id}
          open={() => setOpened(question.approval_id)}
          done={open.again}
        />
      ))}
      <ul class="rows">
        {outcomes.map((job) => (
          <li key={job.job_id}>
            {job.program} <a href={address(["jobs", job.job_id])}>{nameOf(job)}</a> asks whether a call happened
          </li>
        ))}
        <Further page={unknown.data} to={address(["jobs"], { waits: "outcome" })} title="further jobs">
          ask whether a call happened
        </Further>
        <Further page={open.data} to={address(["approvals"])} title="further questions">
          wait for a decision
        </Further>
        {proposals.map(({ id, name, stale }) => (
          <li key={id}>
            a version of <a href={address(["proposals", id])}>{name}</a> is proposed
            {stale ? ", against an old one" : ""}
          </li>
        ))}
        <Further page={proposed.data} to={address(["proposals"])} title="further proposals">
          wait for a word
        </Further>
        {[...troubledPrograms(warnings)].map(([program, { kind, why }]) => (
          <li key={program}>
            program <a href={address(["programs", program])}>{program}</a>{" "}
            {kind === "refused" ? "cannot run" : "needs what is not here"}: {why}
          </li>
        ))}
        {warnings
          .filter((warning) => !isOfProgram(warning))
          .map((warning) => (
            <li key={warning}>{warningText(warning)}</li>
          ))}
        {paused.map(({ id, paused_because: because }) => (
          <li key={id}>
            schedule <a href={address(["schedules", ...id.split("/")])}>{id}</a> is paused
            {because ? `: ${because}` : ""}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type FurtherOf = {
  readonly page: { readonly next_cursor: string | null } | null;
  readonly to: string;
  readonly title: string;
  readonly children: ComponentChildren;
};

function Further({ page, to, title, children }: FurtherOf) {
  if (page === null || page.next_cursor === null) return null;
  return (
    <li>
      <a href={to}>{title}</a> {children}
    </li>
  );
}
