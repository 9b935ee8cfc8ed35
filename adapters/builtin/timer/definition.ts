/** The adapter `timer`: a program waits for a time, and a durable job for days, without a process that waits along. */

import { readSpan } from "../../../compiler/catalog/time-span.ts";
import { arg, defineAdapter, setting, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { cronTimes } from "../../engine/cron-times.ts";
import { adapterError } from "../../errors.ts";
import { waitHere } from "./waiting.ts";

const settings = {
  max_span: setting.bound().describe("seconds that one wait may take"),
};
const verb = verbsFor<typeof settings>();

/** A wait has no time limit of its own: it is as long as it says. */
const UNBOUNDED_MS = 400 * 86_400_000;
const facts = {
  effect: "control",
  determinism: "clock",
  timeoutMs: UNBOUNDED_MS,
  maxTimeoutMs: UNBOUNDED_MS,
  result: z.object({ at: z.string() }),
} as const;

export const timerAdapter = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "timer",
  version: "1.0.0",
  summary: "Waits for a time, for days where the job is durable.",
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
    sleep: verb({
      ...facts,
      summary: "Waits for a span: seconds, or text such as 90m or 1d12h.",
      args: z.tuple([arg("span", z.union([z.string(), z.number()]), { form: "span" })]),
      examples: [],
      run({ args: [span], settings, ctx }) {
        // What is left until a deadline may be below zero: the time has come.
        const ms = readSpan(typeof span === "number" && span < 0 && Number.isFinite(span) ? 0 : span);
        if (ms === null)
          throw badTime("a span is a number of seconds, or text such as 90m or 1d12h, of a year at most");
        return waited({ until: ctx.now() + ms, span: ms }, settings.max_span, ctx);
      },
    }),
    next: verb({
      summary: "The next time of a cron line, without waiting; null without one.",
      effect: "io-read",
      kind: "read",
      determinism: "clock",
      args: z.tuple([arg("cron", z.string().max(200), { form: "cron" })]),
      options: z.strictObject({
        tz: z.string().max(64).meta({ form: "zone" }).default("UTC"),
        after: z.string().meta({ form: "instant" }).optional(),
      }),
      result: z.string().nullable(),
      examples: [
        {
          source: 'R timer.next "0 8 * * *" {"after": "2030-01-31T09:00:00Z"} ->t',
          result: "2030-02-01T08:00:00.000Z",
        },
      ],
      run({ args: [cron], options: { tz, after }, ctx }) {
        const from = after === undefined ? ctx.now() : readTime(after);
        if (from === null) throw badTime("after is a time such as 2030-01-31T08:00:00Z");
        return nextTime(cron, tz, from);
      },
    }),
    until: verb({
      ...facts,
      summary: "Waits until a time; one that has passed is there at once.",
      args: z.tuple([arg("time", z.union([z.string(), z.number()]), { form: "instant" })]),
      examples: [],
      run({ args: [time], settings, ctx }) {
        const at = typeof time === "number" ? time : readTime(time);
        if (typeof time === "number" && isInSeconds(time))
          throw badTime(`${time} is a time in seconds: give milliseconds since 1970, such as (core.now() + 60) * 1000`);
        if (at === null || !Number.isFinite(at) || at > ctx.now() + UNBOUNDED_MS)
          throw badTime("a time is text such as 2030-01-31T08:00:00Z, or milliseconds since 1970, within a year");
        return waited({ until: Math.max(0, Math.round(at)) }, settings.max_span, ctx);
      },
    }),
  },
});

/** As milliseconds it would be in the first years after 1970, as seconds it is a time that programs speak of. */
function isInSeconds(time: number): boolean {
  return time >= 1e8 && time < 1e11;
}

type Times = { readonly until: number; readonly span?: number };

function waited(times: Times, maxSpan: number | undefined, ctx: VerbContext): unknown {
  const { until } = times;
  if (maxSpan !== undefined && until - ctx.now() > maxSpan * 1000)
    throw adapterError("ADAPTER_TOO_LARGE", `a wait may take ${maxSpan} s (timer.max_span)`);
  return ctx.run.wait?.({ kind: "timer", ...times }) ?? waitHere(until, ctx);
}

/** Five fields and no others, in a time zone of the machine. */
function nextTime(cron: string, tz: string, from: number): string | null {
  const times = cronTimes(cron, tz);
  if (times === null)
    throw badTime("cron is a line of five fields such as 30 5 * * *, and tz a name such as Europe/Berlin");
  const next = times.next(from);
  return next === null ? null : new Date(next).toISOString();
}

/** RFC 3339 with an offset: a time without one would depend on the machine. */
function readTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

function badTime(message: string): Error {
  return adapterError("ADAPTER_BAD_ARGS", message);
}
