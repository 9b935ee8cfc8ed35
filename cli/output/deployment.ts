/** What came of deploying a program, for people: its version, and what it may newly reach before everything else that changed. */
import type { FunctionChange } from "../../compiler/diff/line-changes.ts";
import type { PowerChange } from "../../compiler/diff/powers.ts";
import type { ProgramDiff } from "../../compiler/diff/program-diff.ts";
import { isObject, type JsonObject } from "../../compiler/json.ts";
import { programDiffText } from "./program-diff.ts";
import type { Paint } from "./terminal/colour.ts";
import { visible } from "./terminal/columns.ts";

export type Difference = ProgramDiff & {
  /** Absent: an older service. */
  readonly functions?: readonly FunctionChange[] | null;
  /** The version before. */
  readonly from: number;
  readonly newly_reaches: readonly PowerChange[];
  /** Names of settings that differ. */
  readonly settings: readonly string[];
};

/** Where a program answers, and when it runs. */
type Places = {
  readonly endpoints: readonly { readonly method: string; readonly url: string; readonly mode: string }[];
  readonly schedules: readonly { readonly id: string; readonly cron: string; readonly next: readonly string[] }[];
};

export type FileOutcome = { readonly name: string; readonly file: string } & (
  | ({
      readonly state: "deployed";
      readonly version: number;
      readonly unchanged: boolean;
      readonly difference: Difference | null;
      readonly needs: readonly string[];
      readonly warnings: readonly string[];
    } & Places)
  | { readonly state: "proposed"; readonly proposal: string; readonly kept: number | null }
  | { readonly state: "released" }
  | { readonly state: "refused"; readonly message: string; readonly kept: number | null }
);

export function outcomeText(outcome: FileOutcome, paint: Paint): string {
  const { name, file } = outcome;
  if (outcome.state === "refused") {
    const { message, kept } = outcome;
    const stays = kept === null ? `${name} is not deployed` : `${name} keeps version ${kept}`;
    return `${paint.error("refused")}   ${visible(file)}: ${stays}: ${visible(message)}\n`;
  }
  if (outcome.state === "proposed") {
    const until = outcome.kept === null ? "it is not deployed" : `version ${outcome.kept} stays`;
    return `${paint.warning("proposed")}  ${name}  ${visible(file)}: ${until} until somebody accepts it: wf proposals show ${outcome.proposal}\n`;
  }
  if (outcome.state === "released")
    return `${paint.warning("released")}  ${name}: its file is gone. It stays deployed; wf programs remove ${name} removes it\n`;
  const { version, unchanged, difference } = outcome;
  const needs = [...outcome.needs, ...outcome.warnings]
    .map((need) => `${paint.warning("warning")}   ${name}: ${visible(need)}\n`)
    .join("");
  if (unchanged) return `unchanged ${name} ${version}\n${placesText(outcome)}${needs}`;
  const head = `${paint.ok("deployed")}  ${name} ${version}  ${visible(file)}\n`;
  return `${head}${difference === null ? "" : differenceText(difference, paint)}${placesText(outcome)}${needs}`;
}

function placesText({ endpoints, schedules }: Places): string {
  const shown = endpoints.map(
    ({ method, url, mode }) => `  ${method} ${visible(url)}${mode === "job" ? "  (job)" : ""}\n`,
  );
  const times = schedules.map(({ id, cron, next }) => `  ${visible(id)}  ${cron}  next ${next[0] ?? "never"}\n`);
  return [...shown, ...times].join("");
}

/** What it may newly reach stands first. */
export function differenceText(difference: Difference, paint: Paint): string {
  const { newly_reaches, settings } = difference;
  const reached = newly_reaches.map(
    ({ kind, value }) => `${paint.warning("newly reaches")}  ${kind} ${visible(value)}\n`,
  );
  const changed = settings.length === 0 ? "" : `settings  ${paint.warning("~")} ${settings.join(", ")}\n`;
  return `${reached.join("")}${programDiffText(difference, difference.functions ?? null, paint)}${changed}`;
}

/** What a program starts by its events (`GET /programs/{name}`, emits). */
export type EmitsShown = {
  readonly subscribers: readonly {
    readonly event: string;
    readonly program: string;
    readonly version: number;
    readonly adapters: Readonly<Record<string, { readonly verbs: readonly string[] }>>;
  }[];
  readonly more: number;
} | null;

/** A line for each program that hears, with what it reaches besides core. */
export function emitsLines(emits: EmitsShown | undefined, paint: Paint): readonly string[] {
  if (emits == null) return [];
  const { subscribers, more } = emits;
  const shown = subscribers.map(({ event, program, version, adapters }) => {
    const calls = Object.entries(adapters)
      .filter(([name]) => name !== "core")
      .map(([name, { verbs }]) => `${name}: ${verbs.join(" ")}`);
    const reaches = calls.length === 0 ? "nothing" : visible(calls.join(", "));
    return `${paint.warning("starts")}  ${visible(program)}@${version} on ${visible(event)}, which reaches ${reaches}`;
  });
  return more === 0 ? shown : [...shown, `${paint.warning("starts")}  ${more} more`];
}

type DeployedFacts = Places & {
  readonly name: string;
  readonly version: number;
  readonly unchanged: boolean;
  readonly difference: Difference | null;
  readonly report: JsonObject;
  readonly emits?: EmitsShown | undefined;
};

/** Version, endpoints and schedules. */
export function deployedText(deployed: DeployedFacts, dryRun: boolean, paint: Paint): string {
  const { name, version, unchanged, endpoints, schedules, difference } = deployed;
  const state = unchanged ? "unchanged" : dryRun ? "would deploy" : "deployed";
  const head = `${paint.ok(state)}  ${visible(name)} ${version}\n`;
  const changes = dryRun
    ? difference === null
      ? reachedText(deployed, paint)
      : differenceText(difference, paint)
    : "";
  const starts = emitsLines(deployed.emits, paint).map((line) => `${line}\n`);
  return head + changes + placesText({ endpoints, schedules }) + starts.join("");
}

function reachedText(deployed: DeployedFacts, paint: Paint): string {
  return deployed.unchanged
    ? ""
    : reachedBy(deployed)
        .map((line) => `${paint.warning("reaches")}  ${line}\n`)
        .join("");
}

/** What somebody should agree to: what a version newly reaches, or all that a first one reaches besides core. */
export function reachedBy({
  difference,
  report,
}: {
  readonly difference: { readonly newly_reaches: readonly { readonly kind: string; readonly value: string }[] } | null;
  readonly report: JsonObject;
}): readonly string[] {
  if (difference !== null) return difference.newly_reaches.map(({ kind, value }) => `${kind} ${visible(value)}`);
  const adapters = Object.keys(isObject(report["adapters"]) ? report["adapters"] : {}).filter(
    (name) => name !== "core",
  );
  const { egress, files, tables, tools } = report as { readonly [member: string]: unknown };
  const places = (kind: string, values: unknown): string[] =>
    Array.isArray(values) ? values.map((value) => `${kind} ${visible(String(value))}`) : [];
  return [
    ...adapters.map((name) => `adapter ${visible(name)}`),
    ...places("host", isObject(egress) ? egress["hosts"] : []),
    ...places("path", isObject(files) ? files["paths"] : []),
    ...places("table", tables),
    ...places("tool", tools),
  ];
}
