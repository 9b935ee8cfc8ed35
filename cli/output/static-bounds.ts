/** What is known of a program before a run, as text: ranges, loops, and what stays unknown with its place and reason. */
import type { Place } from "../../compiler/ir/unbounded.ts";
import type { LoopBound, ReportSummary, Unknown, Wait } from "../../compiler/policy/report-shape.ts";
import type { StepNames } from "./step-names.ts";
import { grouped, table } from "./terminal/table.ts";

export function boundText(least: number, most: number | null): string {
  if (most === null) return `${grouped(least)} to unbounded`;
  return least === most ? grouped(most) : `${grouped(least)} to ${grouped(most)}`;
}

/** `2`, `unbounded` */
export const mostText = (most: number | null): string => (most === null ? "unbounded" : grouped(most));

/** `L1 n2 Loop 3, L4 n1 While 100` */
export function loopsText(loops: readonly LoopBound[], names: StepNames): string {
  return loops
    .map((one) => `${names.step(one.label, one.node_id)} ${one.op} ${mostText(one.max_iterations)}${atOnceText(one)}`)
    .join(", ");
}

function atOnceText({ branches_at_once: atOnce }: LoopBound): string {
  return atOnce === undefined ? "" : ` (${atOnce} at once)`;
}

/** `L1 n2 signal delivered, lost (14d)`; without a literal time-out `unbounded`. */
export function waitsText(waits: readonly Wait[], names: StepNames): string {
  return waits
    .map((wait) => {
      const awaited = wait.computed ? "computed" : wait.names.join(", ");
      const longest =
        wait.longest_s === null ? (wait.bounded ? "until a time" : "unbounded") : spanText(wait.longest_s);
      return `${names.step(wait.label, wait.node_id)} ${wait.adapter}${awaited === "" ? "" : ` ${awaited}`} (${longest})`;
    })
    .join("; ");
}

/** The two largest units: `1d 12h`. */
function spanText(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["m", 60],
    ["s", 1],
  ] as const;
  let left = seconds;
  const parts = units.flatMap(([unit, size]) => {
    const count = unit === "s" ? Math.round(left * 1000) / 1000 : Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count}${unit}`] : [];
  });
  return parts.slice(0, 2).join(" ") || "0s";
}

type Reach = Pick<
  ReportSummary,
  "egress" | "files" | "tables" | "tools" | "modules" | "queues" | "models" | "environment"
>;
type Target = (typeof TARGETS)[number];
const TARGETS = ["hosts", "files", "tables", "tools", "modules", "queues", "models", "environment"] as const;

/** Each kind of target that the program has, with the names in it: `["hosts", "api.example.com, computed"]`. */
export function placesText(reach: Reach & { readonly unknown: readonly Unknown[] }): (readonly [Target, string])[] {
  return TARGETS.flatMap((target) => {
    const text = targetText(reach, target);
    return text === "none" ? [] : [[target, text] as const];
  });
}

/** `a.example, computed`; `none` when it certainly reaches nothing. */
export function targetText(reach: Reach & { readonly unknown: readonly Unknown[] }, target: Target): string {
  const names = namesOf(reach, target);
  const what = target === "files" ? "paths" : target;
  const open = reach.unknown.some((one) => one.what === what || one.what === "adapters");
  return [...names, ...(open ? ["computed"] : [])].join(", ") || "none";
}

function namesOf(reach: Reach, target: Target): readonly string[] {
  switch (target) {
    case "hosts":
      return reach.egress.hosts;
    case "files":
      return reach.files.paths;
    case "models":
      return reach.models.flatMap(({ model, max_calls: most }) =>
        model === null ? [] : [`${model} (calls: ${mostText(most)})`],
      );
    default:
      return reach[target];
  }
}

/** A heading and one row for each; nothing when everything is known. */
export function unknownLines(unknown: readonly Unknown[], names: StepNames, width: number): string[] {
  if (unknown.length === 0) return [];
  const rows = unknown.map((one) => [
    `  ${one.what.replace("_", " ")}`,
    names.nextToLine(one.label, one.node_id),
    lineText(one),
    one.reason,
  ]);
  return ["Known only by a run", ...table(rows, width)];
}

/** `line 3`, `lib.wf line 3`; nothing when the program came without lines. */
export function lineText({ file, line }: Pick<Place, "file" | "line">): string {
  if (line === undefined) return "";
  return file === undefined ? `line ${line}` : `${file} line ${line}`;
}
