/** What happened in the last day, what needs a person, what failed and what comes next; under a tab, how the service itself is. */
import { useState } from "preact/hooks";
import { useData } from "../../loading.ts";
import { Tabs } from "../../look/tabs.tsx";
import { useTitle } from "../../title.ts";
import type { Ready } from "../readiness.ts";
import { ComesNext } from "./comes-next.tsx";
import { DayOfJobs } from "./day-of-jobs.tsx";
import { FailuresByProgram } from "./failures.tsx";
import { NeedsPerson } from "./needs-person.tsx";
import { NotReady, ServiceFigures } from "./service-figures.tsx";

const NAMES = ["Work", "Service"] as const;

export function Overview() {
  useTitle("Overview");
  const ready = useData<Ready>("/ready");
  const [chosen, choose] = useState<(typeof NAMES)[number]>("Work");
  return (
    <>
      <div class="title">
        <h1>Overview</h1>
      </div>
      <NotReady ready={ready} />
      <Tabs label="What is looked at" names={NAMES} chosen={chosen} choose={choose}>
        {chosen === "Service" ? (
          <ServiceFigures ready={ready} />
        ) : (
          <div class="columns">
            <div>
              <DayOfJobs />
              <NeedsPerson ready={ready} />
            </div>
            <div>
              <FailuresByProgram />
              <ComesNext />
            </div>
          </div>
        )}
      </Tabs>
    </>
  );
}
