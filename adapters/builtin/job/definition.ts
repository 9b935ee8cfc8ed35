/** The adapter `job`: a program starts jobs of deployed programs and waits for them (docs/adapters/job.md). */
import { createHash } from "node:crypto";
import { readSpan } from "../../../compiler/catalog/time-span.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { ChildAsked, FamilyDesk, MemberEnd } from "../../../vm/durable/families.ts";
import { NO_USE } from "../../../vm/usage.ts";
import { isStorable, STORABLE } from "../../../vm/values/storable-text.ts";
import { anyJson, arg, defineAdapter, setting, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { cannotWait } from "../timer/waiting.ts";
import { runSharing } from "./sharing.ts";
import { NEEDS_JOB, tooLate, waited } from "./waiting.ts";

const settings = {
  programs: z
    .array(z.string())
    .readonly()
    .default([])
    .meta({ merge: "intersect", fold: "exact", admits: ["program"] })
    .describe("deployments of which jobs may be started; none without it"),
  max_child_jobs: setting.most(100, 10_000).describe("jobs of one family, without the one that began it"),
  max_child_depth: setting.most(5, 20).describe("jobs that start each other, one inside the other"),
};
const verb = verbsFor<typeof settings>();
type Settings = {
  readonly programs: readonly string[];
  readonly max_child_jobs: number;
  readonly max_child_depth: number;
};

/** A wait has no time limit of its own: it is as long as it says. */
const UNBOUNDED_MS = 400 * 86_400_000;
const waiting = { timeoutMs: UNBOUNDED_MS, maxTimeoutMs: UNBOUNDED_MS } as const;
const MAX_WAITED = 100;

const starting = {
  effect: "io-write",
  kind: "write",
  determinism: "external",
  // The same call starts one job.
  idempotent: true,
  destructive: false,
} as const;
const reading = { effect: "io-read", kind: "read", determinism: "external" } as const;

const program = arg(
  "program",
  z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "the name of a deployment, such as monthly-report"),
  { role: "program" },
);
const inputs = arg("inputs", z.record(z.string(), anyJson()));
const timeout = z.union([z.number(), z.string()]).meta({ form: "span" }).optional();
const key = z.union([z.string().min(1).max(256).refine(isStorable, STORABLE), z.number()]).nullish();
const detach = z.boolean().default(false);
const share = z.enum(["own", "budget"]).nullish();
const id = arg("id", z.string().regex(/^[0-9a-f-]{1,64}$/, "the id that start gives"));

export const jobAdapter = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "job",
  version: "1.0.0",
  summary: "Starts jobs of deployed programs, and waits for them.",
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  destructive: false,
  durable: true,
  concurrent: true,
  maturity: "stable",
  settings,
  verbs: {
    run: verb({
      exact: true,
      ...starting,
      ...waiting,
      summary: "Starts a job and waits for its result; fails with ADAPTER_JOB_FAILED when the job does not succeed.",
      args: z.tuple([program, inputs]),
      options: z.strictObject({ key, timeout, detach, share }),
      result: anyJson(),
      examples: [],
      async run({ args: [name, given], options, settings, ctx }) {
        const span = spanOf(options.timeout);
        const family = familyOf(ctx);
        ctx.run.desk?.checkMayWait?.();
        const begin = (sharing?: ChildAsked["share"]): Promise<string> =>
          start(family, name, given as JsonObject, options, settings, ctx, sharing);
        if (options.share === "budget")
          return resultOf(...(await runSharing(begin, options.detach, span, family, ctx)));
        const job = await begin();
        if ((await firstOver([job], span, family, ctx)) !== null) return resultOf(job, await family.endOf(job));
        await family.cancel(job);
        throw tooLate(`the job ${job} took longer than its timeout, and is cancelled`, job);
      },
    }),
    start: verb({
      exact: true,
      ...starting,
      summary: "Starts a job and gives its id, for wait, status and cancel.",
      args: z.tuple([program, inputs]),
      options: z.strictObject({ key, detach }),
      result: z.string(),
      examples: [],
      run({ args: [name, given], options, settings, ctx }) {
        return start(familyOf(ctx), name, given as JsonObject, options, settings, ctx);
      },
    }),
    wait: verb({
      ...reading,
      ...waiting,
      summary: "Waits for the result of a job of the family; fails with ADAPTER_JOB_FAILED when it does not succeed.",
      args: z.tuple([id]),
      options: z.strictObject({ timeout }),
      result: anyJson(),
      examples: [],
      async run({ args: [job], options, ctx }) {
        const family = familyOf(ctx);
        if ((await firstOver([job], spanOf(options.timeout), family, ctx)) !== null)
          return resultOf(job, await family.endOf(job));
        throw tooLate(`the job ${job} is not over after the timeout`, job);
      },
    }),
    wait_any: verb({
      ...reading,
      ...waiting,
      summary: "Waits until one of several jobs of the family is over; when the time is over, id is null.",
      args: z.tuple([arg("ids", z.array(id).min(1).max(MAX_WAITED))]),
      options: z.strictObject({ timeout }),
      result: z.object({ id: z.string().nullable(), status: z.string().nullable() }),
      examples: [],
      async run({ args: [jobs], options, ctx }) {
        const family = familyOf(ctx);
        const first = await firstOver(jobs, spanOf(options.timeout), family, ctx);
        return { id: first, status: first === null ? null : (await family.status(first)).status };
      },
    }),
    status: verb({
      ...reading,
      summary: "How a job of the family stands.",
      args: z.tuple([id]),
      result: z.object({
        id: z.string(),
        program: z.string().nullable(),
        version: z.number().nullable(),
        status: z.string(),
        over: z.boolean(),
        error: z.string().nullable(),
        queued_at: z.string(),
        finished_at: z.string().nullable(),
      }),
      examples: [],
      run: ({ args: [job], ctx }) => familyOf(ctx).status(job),
    }),
    cancel: verb({
      ...starting,
      summary: "Cancels a job of the family; ok is false when it is over already.",
      args: z.tuple([id]),
      result: z.object({ ok: z.boolean() }),
      examples: [],
      async run({ args: [job], ctx }) {
        return { ok: await familyOf(ctx).cancel(job) };
      },
    }),
    again: verb({
      exact: true,
      ...starting,
      summary: "Ends the run, and begins the next round of the job with other inputs and an empty journal.",
      args: z.tuple([inputs]),
      result: anyJson(),
      examples: [],
      async run({ args: [given], ctx }) {
        const family = familyOf(ctx);
        ctx.run.desk?.checkMayWait?.();
        const ended = new Promise<never>((_, reject) => {
          ctx.signal.addEventListener("abort", () => reject(adapterError("ADAPTER_CANCELLED", "the run has ended")));
        });
        return Promise.race([family.again(given as JsonObject, ctx.budget?.used() ?? NO_USE), ended]);
      },
    }),
  },
});

function familyOf({ run }: VerbContext): FamilyDesk {
  if (run.desk?.family === undefined) throw cannotWait(NEEDS_JOB);
  return run.desk.family;
}

type StartOptions = { readonly key?: string | number | null | undefined; readonly detach: boolean };

async function start(
  family: FamilyDesk,
  name: string,
  given: JsonObject,
  { key: asked, detach }: StartOptions,
  { programs, max_child_jobs, max_child_depth }: Settings,
  ctx: VerbContext,
  share?: ChildAsked["share"],
): Promise<string> {
  if (!programs.includes(name))
    throw adapterError("ADAPTER_NOT_ALLOWED", "the program is not on job.programs, which names what may be started");
  return family.start({
    ...{ program: name, inputs: given, detach, maxJobs: max_child_jobs, maxDepth: max_child_depth },
    key: asked == null ? placeKey(ctx) : `key ${asked}`,
    ...(share === undefined ? {} : { share }),
  });
}

/** Without a key of the program's own, the call itself is one: its place in the run, and how often that was visited. */
function placeKey({ callId }: VerbContext): string {
  return `call ${createHash("sha256").update(callId, "utf8").digest("base64url")}`;
}

/** Null: none of them was over in time. */
async function firstOver(
  jobs: readonly string[],
  span: number | null,
  family: FamilyDesk,
  ctx: VerbContext,
): Promise<string | null> {
  const before = await family.firstOver(jobs);
  if (before !== null || span === 0) return before;
  await waited(jobs, span, ctx);
  return family.firstOver(jobs);
}

function resultOf(job: string, { status, result, failure }: MemberEnd): Json {
  if (failure === null) return result;
  const { error, code, message, isUnknown } = failure;
  throw adapterError("ADAPTER_JOB_FAILED", `the job ${job} ended as ${status} (${code ?? error})`, {
    data: { job_id: job, status, error, code, message, ...(isUnknown ? { outcome: "unknown" } : {}) },
  });
}

/** Milliseconds; null: as long as it takes. */
function spanOf(given: number | string | undefined): number | null {
  if (given === undefined) return null;
  const span = readSpan(given);
  if (span === null)
    throw adapterError("ADAPTER_BAD_ARGS", "timeout is a number of seconds, or text such as 3d, of a year at most");
  return span;
}
