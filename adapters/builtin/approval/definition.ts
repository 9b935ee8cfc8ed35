/** The adapter `approval`: a program puts a question before people and waits for their decision (docs/approvals.md). */

import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import { noChoice } from "../../../vm/durable/approvals.ts";
import { anyJson, arg, defineAdapter, setting, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { cannotWait } from "../timer/waiting.ts";
import { approvalId, options, questionOf, timeoutSpan, title } from "./asking.ts";

const settings = {
  allow_to: setting.list("exact", ["approver"]).describe("who may be asked, as user:ann and group:leads"),
  max_open: setting.most(20, 1000).describe("questions of one job that are open at the same time"),
};
const verb = verbsFor<typeof settings>();

/** A wait has no time limit of its own: it is as long as it says. */
const UNBOUNDED_MS = 400 * 86_400_000;
const waiting = { timeoutMs: UNBOUNDED_MS, maxTimeoutMs: UNBOUNDED_MS } as const;
const asking = {
  effect: "io-write",
  kind: "write",
  determinism: "external",
  idempotent: "keyed",
  destructive: false,
} as const;

const decision = z.object({
  // The second list is that of questions without choices of their own, the last one of those without a decision.
  decision: z.string().meta({ choices: 'choices|"approve"|"reject"|+|"expired"|"cancelled"|"declined"' }),
  approved: z.boolean(),
  by: z.string().nullable(),
  comment: z.string().nullable(),
  data: anyJson(),
  at: z.string().nullable(),
  id: z.string(),
});
const id = arg("id", z.string().regex(/^[0-9a-f]{32}$/, "the id that open gives"));

export const approvalAdapter = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "approval",
  version: "1.0.0",
  summary: "Puts a question before people, and waits for their decision.",
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: false,
  destructive: false,
  durable: true,
  concurrent: true,
  maturity: "stable",
  settings,
  verbs: {
    ask: verb({
      exact: true,
      ...asking,
      ...waiting,
      summary: "Asks and waits; when the time is over, decision is expired.",
      args: z.tuple([arg("title", title)]),
      options,
      result: decision,
      examples: [],
      async run({ args: [text], options, settings, ctx }) {
        const asked = questionOf(text, options, settings.allow_to, ctx);
        const approval = approvalId(ctx);
        // An answer cannot come in no time.
        if (timeoutSpan(options.timeout) === 0) return noChoice(approval, "expired", null);
        const desk = deskOf(ctx);
        desk.checkMayWait?.();
        await desk.openApproval(approval, asked, settings.max_open);
        return waitFor({ kind: "approval", approval, until: null }, ctx);
      },
    }),
    open: verb({
      exact: true,
      ...asking,
      summary: "Asks without waiting, and gives an id for wait and cancel.",
      args: z.tuple([arg("title", title)]),
      options,
      result: z.string(),
      examples: [],
      async run({ args: [text], options, settings, ctx }) {
        const approval = approvalId(ctx);
        await deskOf(ctx).openApproval(approval, questionOf(text, options, settings.allow_to, ctx), settings.max_open);
        return approval;
      },
    }),
    wait: verb({
      ...waiting,
      summary: "Waits for the decision of a question that the run has opened.",
      effect: "io-read",
      kind: "read",
      determinism: "external",
      args: z.tuple([id]),
      options: z.strictObject({ timeout: z.union([z.number(), z.string()]).meta({ form: "span" }).optional() }),
      result: decision,
      examples: [],
      async run({ args: [approval], options: { timeout }, ctx }) {
        const span = timeoutSpan(timeout);
        if (!(await deskOf(ctx).hasApproval(approval))) throw notFound();
        const times = span === null ? { until: null } : { until: ctx.now() + span, span };
        return waitFor({ kind: "approval", approval, ...times }, ctx);
      },
    }),
    cancel: verb({
      ...asking,
      summary: "Takes back a question that the run has opened; ok is false when it is decided already.",
      idempotent: true,
      args: z.tuple([id]),
      result: z.object({ ok: z.boolean() }),
      examples: [],
      async run({ args: [approval], ctx }) {
        if (!(await deskOf(ctx).hasApproval(approval))) throw notFound();
        return { ok: await deskOf(ctx).cancelApproval(approval) };
      },
    }),
  },
});

const CANNOT_ASK =
  "people are asked by durable jobs: queue the program (wf jobs submit) at a service that keeps its jobs";

function deskOf({ run }: VerbContext) {
  if (run.desk === undefined) throw cannotWait(CANNOT_ASK);
  return run.desk;
}

function waitFor(spec: WaitSpec, { run }: VerbContext): unknown {
  const answer = run.wait?.(spec);
  if (answer === undefined) throw cannotWait(CANNOT_ASK);
  return answer;
}

function notFound(): Error {
  return adapterError("ADAPTER_NOT_FOUND", "this run has opened no question of that id");
}
