/**
 * Reads of what a caught failure has not (WF9032): `_error.message`, where `_error` is the message itself, and members that `_error_info`
 * never has. Programs that write these variables themselves, or are given them, may have put anything there.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import { listed } from "../../grammar/text/english.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import type { Read } from "../lower/lowered.ts";
import type { CompileOptions } from "../options.ts";
import type { ProgramView } from "./program-view.ts";
import { writtenBy } from "./variables/flow-graph.ts";

/** In the order of docs/runtime.md, errors; a test compares them with what the runtime writes. */
export const ERROR_INFO_MEMBERS: readonly string[] = [
  "code",
  "message",
  "label",
  "node",
  "op",
  "line",
  "step_index",
  "adapter",
  "verb",
  "adapter_code",
  "retryable",
  "details",
];

const MEMBER = /^\$?(_error(?:_info)?)(?:\.([^.[]+)|\[(?:"([^"]*)"|'([^']*)'|([0-9]+))\])/;

export function checkErrorMembers(view: ProgramView, { inputs }: CompileOptions): Finding[] {
  const { labels, modules, inputs: declared } = view.program;
  if (!modules.some(({ file }) => file.text.includes("_error"))) return [];
  const own = new Set([...(inputs ?? []), ...declared.keys()]);
  const findings: Finding[] = [];
  for (const { id: label_id, steps } of labels) {
    for (const lowered of steps) {
      if (lowered.step.op !== "Err") for (const name of writtenBy(lowered)) own.add(name);
      for (const read of lowered.reads) {
        const finding = read.slot === "key" ? null : findingOf(read);
        if (finding !== null) findings.push({ ...finding, label_id, node_id: lowered.node?.id ?? null });
      }
    }
  }
  return findings.filter(({ words }) => !own.has(words?.["root"] ?? ""));
}

function findingOf({ text, span }: Read): Finding | null {
  const [start, root = "", ...spellings] = MEMBER.exec(text) ?? [];
  const member = spellings.find((spelling) => spelling !== undefined);
  if (start === undefined || member === undefined) return null;
  if (root === "_error_info" && ERROR_INFO_MEMBERS.includes(member)) return null;
  const near = ERROR_INFO_MEMBERS.includes(member) ? member : nearest(member, ERROR_INFO_MEMBERS);
  const dollar = text.startsWith("$") ? "$" : "";
  const place = { code: "WF9032", span, words: { root, member } };
  if (near === null)
    return { ...place, suggestion: `_error is the message; _error_info has ${listed(ERROR_INFO_MEMBERS)}`, fix: null };
  const new_text = `${dollar}_error_info.${near}${text.slice(start.length)}`;
  return {
    ...place,
    suggestion: `write ${dollar}_error_info.${near}${near === "message" ? `, or ${dollar}_error, which is the message` : ""}`,
    fix: { title: `write ${dollar}_error_info.${near}`, edits: [{ span, new_text }] },
  };
}
