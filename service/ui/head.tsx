/** The head of every page: the mark, the pages with what waits behind them, and which service this is and what the page may do. */
import { useEffect, useRef } from "preact/hooks";
import type { ApprovalPage, DeadLetterList } from "./data.ts";
import { onJobChange } from "./job-changes.ts";
import { useData } from "./loading.ts";
import { Chip } from "./look/chip.tsx";
import { address } from "./router.ts";
import { RULES, SERVICE } from "./rules.ts";

export type PageLink = readonly [name: string, title: string];

/** Open questions that are counted. */
const MAX_OPEN = 100;
const HAS_JOBS = RULES.lists && !RULES.playground;

export function Head({ pages, page }: { readonly pages: readonly PageLink[]; readonly page: string }) {
  const counts = useCounts();
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the bar scrolls, and the page that is shown may be outside of it.
  useEffect(() => {
    const { current } = bar;
    const link = current?.querySelector<HTMLElement>("[aria-current]");
    if (current && link) current.scrollLeft = link.offsetLeft - (current.clientWidth - link.offsetWidth) / 2;
  }, [page]);
  return (
    <header class="head">
      <a class="brand" href="/ui">
        <Mark /> <span title={SERVICE.name}>{SERVICE.name}</span>
      </a>
      <nav aria-label="Pages" ref={bar}>
        {pages.map(([name, title]) => (
          <a key={name} href={name === "" ? "/ui" : address([name])} aria-current={name === page ? "page" : undefined}>
            {title}
            <Count count={counts[name]} />
          </a>
        ))}
      </nav>
      <div class="about">
        {SERVICE.environment === "" ? null : (
          <Chip tone="waits" title={SERVICE.environment}>
            {SERVICE.environment}
          </Chip>
        )}
        <span class="quiet">{SERVICE.version}</span>
        {RULES.act ? (
          <Chip tone="busy" title="This page may change something (WF_UI)">
            acts
          </Chip>
        ) : (
          <Chip title="The operator sets WF_UI=act to allow actions">reads</Chip>
        )}
      </div>
    </header>
  );
}

/** As in `icon.svg`. */
function Mark() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 4h12M2 8h12M2 12h12" stroke="var(--accent)" stroke-width="2" stroke-linecap="round" />
      <path d="M5 2v12M11 2v12" stroke="var(--waits)" stroke-width="2" stroke-linecap="round" />
    </svg>
  );
}

type Counted = { readonly text: string; readonly tone: "bad" | "waits" };

function Count({ count }: { readonly count: Counted | undefined }) {
  return count === undefined ? null : <span class={`count ${count.tone}`}>{count.text}</span>;
}

/** By page; nothing for a page behind which nothing waits. */
function useCounts(): Readonly<Record<string, Counted>> {
  const whose = RULES.people ? "&to=me" : "";
  const open = useData<ApprovalPage>(HAS_JOBS ? `/approvals?state=open&limit=${MAX_OPEN}${whose}` : null, null);
  const failed = useData<DeadLetterList>(HAS_JOBS ? "/dead-letters" : null, null);
  useEffect(() => {
    if (!HAS_JOBS) return;
    return onJobChange(() => {
      open.again();
      failed.again();
    });
  }, []);
  const questions = open.data?.approvals.length ?? 0;
  const letters = failed.data?.count ?? 0;
  const more = open.data?.next_cursor == null ? "" : "+";
  return {
    ...(questions === 0 ? {} : { approvals: { text: `${questions}${more}`, tone: "waits" } as const }),
    ...(letters === 0 ? {} : { "dead-letters": { text: short(letters), tone: "bad" } as const }),
  };
}

const short = (count: number): string => (count > 999 ? "999+" : String(count));
