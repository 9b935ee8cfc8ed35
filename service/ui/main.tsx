/** The page: navigation, and the page of the address below it. The playground is loaded when it is opened. */
import { type JSX, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Head } from "./head.tsx";
import { QuestionDialog } from "./look/dialog.tsx";
import { Skeleton } from "./look/empty.tsx";
import { Toasts } from "./look/toast.tsx";
import { Approval, Approvals } from "./pages/approvals.tsx";
import { DeadLetters } from "./pages/dead-letters.tsx";
import { Event, Events } from "./pages/events.tsx";
import { Job } from "./pages/job/job.tsx";
import { Jobs } from "./pages/jobs/jobs.tsx";
import { Overview } from "./pages/overview/overview.tsx";
import { Program } from "./pages/programs/program.tsx";
import { Programs } from "./pages/programs/programs.tsx";
import { Proposal } from "./pages/proposal.tsx";
import { Proposals } from "./pages/proposals.tsx";
import { RecentRuns } from "./pages/runs.tsx";
import { Schedule, Schedules } from "./pages/schedules/schedules.tsx";
import { Keys } from "./parts/keys.tsx";
import { followLinks, place } from "./router.ts";
import { RULES } from "./rules.ts";
import { useTitle } from "./title.ts";
import { showHiddenCharacters } from "./visible.ts";

const PAGES = [
  ["", "Overview"],
  ["jobs", "Jobs"],
  ["dead-letters", "Failed"],
  ["approvals", "Approvals"],
  ["programs", "Programs"],
  ["schedules", "Schedules"],
  ["events", "Events"],
  ["proposals", "Proposals"],
  ["runs", "Recent runs"],
  ["playground", "Playground"],
] as const;

/** A playground alone has no jobs or programs to show. */
const SHOWN = RULES.playground ? PAGES.filter(([name]) => name === "playground") : PAGES;

function App() {
  const { path } = place.value;
  const [page = RULES.playground ? "playground" : ""] = path;
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Head pages={SHOWN} page={page} />
      <main id="content" tabIndex={-1}>
        {contentOf(page, path.slice(1))}
      </main>
      {RULES.playground ? null : <Keys />}
      <QuestionDialog />
      <Toasts />
    </>
  );
}

function contentOf(page: string, [first, ...rest]: readonly string[]) {
  if (!SHOWN.some(([name]) => name === page)) return <NotFound />;
  if (page === "") return <Overview />;
  if (page === "jobs") return first === undefined ? <Jobs /> : <Job key={first} id={first} />;
  if (page === "dead-letters") return <DeadLetters />;
  if (page === "runs") return <RecentRuns />;
  if (page === "programs") return first === undefined ? <Programs /> : <Program key={first} name={first} />;
  if (page === "schedules") {
    const id = [first, ...rest].join("/");
    return first === undefined ? <Schedules /> : <Schedule key={id} id={id} />;
  }
  if (page === "events") return first === undefined ? <Events /> : <Event key={first} id={first} />;
  if (page === "approvals") return first === undefined ? <Approvals /> : <Approval key={first} id={first} />;
  if (page === "proposals") return first === undefined ? <Proposals /> : <Proposal key={first} id={first} />;
  return <Playground />;
}

function NotFound() {
  useTitle("Not found");
  return (
    <>
      <h1>Not found</h1>
      <p>
        The console has no such page. <a href="/ui">{RULES.playground ? "Playground" : "Overview"}</a>
      </p>
    </>
  );
}

function Playground() {
  const [View, setView] = useState<(() => JSX.Element) | null>(null);
  const [isMissing, setMissing] = useState(false);
  useTitle("Playground");
  useEffect(() => {
    import("./playground/playground.tsx").then(
      ({ PlaygroundPage }) => setView(() => PlaygroundPage),
      () => setMissing(true),
    );
  }, []);
  if (View !== null) return <View />;
  return (
    <>
      <h1>Playground</h1>
      {isMissing ? (
        <p class="notice bad" role="alert">
          The playground could not be loaded. The service may be away or have been updated: load the page again.
        </p>
      ) : (
        <Skeleton lines={6} />
      )}
    </>
  );
}

showHiddenCharacters();
followLinks();
const app = document.getElementById("app");
if (app !== null) render(<App />, app);
