/** What a program may reach, and its bounds, before it runs. */
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";

export function ReportView({ report }: { readonly report: SecurityReport }) {
  const { summary } = report;
  const adapters = Object.entries(summary.adapters);
  return (
    <dl class="facts">
      <Entry
        term="Adapters"
        list={adapters.length === 0 ? ["none"] : adapters.map(([name, { verbs }]) => `${name}: ${verbs.join(", ")}`)}
      />
      <Entry term="Privilege" list={[summary.max_privilege.replaceAll("_", " ")]} />
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

function changesText({ adapters, effect_tiers: tiers }: SecurityReport["summary"]): string {
  if (tiers.includes("io-write")) return "yes";
  return Object.keys(adapters).length === 0 ? "no" : "no, its calls only read";
}

/** Adapters that can destroy data, which a policy may forbid, whatever is called of them here. */
function destroyers({ labels }: SecurityReport): readonly string[] {
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
