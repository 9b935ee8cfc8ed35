/** The page: navigation, and the page of the address below it. The playground is loaded when it is opened. */
import { type JSX, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Approval, Approvals } from "./pages/approvals.tsx";
import { Job } from "./pages/job/job.tsx";
import { Jobs } from "./pages/jobs.tsx";
import { Overview } from "./pages/overview.tsx";
import { Program, Programs } from "./pages/programs/programs.tsx";
import { RecentRuns } from "./pages/runs.tsx";
import { Schedule, Schedules } from "./pages/schedules.tsx";
import { isTyping } from "./parts/jobs-table.tsx";
import { address, followLinks, go, type Place, place } from "./router.ts";
import { RULES } from "./rules.ts";
import { showHiddenCharacters } from "./visible.ts";

const PAGES = [
  ["", "Overview"],
  ["jobs", "Jobs"],
  ["runs", "Recent runs"],
  ["programs", "Programs"],
  ["schedules", "Schedules"],
  ["approvals", "Approvals"],
  ["playground", "Playground"],
] as const;

function App() {
  const { path } = place.value;
  const [page = ""] = path;
  useEffect(() => {
    document.title = `${PAGES.find(([name]) => name === page)?.[1] ?? "Not found"} – Weft`;
  }, [page]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <nav aria-label="Pages">
          {PAGES.map(([name, title]) => (
            <a
              key={name}
              href={name === "" ? "/ui" : address([name])}
              aria-current={name === page ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        {RULES.act ? null : (
          <span class="quiet" title="The operator sets WF_UI=act to allow actions">
            read only
          </span>
        )}
      </header>
      <main id="content" tabIndex={-1}>
        {contentOf(place.value)}
      </main>
    </>
  );
}

function contentOf({ path: [page = "", first, ...rest] }: Place) {
  if (page === "") return <Overview />;
  if (page === "jobs") return first === undefined ? <Jobs /> : <Job id={first} />;
  if (page === "runs") return <RecentRuns />;
  if (page === "programs") return first === undefined ? <Programs /> : <Program name={first} />;
  if (page === "schedules") return first === undefined ? <Schedules /> : <Schedule id={[first, ...rest].join("/")} />;
  if (page === "approvals") return first === undefined ? <Approvals /> : <Approval id={first} />;
  if (page === "playground") return <Playground />;
  return (
    <>
      <h1>Not found</h1>
      <p>
        The console has no such page. <a href="/ui">Overview</a>
      </p>
    </>
  );
}

function Playground() {
  const [View, setView] = useState<(() => JSX.Element) | null>(null);
  useEffect(() => {
    void import("./playground/playground.tsx").then(({ PlaygroundPage }) => setView(() => PlaygroundPage));
  }, []);
  return View === null ? <p class="quiet">loading</p> : <View />;
}

/** `/` searches jobs, `?` shows the keys. */
function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") {
      event.preventDefault();
      if (document.getElementById("search") === null) go(address(["jobs"]));
      requestAnimationFrame(() => document.getElementById("search")?.focus());
    } else if (event.key === "?") alert("j, k: next and previous job\nEnter: open\n/: search jobs");
  });
}

showHiddenCharacters();
followLinks();
listenToKeys();
const app = document.getElementById("app");
if (app !== null) render(<App />, app);
