/** What a program may reach, and its bounds, before it runs. */
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";

export function ReportView({ report: { summary } }: { readonly report: SecurityReport }) {
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
      <Entry term="Destructive" list={[summary.destructive ? "yes" : "no"]} />
    </dl>
  );
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
