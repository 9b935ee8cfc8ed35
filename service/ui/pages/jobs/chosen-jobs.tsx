/** What can be done with the jobs that are chosen in the list, and with all that match the search. */
import { useState } from "preact/hooks";
import { nounFor } from "../../../../grammar/text/english.ts";
import { Refused, send } from "../../api.ts";
import type { ListedJob } from "../../data.ts";
import { Button } from "../../look/button.tsx";
import { say } from "../../look/toast.tsx";
import { ActButton } from "../../parts/act.tsx";
import { counted } from "../../words.ts";
import type { Filters } from "./search-words.ts";

const VERBS = { cancel: "Cancel", retry: "Retry" } as const;
type Verb = keyof typeof VERBS;
const DONE = { cancel: "cancelled", retry: "queued again" } as const;
const OPEN: ReadonlySet<string> = new Set(["queued", "running", "waiting", "sleeping"]);

/** A job that succeeded, or is being cancelled, takes neither. */
const takes = (verb: Verb, { status }: ListedJob): boolean =>
  verb === "cancel" ? OPEN.has(status) : !OPEN.has(status) && status !== "succeeded" && status !== "cancelling";

type ChosenOf = { readonly chosen: readonly ListedJob[]; readonly clear: () => void; readonly done: () => void };

export function ChosenJobs({ chosen, clear, done }: ChosenOf) {
  const act = async (verb: Verb, jobs: readonly ListedJob[]) => {
    let count = 0;
    let refusal: string | null = null;
    for (const { job_id: id } of jobs) {
      try {
        await (verb === "cancel"
          ? send("DELETE", `/result/${id}`)
          : send("POST", `/result/${id}/retry`, { from: "start" }));
        count += 1;
      } catch (cause) {
        refusal = cause instanceof Refused ? cause.message : "the request failed";
      }
    }
    say(`${count} of ${counted(jobs.length, "job")} ${DONE[verb]}.`);
    if (refusal !== null) throw new Refused(0, { message: refusal });
  };
  return (
    <section class="bar" aria-label="Chosen jobs">
      <strong role="status">{chosen.length} chosen</strong>
      {(["retry", "cancel"] as const).map((verb) => {
        const jobs = chosen.filter((job) => takes(verb, job));
        const text = `${VERBS[verb]} ${counted(jobs.length, "job")}`;
        return jobs.length === 0 ? null : (
          <ActButton
            key={verb}
            text={text}
            kind={verb === "cancel" ? "danger" : "normal"}
            confirm={`${text}?`}
            run={() => act(verb, jobs)}
            done={() => {
              clear();
              done();
            }}
          />
        );
      })}
      <Button kind="plain" onClick={clear}>
        Choose none
      </Button>
    </section>
  );
}

type Hit = { readonly count: number; readonly more: boolean };
type BulkOf = { readonly verb: Verb; readonly filters: Filters; readonly done: () => void };

/** What the filters find is counted first, and acted on only then. */
export function BulkAction({ verb, filters, done }: BulkOf) {
  const [hit, setHit] = useState<Hit | null>(null);
  const { cursor: _, ...asked } = filters;
  const body = { ...asked, limit: 1000 };
  const act = (dry: boolean) => send<Hit>("POST", `/jobs/${verb}`, { ...body, ...(dry ? { dry_run: true } : {}) });
  if (hit === null)
    return (
      <ActButton text={`${VERBS[verb]} all of these …`} run={async () => setHit(await act(true))} done={() => {}} />
    );
  const many = `${hit.count}${hit.more ? " or more" : ""} ${nounFor(hit.count, "job")}`;
  return (
    <span class="act">
      {hit.count === 0 ? `No job to ${verb}.` : null}
      {hit.count === 0 ? null : (
        <ActButton
          text={`${VERBS[verb]} ${many}`}
          kind={verb === "cancel" ? "danger" : "primary"}
          said={`${many} ${DONE[verb]}.`}
          run={() => act(false)}
          done={() => {
            setHit(null);
            done();
          }}
        />
      )}
      <Button kind="plain" onClick={() => setHit(null)}>
        {hit.count === 0 ? "Close" : "Do not"}
      </Button>
    </span>
  );
}
