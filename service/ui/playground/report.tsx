/** What a program may reach, and its bounds, before it runs. */

import { hostDoes } from "../../../compiler/diagram/host-words.ts";
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";
import { spaced } from "../words.ts";

type ReportOf = {
  /** `labels`: without them, places are not named. */
  readonly report: Pick<SecurityReport, "summary"> & Partial<SecurityReport>;
  /** A function or label as people know it. */
  readonly nameOf?: ((label: string) => string) | undefined;
};

/** Places that are named of what a program asks its host for. */
const MAX_PLACES = 3;

export function ReportView({ report, nameOf }: ReportOf) {
  const { summary } = report;
  const adapters = Object.entries(summary.adapters).flatMap(([name, { verbs }]) => {
    const shown = verbs.filter((verb) => hostDoes(name, verb) === null);
    return shown.length === 0 ? [] : [`${name}: ${shown.join(", ")}`];
  });
  return (
    <dl class="facts">
      <Entry term="Adapters" list={adapters.length === 0 ? ["none"] : adapters} />
      <Entry term="Built in" list={hostUses(report, nameOf)} />
      <Entry term="Privilege" list={[spaced(summary.max_privilege)]} />
      <Entry term="Hosts" list={summary.egress.hosts} open={summary.egress.dynamic} />
      <Entry term="Files" list={summary.files.paths} open={summary.files.dynamic} />
      <Entry term="Tables" list={summary.tables} />
      <Entry term="Tools" list={summary.tools} />
      <Entry term="Queues" list={summary.queues} />
      <Entry term="Environment" list={summary.environment} />
      <Entry term="Changes what is outside" list={[changesText(summary)]} />
      <Entry term="Marked destructive" list={destroyers(report)} />
    </dl>
  );
}

/** `reads the clock (main, line 3)`: what the program asks of its host, and where. */
function hostUses({ summary, labels = {} }: ReportOf["report"], nameOf: ReportOf["nameOf"]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const verb of summary.adapters["core"]?.verbs ?? []) {
    const does = hostDoes("core", verb);
    if (does !== null) places.set(does, new Set());
  }
  for (const [label, { nodes }] of Object.entries(labels))
    for (const { adapter, verb, lineno } of nodes) {
      const does = hostDoes(adapter ?? "", verb ?? "");
      if (does === null || nameOf === undefined) continue;
      const place = lineno === undefined ? nameOf(label) : `${nameOf(label)}, line ${lineno}`;
      places.set(does, (places.get(does) ?? new Set()).add(place));
    }
  return [...places].map(([does, where]) => {
    const more = where.size > MAX_PLACES ? `; and ${where.size - MAX_PLACES} more` : "";
    return where.size === 0 ? does : `${does} (${[...where].slice(0, MAX_PLACES).join("; ")}${more})`;
  });
}

function changesText({ adapters, effect_tiers: tiers }: SecurityReport["summary"]): string {
  if (tiers.includes("io-write")) return "yes";
  return Object.keys(adapters).length === 0 ? "no" : "no, its calls only read";
}

/** Adapters that can destroy data, which a policy may forbid, whatever is called of them here. */
function destroyers({ summary, labels }: ReportOf["report"]): readonly string[] {
  if (labels === undefined) return summary.destructive ? ["yes"] : [];
  const calls = Object.values(labels).flatMap(({ nodes }) => nodes.filter(({ destructive }) => destructive));
  return [...new Set(calls.map(({ adapter }) => (adapter === null ? "some adapter" : `adapter ${adapter}`)))];
}

/** `open`: some of them are known only by a run. */
function Entry({
  term,
  list,
  open = false,
}: {
  readonly term: string;
  readonly list: readonly string[];
  readonly open?: boolean;
}) {
  if (list.length === 0 && !open) return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{[...list, ...(open ? ["others that only a run knows"] : [])].join(", ")}</dd>
    </div>
  );
}
