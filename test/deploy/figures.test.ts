/** Dashboard and alerts are what the metrics are. Out of date: `WEFT_DOCS=write npx vitest run test/deploy`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createCatalog } from "../../compiler/catalog.ts";
import { Metrics, NO_JOBS } from "../../service/telemetry/metrics.ts";
import { ALERTS, alertRules, dashboard, type Metric } from "./figures.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");

/** The Prometheus text of a service in which everything has happened once. */
async function exposition(): Promise<string> {
  const metrics = new Metrics({
    catalog: createCatalog([]),
    clock: { now: () => 0, wall: () => 0 },
    version: "1.0.0",
    runsInFlight: () => 1,
    workers: () => ({ live: 1, busy: 1 }),
    jobs: () => NO_JOBS,
    droppedLogs: () => 1,
    loopLag: () => 1,
    processFigures: true,
  });
  metrics.runEnded("ok", 1);
  metrics.policyRejected(["POLICY_ADAPTER_FORBIDDEN"]);
  metrics.adapterCall({ adapter: "http", verb: "Get", status: "ok", duration_ms: 1, code: undefined } as never);
  metrics.compiled(false, 1);
  metrics.jobStarted(1);
  metrics.jobMoved("done");
  metrics.httpRequest("POST", "/run", 200);
  return await metrics.text();
}

/** Metrics by their `HELP`, `TYPE` and sample lines; labels in the order of the samples. */
function metricsIn(text: string): Metric[] {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gmu)].map(([, name, type]) => [name, type]));
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gmu)].map(([, name = "", help = ""]) => {
    const sample = new RegExp(`^${name}(?:_bucket)?\\{([^}]*)\\}`, "mu").exec(text)?.[1] ?? "";
    const labels = [...sample.matchAll(/(\w+)="/gu)].map(([, label = ""]) => label).filter((label) => label !== "le");
    return { name, help, type: types.get(name) as Metric["type"], labels };
  });
}

const all = metricsIn(await exposition());
const ours = all.filter(({ name }) => name.startsWith("wf_"));

describe.each([
  ["grafana/weft.json", dashboard(ours)],
  ["prometheus/alerts.yml", alertRules()],
])("deploy/%s", (name, made) => {
  it("is what the metrics of the service give", () => {
    const path = join(DEPLOY, name);
    if (process.env["WEFT_DOCS"] === "write") writeFileSync(path, made);
    expect(parse(readFileSync(path, "utf8"))).toEqual(parse(made));
  });
});

describe("alerts", () => {
  const known = new Set(all.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]));

  it.each(ALERTS)("$alert names metrics and labels that exist", ({ expr }) => {
    const names = expr.match(/\b(?:wf|nodejs|process)_\w+/gu) ?? [];
    for (const name of names) expect(known).toContain(name);
    for (const [, name = "", filter = ""] of expr.matchAll(/(wf_\w+)\{([^}]*)\}/gu)) {
      const labels = all.find((metric) => metric.name === name)?.labels ?? [];
      for (const [, label = ""] of filter.matchAll(/(\w+)[=!]/gu)) expect(labels).toContain(label);
    }
  });
});

/** Sections of docs/runbook.md: the name of the alert and what stands below it. */
function runbook(): ReadonlyMap<string, string> {
  const [, ...sections] = readFileSync(join(DEPLOY, "../docs/runbook.md"), "utf8").split(/^## /mu);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf("\n")), section]));
}

describe("docs/runbook.md", () => {
  it("has the alerts as sections, in the order of the rules, and no others", () => {
    expect([...runbook().keys()]).toEqual(ALERTS.map(({ alert }) => alert));
  });

  it.each(ALERTS)("says what $alert means, and which commands look and fix it", ({ alert }) => {
    expect(runbook().get(alert)).toMatch(/^\w+\n\n[A-Z].*\n\n```sh\n# look\n(?:.+\n)+# fix\n(?:.+\n)+```\n/u);
  });

  it.each(ALERTS)("is what the rule of $alert points to", ({ alert }) => {
    const { groups } = parse(readFileSync(join(DEPLOY, "prometheus/alerts.yml"), "utf8"));
    const rule = groups[0].rules.find((each: { alert: string }) => each.alert === alert);
    const { bugs } = JSON.parse(readFileSync(join(DEPLOY, "../package.json"), "utf8"));
    const repository = bugs.url.replace(/\/issues$/u, "");
    expect(rule.annotations.runbook_url).toBe(`${repository}/blob/main/docs/runbook.md#${alert.toLowerCase()}`);
  });
});
