/** The adapter `signal`: a program waits for what others send to its job, or under a key (docs/durable.md). */
import { readSpan } from "../../../compiler/policy/span.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { anyJson, arg, defineAdapter, setting, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { cannotWait } from "../timer/waiting.ts";

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const MAX_NAMES = 16;
const UNBOUNDED_MS = 400 * 86_400_000;

const settings = {
  allow_names: setting.list("exact", ["signal"]).describe("names of signals that programs may wait for"),
};
const verb = verbsFor<typeof settings>();

const nothing = { received: false, name: null, data: null, id: null, at: null };

export const signalAdapter = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "signal",
  version: "1.0.0",
  summary: "Waits for a signal that is sent to the job, or under a key.",
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: true,
  concurrent: true,
  maturity: "stable",
  settings,
  verbs: {
    wait: verb({
      summary: "Waits for the first signal with one of these names; when the time is over, received is false.",
      effect: "io-read",
      kind: "read",
      determinism: "external",
      timeoutMs: UNBOUNDED_MS,
      maxTimeoutMs: UNBOUNDED_MS,
      args: z.tuple([arg("names", z.union([z.string(), z.array(z.string())]), { role: "signal" })]),
      options: z.strictObject({
        key: z.union([z.string().min(1).max(256), z.number()]).optional(),
        timeout: z.union([z.number(), z.string()]).optional(),
      }),
      result: z.object({
        received: z.boolean(),
        name: z.string().nullable(),
        data: anyJson(),
        id: z.string().nullable(),
        at: z.string().nullable(),
      }),
      examples: [],
      run({ args: [given], options: { key, timeout }, settings, ctx }) {
        const names = typeof given === "string" ? [given] : given;
        checkNames(names, settings.allow_names);
        const span = timeout === undefined ? null : readSpan(timeout);
        if (timeout !== undefined && span === null)
          throw adapterError(
            "ADAPTER_BAD_ARGS",
            "timeout is a number of seconds, or text such as 3d, of a year at most",
          );
        const times = span === null ? { until: null } : { until: ctx.now() + span, span };
        const spec = { kind: "signal", names, key: key === undefined ? null : String(key), ...times } as const;
        const waited = ctx.run.wait?.(spec) ?? null;
        if (waited !== null) return waited;
        if (span === 0) return nothing;
        throw cannotWait("signals reach durable jobs: queue the program as a job");
      },
    }),
  },
});

function checkNames(names: readonly string[], allowed: readonly string[] | undefined): void {
  if (names.length === 0 || names.length > MAX_NAMES || !names.every((name) => NAME.test(name)))
    throw adapterError(
      "ADAPTER_BAD_ARGS",
      `a wait has 1 to ${MAX_NAMES} names of 1 to 64 characters of A-Z a-z 0-9 . _ -`,
    );
  const denied = allowed === undefined ? undefined : names.find((name) => !allowed.includes(name));
  if (denied !== undefined)
    throw new AdapterError("ADAPTER_NOT_ALLOWED", `the signal ${denied} is not among signal.allow_names`, {
      retryable: false,
    });
}
