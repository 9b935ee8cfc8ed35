/** The states of jobs with how many there are, one of which can be chosen. */
import { useEffect } from "preact/hooks";
import type { JobStats } from "../../data.ts";
import { onJobChange } from "../../job-changes.ts";
import { useData } from "../../loading.ts";
import { RULES } from "../../rules.ts";
import { number } from "../../words.ts";
import { STATES } from "./search-words.ts";

const TONES: Readonly<Record<string, string>> = {
  failed: "bad",
  succeeded: "good",
  waiting: "waits",
  running: "busy",
};

type ChipsOf = {
  /** The states that are chosen, with commas; "": any. */
  readonly chosen: string;
  /** Of one deployment; "": all jobs. */
  readonly program: string;
  readonly choose: (states: string) => void;
};

export function StateChips({ chosen, program, choose }: ChipsOf) {
  const of = program === "" ? "" : `?program=${encodeURIComponent(program.split("@")[0] ?? "")}`;
  const stats = useData<JobStats>(RULES.lists ? `/jobs/stats${of}` : null, null);
  useEffect(() => (RULES.lists ? onJobChange(stats.again) : undefined), [of]);
  const counts = stats.data?.counts ?? [];
  const countOf = (states: string): number =>
    counts
      .filter(({ status }) => states === "" || states.split(",").includes(status))
      .reduce((sum, { count }) => sum + count, 0);
  return (
    <fieldset class="states">
      <legend class="unseen">State, with the jobs of the last seven days</legend>
      {[["all", ""] as const, ...Object.entries(STATES)].map(([name, states]) => (
        <button
          key={name}
          type="button"
          class={`state ${TONES[name] ?? ""}`}
          aria-pressed={chosen === states}
          title="jobs of the last seven days"
          onClick={() => choose(chosen === states ? "" : states)}
        >
          {name} {stats.data === null ? null : <span class="count">{number(countOf(states))}</span>}
        </button>
      ))}
    </fieldset>
  );
}
