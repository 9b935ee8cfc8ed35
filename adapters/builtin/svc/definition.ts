/**
 * The svc adapter: health and guarded life cycle of services that the operator named (docs/adapters/svc.md). This file declares
 * its verbs; probes, verdicts and actions are in the other files of this folder.
 */
import { setTimeout as delay } from "node:timers/promises";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { arg, defineAdapter, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { within } from "../../engine/deadline.ts";
import { adapterError } from "../../errors.ts";
import { type ActionResult, act, grantedAction } from "./actions.ts";
import { ServiceHealth, type Status } from "./health.ts";
import { ACTIONS, type ActionName, type Service, type SvcSettings, serviceOf, svcSettings } from "./settings.ts";
import { type Health, works } from "./verdict.ts";

/** Between two looks at a service that is being waited for. */
const LOOK_EVERY_MS = 250;
const MAX_TIMEOUT_S = 120;

type Instance = {
  readonly health: ServiceHealth;
  /** The last status of each service in this run. */
  readonly known: Map<string, Status>;
};

const verb = verbsFor<typeof svcSettings, Instance>();

const name = arg("name", z.string());
const seconds = z.number().positive().max(MAX_TIMEOUT_S);
const probe = z.strictObject({
  kind: z.string(),
  ok: z.boolean(),
  latency_ms: z.number(),
  error: z.string().nullable(),
});
const status = z.strictObject({
  ok: z.boolean(),
  status: z.enum(["up", "degraded", "down", "unknown"]),
  latency_ms: z.number().nullable(),
  error: z.string().nullable(),
  checked_at: z.iso.datetime(),
  probes: z.array(probe),
});

const shared = {
  kind: "http",
  determinism: "external",
  timeoutMs: 10_000,
  maxTimeoutMs: MAX_TIMEOUT_S * 1000,
} as const;
const reading = { ...shared, effect: "io-read" } as const;

const EXAMPLE: Status = {
  ok: true,
  status: "up",
  latency_ms: 12,
  error: null,
  checked_at: "2030-01-01T00:00:00.000Z",
  probes: [{ kind: "http", ok: true, latency_ms: 12, error: null }],
};

function actionVerb(action: ActionName, summary: string) {
  return verb({
    ...shared,
    summary,
    effect: "io-write",
    idempotent: "keyed",
    args: z.tuple([name]),
    options: z.strictObject({
      reason: z.string().max(1000).optional(),
      wait_s: z.number().nonnegative().max(MAX_TIMEOUT_S).default(0),
      timeout_s: seconds.optional(),
      idempotency_key: z.string().min(1).max(1024).optional(),
    }),
    result: z.strictObject({
      ok: z.boolean(),
      action: z.enum(ACTIONS),
      exit_code: z.number().nullable(),
      duration_ms: z.number(),
    }),
    errors: ["ADAPTER_RATE_LIMITED", "ADAPTER_CONFLICT"],
    examples: [
      {
        source: `R svc.${action} "web" {"reason": "nightly"} ->done`,
        result: { ok: true, action, exit_code: 0, duration_ms: 350 },
      },
    ],
    run({ args: [name], options, settings, instance, ctx }) {
      const granted = grantedAction(settings, name, action);
      const wanted = action === "stop" ? "down" : "up";
      const settle = async (result: ActionResult): Promise<ActionResult> => {
        if (!result.ok || options.wait_s === 0) return result;
        return { ...result, ok: await reachedWithin(options.wait_s * 1000, wanted, granted.service, instance, ctx) };
      };
      return act(granted, settle, ctx);
    },
  });
}

export const svcAdapter = defineAdapter<typeof svcSettings, Instance>({
  apiVersion: 1,
  concurrent: true,
  name: "svc",
  version: "1.0.0",
  summary: "Health and guarded life cycle of services that the operator named.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["http", "process", "store"],
  settings: svcSettings,
  verbFallback: "status",
  open: ({ settings, host }) => ({ health: new ServiceHealth(settings, host), known: new Map() }),
  close: ({ health }) => health.close(),
  verbs: {
    status: verb({
      ...reading,
      summary: "How a service is; svc.<name> means the same.",
      args: z.tuple([name]),
      options: z.strictObject({ timeout_s: seconds.optional(), max_age_s: z.number().nonnegative().default(0) }),
      result: status,
      errors: ["ADAPTER_NOT_FOUND"],
      examples: [
        { source: 'R svc.status "web" ->s', result: EXAMPLE },
        { source: "R svc.web ->s", result: EXAMPLE },
      ],
      async run({ args: [name], options, settings, instance, ctx }) {
        const service = namedService(settings, name);
        const known = instance.known.get(name);
        if (known !== undefined && awayMs(known.checked_at, ctx) < options.max_age_s * 1000) return known;
        const answer = await instance.health.status(service, ctx);
        instance.known.set(name, answer);
        return answer;
      },
    }),
    list: verb({
      ...reading,
      summary: "The services that may be asked for, by name.",
      args: z.tuple([]),
      result: z
        .array(z.strictObject({ name: z.string(), probes: z.array(z.string()), actions: z.array(z.enum(ACTIONS)) }))
        .describe("`[{name, probes, actions}]` of the services that may be asked for"),
      examples: [{ source: "R svc.list ->all", result: [{ name: "web", probes: ["http"], actions: ["restart"] }] }],
      run: ({ settings }) => listed(settings),
    }),
    wait: verb({
      ...reading,
      summary: "Waits until a service is up, or down.",
      args: z.tuple([name]),
      options: z.strictObject({ status: z.enum(["up", "down"]).default("up"), timeout_s: seconds.default(30) }),
      result: status,
      errors: ["ADAPTER_NOT_FOUND"],
      examples: [{ source: 'R svc.wait "web" {"timeout_s": 60} ->s', result: EXAMPLE }],
      async run({ args: [name], options, settings, instance, ctx }) {
        const service = namedService(settings, name);
        return reached(options.status, service, instance, ctx, ctx.signal);
      },
    }),
    start: actionVerb("start", "Starts a service."),
    stop: actionVerb("stop", "Stops a service."),
    restart: actionVerb("restart", "Stops a service and starts it again."),
  },
});

function namedService(settings: SvcSettings, name: string): Service {
  const service = serviceOf(settings, name);
  if (service === undefined) throw adapterError("ADAPTER_NOT_FOUND", "no service of this name may be asked for");
  return service;
}

function listed(settings: SvcSettings) {
  const names = Object.keys(settings.services).sort();
  return names.flatMap((name) => {
    const service = serviceOf(settings, name);
    if (service === undefined) return [];
    const actions = ACTIONS.filter((action) => settings.allow_actions && service.actions[action] !== undefined);
    return [{ name, probes: service.probes.map(({ kind }) => kind), actions }];
  });
}

/** The first status that is as wanted. Ends with the signal otherwise. */
async function reached(
  wanted: "up" | "down",
  service: Service,
  { health }: Instance,
  ctx: VerbContext,
  signal: AbortSignal,
): Promise<Status> {
  for (;;) {
    const answer = await health.status(service, ctx);
    if (wanted === "up" ? works(answer.status) : answer.status === ("down" satisfies Health)) return answer;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function reachedWithin(
  ms: number,
  wanted: "up" | "down",
  service: Service,
  instance: Instance,
  ctx: VerbContext,
): Promise<boolean> {
  try {
    await within(ms, ctx.signal, (signal) => reached(wanted, service, instance, ctx, signal));
    return true;
  } catch (thrown) {
    if (thrown instanceof AdapterError && thrown.code === "ADAPTER_TIMEOUT") return false;
    throw thrown;
  }
}

/** Either way: what was checked by a clock that was set back since is as old as that. */
function awayMs(checkedAt: string, ctx: VerbContext): number {
  return Math.abs(ctx.now() - Date.parse(checkedAt));
}
