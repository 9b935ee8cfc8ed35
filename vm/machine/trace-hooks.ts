/**
 * The machine's side of the trace: the `Visit` and `Leave` instructions of the traced variant, and the events of failures.
 * In that variant every label is a routine, so each record has one visit under way.
 */

import type { Json } from "../../compiler/json.ts";
import { isShown } from "../../grammar/text/written-label.ts";
import { Mark } from "../memory/accounting.ts";
import { operand } from "../memory/containers.ts";
import type { RunError } from "../run.ts";
import { thousandths } from "../values/durations.ts";
import { Rec } from "./control-stack.ts";
import type { Machine } from "./machine.ts";
import type { TracedVisit } from "./options.ts";
import { setNames } from "./outcome.ts";

/** Filled member by member: spreading one object after the other into a new one took most of the time of a traced run. */
type Members = { [member: string]: Json };

/** `Visit y`: a node begins. */
export function visit(m: Machine, pc: number): void {
  m.traced[m.sp / Rec.Words] = { site: m.tables.code[pc + 1] as number, start: m.elapsed(), reported: false };
}

/** `Leave y a x`: a node has done its work. */
export function leave(m: Machine, pc: number): void {
  const { code, aux } = m.tables;
  const current = m.traced[m.sp / Rec.Words];
  const sink = m.options.trace;
  if (current === undefined || sink === null) return;
  current.reported = true;
  const value = operand(m, pc + 2);
  const slot = code[pc + 2] as number;
  if (m.OWN[slot] === Mark.Owned) m.OWN[slot] = Mark.None;
  const step = place(m, current);
  step["depth"] = m.CS[m.sp + Rec.Base] as number;
  step["out"] = value;
  if (sink.wantsFrameKeys) step["frame_keys"] = setNames(m).filter(isShown);
  const edge = aux[code[pc + 3] as number];
  if (edge?.kind === "edge") {
    const { port, to_kind, to, condition } = edge;
    if (port !== null) {
      step["port_taken"] = port;
      step["edge_taken"] = { port, to_kind, to };
    }
    if (condition !== null) step["branch"] = { port: port ?? "none", condition };
  }
  const site = m.tables.sites[current.site];
  if (site?.op === "Loop" || site?.op === "While") {
    const register = (m.CS[m.sp + Rec.LoopBase] as number) + Math.max(0, site.loop);
    step["iterations"] = m.positions[register] ?? 0;
  }
  if ((site?.op === "Each" || site?.op === "Par") && Array.isArray(value)) step["branches"] = value.length;
  sink.push("step", step);
}

function place(m: Machine, current: TracedVisit): Members {
  const site = m.tables.sites[current.site];
  return {
    label: site?.label ?? "",
    node_id: site?.id ?? "",
    op: site?.op ?? "",
    lineno: site?.line ?? null,
    step: (site?.position ?? 0) + (m.CS[m.sp + Rec.Repeats] as number),
    start_ms: thousandths(current.start),
    duration_ms: thousandths(m.elapsed() - current.start),
  };
}

/** The error event of the visit under way in the innermost record. */
export function traceError(m: Machine, error: RunError, handler: string | null): void {
  const current = m.traced[m.sp / Rec.Words];
  if (m.options.trace === null || current === undefined || current.reported) return;
  current.reported = true;
  const event = place(m, current);
  event["code"] = error.code;
  event["message"] = error.message;
  event["handler"] = handler;
  m.options.trace.push("error", event);
}

export function traceRetry(m: Machine, siteIndex: number, attempt: number, count: number, delay: number): void {
  const site = m.tables.sites[siteIndex];
  m.options.trace?.push("retry", {
    label: site?.label ?? "",
    node_id: site?.id ?? "",
    op: site?.op ?? "",
    lineno: site?.line ?? null,
    attempt,
    count,
    delay_ms: delay,
  });
}

/** A run that ends in the middle: every visit under way has its error event, innermost first. */
export function traceUnfinished(m: Machine, error: RunError): void {
  if (m.options.trace === null) return;
  const top = m.sp;
  for (; m.sp >= 0; m.sp -= Rec.Words) traceError(m, error, null);
  m.sp = top;
}
