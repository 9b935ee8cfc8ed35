/**
 * Schedules of a version that is about to be deployed: those that the program declares (`Cr`, `S … cron`) with those of the request laid
 * over them by label. A schedule that can never fire refuses the deployment.
 */
import * as z from "zod";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import { inputsByRun } from "../../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { labelName, resolveReference } from "../../../compiler/ir/references.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { isObject, setMember } from "../../../compiler/json.ts";
import { counted } from "../../../grammar/text/english.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { inputCheckOf } from "../../../vm/inputs/check-inputs.ts";
import { copyText, exactText, keepMemberText, readExactly } from "../../../vm/inputs/exact-text.ts";
import type { Task } from "../../../vm/tasks/task.ts";
import { flowIn, flowMembers } from "../../jobs/flow/members.ts";
import { nextTime, nextTimes, shortestDistance, timesOf } from "../../schedules/next-times.ts";
import { CATCH_UPS, frameOf, OVERLAPS, type ScheduleSpec } from "../../schedules/schedule.ts";
import { isTimeZone } from "../../schedules/zones-and-jitter.ts";
import { isoTime } from "../../wire/common.ts";
import { type RequestIssue, ServiceFault } from "../../wire/errors.ts";
import type { DeploymentSettings } from "../deployment-settings.ts";
import { withDefaults } from "../run-program.ts";

export type SchedulesAsked = {
  readonly name: string;
  readonly ir: Ir;
  readonly settings: Pick<DeploymentSettings, "schedules" | "tz" | "frame" | "strict">;
  /** Milliseconds since 1970. */
  readonly now: number;
};

export type PlannedSchedules = {
  /** JSON that the store keeps with the version (`VersionTexts`): a list of ScheduleSpec. */
  readonly stored: string;
  /** As the answer of a deployment shows them, with their next three times. */
  readonly shown: readonly ShownSchedule[];
  readonly warnings: readonly string[];
};

export type ShownSchedule = {
  readonly id: string;
  readonly cron: string;
  readonly tz: string;
  readonly label: string;
  /** Times as ISO 8601. */
  readonly next: readonly string[];
};

const SHOWN_TIMES = 3;
const MAX_SCHEDULES = 1000;
/** A line that is never due takes twenty milliseconds to find out: no more problems than these are looked for. */
const MAX_PROBLEMS = 100;
/** Inputs that every run of a schedule gets. */
const SET_BY_SCHEDULES: ReadonlySet<string> = new Set(["_due_at", "_schedule"]);
const DAYS_31_S = 31 * 24 * 3600;

const time = isoTime.transform((text) => Date.parse(text));

const Asked = z.strictObject({
  cron: z.string().max(200).nullish(),
  label: z.string().min(1).max(300).nullish(),
  frame: z.record(z.string(), z.unknown()).nullish(),
  tz: z.string().min(1).max(64).nullish(),
  jitter_s: z.int().min(0).max(3600).nullish(),
  overlap: z.enum(OVERLAPS).nullish(),
  catch_up: z.enum(CATCH_UPS).nullish(),
  catch_up_window_s: z.int().min(1).max(DAYS_31_S).nullish(),
  from: time.nullish(),
  until: time.nullish(),
  paused: z.boolean().nullish(),
  ...flowMembers,
});
type AskedSchedule = z.output<typeof Asked>;

/** A cron line of the program. `label` is an id. */
type Declared = {
  readonly cron: string;
  readonly label: string;
  readonly line: number;
  /** What the program itself sets, by `@cron`. */
  readonly asked: AskedSchedule;
};

/** Throws ServiceFault schedule_invalid with the problems. */
export function* planSchedules({ name, ir, settings, now }: SchedulesAsked): Task<PlannedSchedules> {
  const issues: RequestIssue[] = [];
  const asked: AskedSchedule[] = [];
  for (const [at, one] of (settings.schedules ?? []).entries()) {
    asked.push(readAsked(one, `/schedules/${at}`, issues));
    yield;
  }
  if (settings.tz !== undefined && !isTimeZone(settings.tz)) issues.push(unknownZone("/tz", settings.tz));
  const specs = issues.length > 0 ? [] : specsOf({ name, ir, asked, tz: settings.tz ?? "UTC", issues });
  for (const { spec, path } of specs.slice(0, MAX_SCHEDULES)) {
    if (issues.length >= MAX_PROBLEMS) break;
    issues.push(...(yield* problemsOf(spec, path, now)), ...inputProblems(ir, settings, spec, path));
    yield;
  }
  if (specs.length > MAX_SCHEDULES)
    issues.push({ path: "/schedules", code: "range", message: `must be at most ${MAX_SCHEDULES}` });
  const [first] = issues;
  if (first !== undefined) {
    const message = `${counted(issues.length, "problem")} in the schedules: ${first.message}`;
    throw new ServiceFault("schedule_invalid", message, { issues });
  }
  const stored = JSON.stringify(specs.map(({ spec }) => spec));
  return { stored, shown: yield* shownSchedules(stored, now), warnings: [] };
}

/** Schedules of a version that is stored, as its answer shows them. */
export function* shownSchedules(stored: string, now: number): Task<readonly ShownSchedule[]> {
  const shown: ShownSchedule[] = [];
  for (const spec of JSON.parse(stored) as readonly ScheduleSpec[]) {
    const { id, cron, tz, label } = spec;
    const next = yield* nextTimes(spec, now, SHOWN_TIMES);
    shown.push({ id, cron, tz, label, next: next.map(({ atMs }) => new Date(atMs).toISOString()) });
  }
  return shown;
}

function readAsked(given: JsonObject, path: string, issues: RequestIssue[]): AskedSchedule {
  const read = Asked.safeParse(given);
  if (read.success) {
    const { frame } = read.data;
    if (isObject(given["frame"]) && isObject(frame)) copyText(given["frame"], frame);
    keepMemberText(given, "frame", frame);
    return read.data;
  }
  for (const { path: at, message, code, ...rest } of read.error.issues) {
    const where = at.map((part) => `/${String(part)}`).join("");
    const keys = "keys" in rest ? (rest.keys as readonly string[]) : [];
    if (code !== "unrecognized_keys") issues.push({ path: `${path}${where}`, code: "format", message });
    for (const key of keys) {
      const near = nearest(key, Object.keys(Asked.shape));
      const hint = near === null ? "" : `; did you mean ${near}?`;
      issues.push({ path: `${path}/${key}`, code: "unknown_member", message: `unknown member '${key}'${hint}` });
    }
  }
  return {};
}

type Placed = { readonly spec: ScheduleSpec; readonly path: string };

/** Those of the program first. The n-th entry of a label overrides the n-th schedule that the program has for it. */
function specsOf(given: {
  readonly name: string;
  readonly ir: Ir;
  readonly asked: readonly AskedSchedule[];
  readonly tz: string;
  readonly issues: RequestIssue[];
}): readonly Placed[] {
  const { name, ir, asked, tz, issues } = given;
  const declared = declaredSchedules(ir, issues);
  const rest = asked.map((one, at) => ({ one, at, label: labelOf(ir, one.label, `/schedules/${at}/label`, issues) }));
  const counts = new Map<string, number>();
  const placed: Placed[] = [];
  const add = (own: Declared | null, found: (typeof rest)[number] | undefined): void => {
    const label = own?.label ?? found?.label ?? null;
    const path = found === undefined ? "" : `/schedules/${found.at}`;
    const cron = found?.one.cron ?? own?.cron ?? null;
    if (label === null) return;
    if (cron === null) {
      issues.push({
        path: `${path}/cron`,
        code: "required",
        message: "the program has no schedule for the label: give cron",
      });
      return;
    }
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    const written = labelName(ir, label);
    const id = `${name}/${written}${count === 1 ? "" : `/${count}`}`;
    placed.push({ spec: specOf(id, cron, written, { ...own?.asked, ...found?.one }, tz), path });
  };
  for (const own of declared) {
    const at = rest.findIndex(({ label }) => label === own.label);
    add(own, at < 0 ? undefined : rest.splice(at, 1)[0]);
  }
  for (const found of rest) add(null, found);
  return placed;
}

function specOf(id: string, cron: string, label: string, asked: AskedSchedule, tz: string): ScheduleSpec {
  const frame: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(asked.frame ?? {})) setMember(frame, name, value as Json);
  const frameText = exactText(asked.frame);
  return {
    id,
    cron,
    tz: asked.tz ?? tz,
    label,
    frame,
    ...(frameText === undefined ? {} : { frameText }),
    jitterS: asked.jitter_s ?? 0,
    overlap: asked.overlap ?? "skip",
    catchUp: asked.catch_up ?? "last",
    catchUpWindowS: asked.catch_up_window_s ?? 3600,
    from: asked.from ?? null,
    until: asked.until ?? null,
    paused: asked.paused ?? false,
    ...(Object.keys(flowIn(asked)).length === 0 ? {} : { flow: flowIn(asked) }),
  };
}

/** `Cr label expr…` in the order of the program; `S name cron "expr"` starts the entry. */
function declaredSchedules({ declarations, entry, labels }: Ir, issues: RequestIssue[]): readonly Declared[] {
  const isLabel = (id: string): boolean => Object.hasOwn(labels, id);
  return declarations.flatMap(({ op, slots, line, settings }) => {
    const [first = "", second, third] = slots;
    if (op === "Cr") {
      const label = resolveReference(first, isLabel);
      return [{ cron: slots.slice(1).join(" "), label, line, asked: writtenSettings(settings, line, issues) }];
    }
    if (op === "S" && second === "cron" && third !== undefined && entry !== null)
      return [{ cron: third, label: entry, line, asked: {} }];
    return [];
  });
}

/** Problems of what the program itself sets are at its line. */
function writtenSettings(settings: JsonObject | undefined, line: number, issues: RequestIssue[]): AskedSchedule {
  if (settings === undefined) return {};
  const found: RequestIssue[] = [];
  const asked = readAsked(withFrameText(settings), "", found);
  for (const { path, code, message } of found)
    issues.push({ path: "", code, message: `line ${line}: ${path.slice(1)}: ${message}` });
  return asked;
}

/** `frame_text` is the text of `frame`, where that says more; what IR from outside says otherwise is refused like any member that is not known. */
function withFrameText(settings: JsonObject): JsonObject {
  const { frame_text: text, ...rest } = settings;
  if (typeof text !== "string") return settings;
  try {
    const frame = readExactly(text);
    return canonicalJson(frame) === canonicalJson(rest["frame"] ?? null) ? { ...rest, frame } : settings;
  } catch {
    return settings;
  }
}

function labelOf(ir: Ir, written: string | null | undefined, path: string, issues: RequestIssue[]): string | null {
  if (written === undefined || written === null) return ir.entry;
  const id = resolveReference(written, (one) => Object.hasOwn(ir.labels, one));
  if (Object.hasOwn(ir.labels, id)) return id;
  const near = nearest(id, Object.keys(ir.labels));
  const hint = near === null ? "" : `; did you mean ${labelName(ir, near)}?`;
  issues.push({ path, code: "unknown_label", message: `the label of the schedule does not exist${hint}` });
  return null;
}

function* problemsOf(spec: ScheduleSpec, path: string, now: number): Task<readonly RequestIssue[]> {
  const { id, tz, from, until, jitterS } = spec;
  const issue = (member: string, message: string): readonly RequestIssue[] => [
    { path: path === "" ? "" : `${path}/${member}`, code: "value", message: `schedule ${id}: ${message}` },
  ];
  if (!isTimeZone(tz)) return [{ ...unknownZone(path === "" ? "/tz" : `${path}/tz`, tz) }];
  if (timesOf(spec) === null)
    return issue("cron", "the expression is not a cron line of five fields, or a word such as @hourly");
  if (from !== null && until !== null && until <= from) return issue("until", "until must be after from");
  if (nextTime(spec, now) === null) return issue("cron", "the expression has no next time");
  const distance = jitterS === 0 ? null : yield* shortestDistance(spec, now);
  if (distance !== null && jitterS * 1000 * 2 > distance)
    return issue("jitter_s", "jitter_s must be at most half of the shortest distance between two times");
  return [];
}

/** Every run of the schedule would be refused: its frame is not what the program takes. */
function inputProblems(
  ir: Ir,
  { frame, strict }: SchedulesAsked["settings"],
  spec: ScheduleSpec,
  path: string,
): readonly RequestIssue[] {
  const label = resolveReference(spec.label, (id) => Object.hasOwn(ir.labels, id));
  if (strict === false || ir.labels[label]?.python === undefined) return [];
  const given: { [name: string]: Json } = { ...withDefaults(frame ?? {}, frameOf(spec)) };
  for (const { name } of inputsByRun(ir)(label)) if (SET_BY_SCHEDULES.has(name)) given[name] = "";
  const { problems } = inputCheckOf(ir, label)?.(given) ?? { problems: [] };
  return problems.map((problem) => ({
    path: path === "" ? "" : `${path}/frame`,
    code: problem.code,
    message: `schedule ${spec.id}: input ${problem.path.slice(1)}: ${problem.message}`,
  }));
}

function unknownZone(path: string, tz: string): RequestIssue {
  const shown = tz.slice(0, 64).replace(/[^\w/+-]/g, "?");
  return { path, code: "value", message: `unknown time zone '${shown}'; use an IANA name such as Europe/Berlin` };
}
