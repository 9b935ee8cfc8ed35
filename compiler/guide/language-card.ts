/**
 * The language on one page for a model: what Weft adds to Python, the modules that may be imported, and every adapter with its verbs.
 * Made from the tables; `wf_capabilities`, `wf explain language` and docs/for-agents.md show it, next to the program of taught-program.ts.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { ADAPTERS_INSTEAD } from "../python/library/instead.ts";
import { KNOWN_MODULES, membersOf, REFUSED_BUILTINS } from "../python/library/known.ts";

/** Modules of each adapter that are named, the best known first. */
const MOST_NAMED = 4;

const ADDITIONS = `@api("/orders/{id}", method="GET")           above a function: an endpoint; POST without method
@cron("0 7 * * 1-5", tz="Europe/Vienna")     above a function: a schedule
@on("orders/created", when="data.total > 9") above f(order): a job for each such event; event.emit(name, data)
with retry(3, backoff_ms=200, strategy="exponential"):   repeats its block up to 3 more times when a call fails in a way that may pass
parallel(f, items, limit=8, settle=False)    f for each at the same time, results in order; settle: {"ok", "value" or "error"}; f returns what it made and changes nothing that it shares
timer.sleep("2d"), timer.until("2030-01-31T08:00:00Z")   wait, for days in a job; a span is seconds, or text such as "1d12h"
signal.wait(name, key=k, timeout="14d")      .received, .data
approval.ask(title, details=d, timeout="3d") .approved, .decision, .by, .comment
job.run("program", {"n": 1})                 the result of another job; progress(0.5, "text") shows how far this one is
datetime.now(), date.today(), time.time(), time.sleep(s), uuid.uuid4(), random (no seed)   recorded, and the same in a replay; the zone is UTC
print(x)                                     shown with the result`;

const REFUSED =
  "classes but TypedDict and exceptions without a body (also dataclass, namedtuple, Enum), the order of a set (write sorted), global state between runs, files and sockets";

/** At most 900 tokens with the built-in adapters. */
export function languageCard(catalog: AdapterCatalog): string {
  const modules = [...KNOWN_MODULES].filter((name) => membersOf(name).length > 0);
  const adapters = catalog.names().filter((name) => name !== "core");
  return [
    ADDITIONS,
    [
      `Modules: ${modules.sort().join(" ")}`,
      `Refused: ${REFUSED}, ${[...REFUSED_BUILTINS].filter((name) => /^[a-z]/.test(name)).join(" ")}`,
      `In place of: ${insteadTexts().join(", ")}`,
    ].join("\n"),
    adapters.map((name) => adapterLine(name, catalog)).join("\n"),
  ].join("\n\n");
}

/** `requests httpx aiohttp → http`. */
function insteadTexts(): string[] {
  return Object.entries(ADAPTERS_INSTEAD).map(
    ([adapter, modules]) => `${modules.split(" ").slice(0, MOST_NAMED).join(" ")} → ${adapter}`,
  );
}

function adapterLine(name: string, catalog: AdapterCatalog): string {
  const verbs = catalog.adapter(name)?.verbs.filter(({ unlisted }) => unlisted !== true) ?? [];
  return `${name}: ${verbs.map((verb) => verb.name).join(" ")}`;
}
