/**
 * Starting, stopping and restarting services. An action runs once for its key, and not again within the service's cool-down, for any
 * caller: a workflow that loops must not become a machine that restarts all day.
 */
import { join } from "node:path";
import type { VerbContext } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { beginningOf } from "../../engine/process/run.ts";
import type { Command } from "../../engine/process/service.ts";
import { adapterError } from "../../errors.ts";
import type { KeyValueStore } from "../../store/key-value.ts";
import { argsHash, type KeyedCall } from "../../store/ledger.ts";
import { ledgerOf, localStoresOf } from "../../store/stores.ts";
import { systemctl } from "./local-probes.ts";
import { type ActionDeclaration, type ActionName, type Service, type SvcSettings, serviceOf } from "./settings.ts";

const COOLDOWNS = "svc.cooldown";
const MAX_COOLDOWNS = 100_000;
const COOLDOWN_BYTES = 16 * 1024 * 1024;

export type ActionResult = {
  readonly ok: boolean;
  readonly action: ActionName;
  /** null: ended by a signal. */
  readonly exit_code: number | null;
  readonly duration_ms: number;
};

type GrantedAction = {
  readonly name: string;
  readonly action: ActionName;
  readonly service: Service;
  readonly command: Command;
};

/** The action as the operator declared it. Throws ADAPTER_NOT_ALLOWED for whatever is not granted. */
export function grantedAction(settings: SvcSettings, name: string, action: ActionName): GrantedAction {
  if (!settings.allow_actions) throw notGranted();
  const service = serviceOf(settings, name);
  const declared = service?.actions[action];
  if (service === undefined || declared === undefined) throw notGranted();
  return { name, action, service, command: commandOf(action, declared) };
}

function notGranted() {
  return adapterError("ADAPTER_NOT_ALLOWED", "the operator does not grant this action on this service");
}

function commandOf(action: ActionName, declared: ActionDeclaration): Command {
  return "argv" in declared ? { argv: declared.argv, env: ["PATH"] } : systemctl(action, "--", declared.systemd);
}

/** Runs the action unless its key has been used; `settle` has the last word on its result, before it is remembered. */
export async function act(
  granted: GrantedAction,
  settle: (result: ActionResult) => Promise<ActionResult>,
  ctx: VerbContext,
): Promise<ActionResult> {
  const { name, action } = granted;
  const ledger = ledgerOf(ctx.host);
  const keyed: KeyedCall = { scope: `svc.${action}`, key: ctx.idempotencyKey, argsHash: argsHash([name]) };
  const known = await ledger.begin(keyed, ctx);
  if (known.state === "done") return known.result as ActionResult;
  // Starting and stopping twice comes to the same; a second restart would interrupt the service again.
  if (known.state === "started" && action === "restart")
    throw adapterError("ADAPTER_CONFLICT", "the restart was begun before, and its outcome is not known", {
      data: { outcome: "unknown" },
    });
  const cooldown = new Cooldown(granted, ctx);
  try {
    await cooldown.begin();
  } catch (thrown) {
    if (known.state === "new") await ledger.abandon(keyed, ctx);
    throw thrown;
  }
  const started = await ctx.host.processes.start(granted.command, ctx.signal).catch(async (thrown: unknown) => {
    await cooldown.cancel();
    await ledger.abandon(keyed, ctx);
    throw thrown;
  });
  const result = await settle(await ended(started, granted, ctx));
  await ledger.complete(keyed, result, ctx);
  return result;
}

type Started = Awaited<ReturnType<HostServices["processes"]["start"]>>;

async function ended(process: Started, { name, action }: GrantedAction, ctx: VerbContext): Promise<ActionResult> {
  const began = ctx.now();
  const stop = () => process.stop();
  ctx.signal.addEventListener("abort", stop, { once: true });
  if (ctx.signal.aborted) stop();
  // Read to the end, so that the program does not block on a full pipe; the output is dropped.
  beginningOf(process.stdout);
  const stderr = beginningOf(process.stderr);
  process.stdin.end();
  const { exitCode } = await process.ended;
  ctx.signal.removeEventListener("abort", stop);
  ctx.signal.throwIfAborted();
  ctx.log("svc_action", { service: name, action, exit_code: exitCode, stderr: stderr() });
  return { ok: exitCode === 0, action, exit_code: exitCode, duration_ms: Math.max(0, ctx.now() - began) };
}

/** The pause between two actions of one kind on one service, kept for all runs and processes on one state directory. */
class Cooldown {
  readonly #granted: GrantedAction;
  readonly #ctx: VerbContext;
  readonly #store: KeyValueStore;
  readonly #place: { readonly namespace: string; readonly key: string };

  constructor(granted: GrantedAction, ctx: VerbContext) {
    const { stateDir } = ctx.host.places;
    this.#granted = granted;
    this.#ctx = ctx;
    this.#store = localStoresOf(ctx.host).keyValues(stateDir === null ? null : join(stateDir, "svc.db"), true);
    this.#place = { namespace: COOLDOWNS, key: `${granted.name} ${granted.action}` };
  }

  /** Throws ADAPTER_RATE_LIMITED while the pause lasts. */
  async begin(): Promise<void> {
    const { cooldown_s: seconds } = this.#granted.service;
    if (seconds === 0) return;
    const begun = await this.#store.set(
      {
        ...this.#place,
        value: true,
        ttlSeconds: seconds,
        ifAbsent: true,
        ifVersion: null,
        maxEntries: MAX_COOLDOWNS,
        maxBytes: COOLDOWN_BYTES,
      },
      this.#ctx,
    );
    if (begun) return;
    const entry = await this.#store.get(this.#place, this.#ctx);
    const leftMs = Math.max(0, (entry?.expiresMs ?? 0) - this.#ctx.now());
    throw adapterError("ADAPTER_RATE_LIMITED", "the service was acted upon a short time ago", { retryAfterMs: leftMs });
  }

  async cancel(): Promise<void> {
    await this.#store.delete(this.#place, this.#ctx);
  }
}
