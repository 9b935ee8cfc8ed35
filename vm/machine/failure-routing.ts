/**
 * Where a failure goes: Retry, handler, or up to the node that entered the failed label; and the error object that
 * describes it (docs/runtime.md, errors). Labels with Err or Retry are routines, so a record is an activation wherever
 * either matters.
 */

import { Fixed } from "../../compiler/bytecode/program.ts";
import { causeOf } from "../calls/call-errors.ts";
import { BranchFailed, branchFailure } from "../errors/branch-failures.ts";
import { RUNTIME_CODES } from "../errors/error-codes.ts";
import { errorInfo } from "../errors/error-info.ts";
import { handlerRecursionFailure } from "../errors/fatal-failures.ts";
import { bookValue } from "../memory/accounting.ts";
import { closeFrame } from "../memory/frames.ts";
import type { RunError } from "../run.ts";
import { CallFailure } from "./call-checks.ts";
import { opensFrame, Rec, RecordKind, routineOf } from "./control-stack.ts";
import { checkWait } from "./host-calls.ts";
import type { Machine } from "./machine.ts";
import { pauseLeft, readPlan, retryDelay } from "./retry.ts";
import type { Routed } from "./slices/stop.ts";
import { loopEnd } from "./slow-paths.ts";
import { traceError, traceRetry, traceUnfinished } from "./trace-hooks.ts";

/** Sends what was thrown at `m.pc` on its way. */
export function route(m: Machine, thrown: unknown): Routed {
  if (m.executor !== null) return m.executor.route(thrown);
  const { site_at, refund_at } = m.tables;
  const own = site_at[m.pc] as number;
  const site = m.failedSite >= 0 ? m.failedSite : (m.refused?.site ?? own);
  if (!m.stalled && site === own && m.failedSite < 0) m.fuel += refund_at[m.pc] as number;
  const error =
    thrown instanceof BranchFailed
      ? branchFailure(thrown.error, thrown.branch, thrown.failed, labelStack(m, site))
      : describe(m, thrown, site);
  if (RUNTIME_CODES[error.code].class !== "ordinary" || m.stalled) return ended(m, error);
  try {
    return routeOrdinary(m, error, site);
  } catch (fatal) {
    // It belongs to the node whose Retry or handler was tried.
    return ended(m, describe(m, fatal, m.failedSite));
  }
}

function ended(m: Machine, error: RunError): 3 {
  m.error = error;
  traceUnfinished(m, error);
  return 3;
}

function routeOrdinary(m: Machine, error: RunError, failed: number): Routed {
  const { sites } = m.tables;
  let innermost = true;
  for (let at = failed; ; innermost = false) {
    let site = at;
    while ((sites[site]?.parent ?? -1) >= 0) site = sites[site]?.parent ?? -1;
    const repeated = repeat(m, error, site, innermost && site === failed);
    if (repeated !== 0) return repeated;
    if (handle(m, error, site)) return -1;
    traceError(m, error, null);
    // A failing handler ends the activation it was handling too.
    while (m.CS[m.sp + Rec.Kind] === RecordKind.Handler) m.sp -= Rec.Words;
    if (m.CS[m.sp + Rec.Kind] === RecordKind.Root) return ended(m, error);
    const callPc = m.CS[m.sp + Rec.CallPc] as number;
    at = m.tables.site_at[callPc] as number;
    if (opensFrame(m, callPc)) closeFrame(m);
    m.plans[m.sp] = null;
    m.sp -= Rec.Words;
  }
}

/** 0: the node is not repeated. `own`: the failure is the node's own, not that of a label it entered. */
function repeat(m: Machine, error: RunError, site: number, own: boolean): 0 | -1 | 1 {
  const { sites, retries } = m.tables;
  const retry = retries[sites[site]?.retry ?? -1];
  if (retry === undefined || error.data["retryable"] !== true) return 0;
  m.failedSite = site;
  let plan = m.plans[m.sp] ?? null;
  if (plan === null || plan.site !== site) plan = readPlan(m, site, retry);
  m.plans[m.sp] = plan;
  if (plan.made >= plan.count) {
    m.failedSite = -1;
    return 0;
  }
  plan.made += 1;
  if (!own) restoreItem(m, site);
  const delay = retryDelay({ ...plan, strategy: retry.strategy }, error.data["retry_after_ms"]);
  checkWait(m, delay);
  m.failedSite = -1;
  traceError(m, error, null);
  traceRetry(m, site, plan.made, plan.count, delay);
  m.CS[m.sp + Rec.Repeats] = (m.CS[m.sp + Rec.Repeats] as number) + 1;
  m.pc = m.tables.site_pc[site] as number;
  m.owed = m.tables.site_charge[site] as number;
  m.revisited = site;
  const { label = "", id: node = "" } = sites[site] ?? {};
  const left = pauseLeft(m, { label, node, attempt: plan.made }, delay);
  if (left === 0) return -1;
  m.pending = { kind: "wait", ms: left, due: m.elapsed() + left, then: "retry", pc: m.pc };
  return 1;
}

/** A Loop that is repeated starts with its item variable as it was. */
function restoreItem(m: Machine, site: number): void {
  const loop = m.tables.sites[site]?.loop ?? -1;
  if (loop < 0 || m.tables.sites[site]?.op !== "Loop") return;
  const register = (m.CS[m.sp + Rec.LoopBase] as number) + loop;
  if (m.live[register] !== 1) return;
  const item = m.tables.sites[site]?.item ?? -1;
  if (item >= 0) loopEnd(m, item, register);
}

/** Enters the handler that protects `site`, if there is one. */
function handle(m: Machine, error: RunError, site: number): boolean {
  const { sites, handlers, routines } = m.tables;
  const handler = handlers[sites[site]?.handler ?? -1];
  if (handler === undefined) return false;
  m.failedSite = site;
  if (labelStack(m, site).includes(handler.label)) throw handlerRecursionFailure(handler.label);
  bookValue(m, Fixed.Error, error.message);
  bookValue(m, Fixed.ErrorInfo, errorInfo(error));
  const depth = (m.CS[m.sp + Rec.Base] as number) + 1;
  if (depth > m.deepest) {
    m.refused = { label: handler.label, site };
    const from = sites[site];
    throw m.depthFailure(from === undefined ? {} : { from: { label: from.label, node: from.id, op: from.op } });
  }
  m.depth = Math.max(m.depth, depth);
  m.failedSite = -1;
  traceError(m, error, handler.label);
  const loops = routines[routineOf(m, m.sp)]?.loops ?? 0;
  const loopBase = (m.CS[m.sp + Rec.LoopBase] as number) + loops;
  push(m, site, handler.routine, depth, loopBase);
  m.pc = routines[handler.routine]?.pc ?? 0;
  m.owed = routines[handler.routine]?.charge ?? 0;
  m.revisited = -1;
  return true;
}

function push(m: Machine, site: number, routine: number, depth: number, loopBase: number): void {
  m.sp += Rec.Words;
  if (m.sp + Rec.Words > m.CS.length) {
    const grown = new Int32Array(m.CS.length * 2);
    grown.set(m.CS);
    m.CS = grown;
  }
  m.CS.set([RecordKind.Handler, site, routine, depth, loopBase, 0], m.sp);
  m.plans[m.sp] = null;
}

/** Labels from the entry to the one that holds `site`. */
function labelStack(m: Machine, site: number): string[] {
  const { sites, site_at, routines } = m.tables;
  const stack: string[] = [];
  let inner = site;
  for (let sp = m.sp; ; sp -= Rec.Words) {
    const chain: string[] = [];
    for (let at = inner; at >= 0; at = sites[at]?.parent ?? -1) chain.push(sites[at]?.label ?? "");
    if (chain.length === 0) chain.push(routines[routineOf(m, sp)]?.label ?? "");
    stack.push(...chain);
    if (m.CS[sp + Rec.Kind] === RecordKind.Root) return stack.reverse();
    inner = m.CS[sp + Rec.Kind] === RecordKind.Handler ? -1 : (site_at[m.CS[sp + Rec.CallPc] as number] as number);
  }
}

/** The error object of what was thrown at `site` (-1: before the first node). A defect is thrown on. */
export function describe(m: Machine, thrown: unknown, site: number): RunError {
  if (m.executor !== null) return m.executor.describe(thrown);
  const cause = thrown instanceof CallFailure ? thrown.failure : causeOf(thrown);
  if (cause === null) throw thrown;
  const visited = m.tables.sites[site];
  const stack = labelStack(m, site);
  const line = visited?.line ?? null;
  const file = visited?.file ?? null;
  const refused = m.refused;
  m.refused = null;
  if (cause.code === "RUNTIME_MAX_DEPTH" && refused !== null) {
    const { label } = refused;
    return errorAt(cause, { label, node: null, op: "CALL", line, file, step_index: 0, stack: [...stack, label] });
  }
  const repeats = visited?.parent === -1 ? (m.CS[m.sp + Rec.Repeats] as number) : 0;
  return errorAt(cause, {
    label: visited?.label ?? m.tables.routines[routineOf(m, m.sp)]?.label ?? m.program.entry,
    node: visited?.id ?? null,
    op: visited?.op ?? null,
    line,
    file,
    step_index: visited === undefined ? 0 : visited.position + repeats,
    stack,
  });
}

type Place = Pick<RunError, "label" | "node" | "op" | "line" | "step_index" | "stack"> & {
  readonly file: string | null;
};

/** Member by member: spreading took longer than everything else a failure costs. */
function errorAt({ code, message, data }: Pick<RunError, "code" | "message" | "data">, place: Place): RunError {
  const { label, node, op, line, file, step_index, stack } = place;
  if (file === null) return { code, message, label, node, op, line, step_index, stack, data };
  return { code, message, label, node, op, line, file, step_index, stack, data };
}
