/** What two programs may touch, compared: privilege tiers, adapters, hosts and other places that literals name. */
import type { AdapterCatalog } from "../catalog.ts";
import type { Ir } from "../ir/graph.ts";
import { securityReport } from "../policy/report.ts";
import type { ReportNode, SecurityReport } from "../policy/report-shape.ts";

export type PowerKind =
  | "privilege"
  | "adapter"
  | "effect"
  | "host"
  | "path"
  | "table"
  | "signal"
  | "approver"
  | "program"
  | "event"
  | "accepts"
  | "tool"
  | "module"
  | "queue"
  | "model"
  | "environment"
  | "computed";

/** A step that has the power: of the program after the change when it is new, else of the one before. */
type PowerStep = {
  readonly label: string;
  readonly node: string;
  readonly line: number | null;
  readonly call: string;
};
export type PowerChange = {
  readonly change: "added" | "removed";
  readonly kind: PowerKind;
  readonly value: string;
  readonly steps: readonly PowerStep[];
};

export function powerChanges(before: Ir, after: Ir, catalog: AdapterCatalog): PowerChange[] {
  const was = powersOf(before, catalog);
  const is = powersOf(after, catalog);
  return [
    ...[...is].filter(([key]) => !was.has(key)).map(([, power]): PowerChange => ({ change: "added", ...power })),
    ...[...was].filter(([key]) => !is.has(key)).map(([, power]): PowerChange => ({ change: "removed", ...power })),
  ];
}

type Power = Omit<PowerChange, "change">;

function powersOf(ir: Ir, catalog: AdapterCatalog): ReadonlyMap<string, Power> {
  const report = securityReport(ir, catalog);
  const { summary } = report;
  const calls = Object.entries(report.labels).flatMap(([label, { nodes }]) => nodes.map((node) => ({ label, node })));
  const stepsWith = (has: (node: ReportNode) => boolean): PowerStep[] =>
    calls.filter(({ node }) => has(node)).map(({ label, node }) => stepOf(label, node));
  const powers = summary.privilege_tiers
    .filter((tier) => tier !== "pure")
    .map((tier): Power => ({ kind: "privilege", value: tier, steps: stepsWith((one) => one.privilege_tier === tier) }));
  for (const value of verbsOf(summary)) {
    powers.push({ kind: "adapter", value, steps: stepsWith((one) => callText(one) === value) });
  }
  powers.push(
    ...summary.effect_tiers
      .filter((tier) => tier.startsWith("io-"))
      .map((tier): Power => ({ kind: "effect", value: tier, steps: stepsWith((one) => one.effect_tier === tier) })),
    ...places("host", summary.egress.hosts),
    ...places("path", summary.files.paths),
    ...places("table", summary.tables),
    ...places("tool", summary.tools),
    ...places("module", summary.modules),
    ...places("queue", summary.queues),
    ...places("signal", summary.signals),
    ...places("approver", summary.approvers),
    ...places("program", summary.programs),
    ...places("event", summary.events),
    ...places("accepts", summary.accepts),
    ...places(
      "model",
      summary.models.map(({ model }) => model ?? "computed"),
    ),
    ...places("environment", summary.environment),
    ...computedTargets(summary),
  );
  return new Map(powers.map((power) => [JSON.stringify([power.kind, power.value]), power]));
}

function places(kind: PowerKind, values: readonly string[]): Power[] {
  return values.map((value) => ({ kind, value, steps: [] }));
}

/** Targets that only a run knows, without the step that computes them: steps move. */
function computedTargets({ egress, files }: SecurityReport["summary"]): Power[] {
  const kinds = [...(egress.dynamic ? ["hosts"] : []), ...(files.dynamic ? ["paths"] : [])];
  return places("computed", kinds);
}

function verbsOf({ adapters }: SecurityReport["summary"]): string[] {
  return Object.entries(adapters).flatMap(([adapter, { verbs }]) =>
    adapter === "core" ? [] : verbs.map((verb) => `${adapter}.${verb}`),
  );
}

const callText = ({ adapter, verb }: ReportNode): string => `${adapter ?? "*"}.${verb ?? "*"}`;

function stepOf(label: string, node: ReportNode): PowerStep {
  return { label, node: node.node_id, line: node.lineno ?? null, call: callText(node) };
}
