/** The adapter `event`: a program says that something happened, and starts the programs that were deployed for that (docs/adapters/event.md). */
import { createHash } from "node:crypto";
import { admitsEvent, EVENT_NAME, EVENT_NAME_WORDS, MAX_EVENT_NAME } from "../../../compiler/events.ts";
import { isStorable, STORABLE } from "../../../vm/values/storable-text.ts";
import { anyJson, arg, defineAdapter, setting, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { cannotWait } from "../timer/waiting.ts";

const patterns = (admits: readonly "event"[]) =>
  z.array(z.string()).readonly().default([]).meta({ merge: "intersect", fold: "event", admits });

const settings = {
  emit: patterns(["event"]).describe(
    "names of events that may be emitted, or patterns such as orders/*; none without it",
  ),
  accept: patterns([]).describe(
    "names of events, or patterns, that may start jobs of the program or be waited for; none without it",
  ),
  max_event_hops: setting.most(16, 100).describe("events that cause each other, one after the other"),
};
const verb = verbsFor<typeof settings>();
const key = z.union([z.string().min(1).max(256).refine(isStorable, STORABLE), z.number()]).nullish();

export const eventAdapter = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "event",
  version: "1.0.0",
  summary: "Emits events, which start jobs of the programs that are deployed for them.",
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
    emit: verb({
      exact: true,
      summary: "Emits an event and gives its id: each program that is deployed for it gets a job.",
      effect: "io-write",
      kind: "write",
      determinism: "external",
      // The same call emits one event.
      idempotent: true,
      destructive: false,
      args: z.tuple([
        arg("name", z.string().max(MAX_EVENT_NAME, EVENT_NAME_WORDS).regex(EVENT_NAME, EVENT_NAME_WORDS), {
          role: "event",
        }),
        arg("data", anyJson()),
      ]),
      options: z.strictObject({ key }),
      result: z.string(),
      examples: [],
      async run({ args: [name, data], options, settings: { emit, max_event_hops }, ctx }) {
        const events = ctx.run.desk?.events;
        if (events === undefined)
          throw cannotWait(
            "durable jobs emit events: queue the program (wf jobs submit) at a service that keeps its jobs",
          );
        if (!emit.some((pattern) => admitsEvent(pattern, name)))
          throw adapterError("ADAPTER_NOT_ALLOWED", "the event is not on event.emit, which names what may be emitted");
        const place = createHash("sha256").update(ctx.callId, "utf8").digest("base64url");
        return events.emit({
          place,
          name,
          data,
          key: options.key == null ? null : String(options.key),
          maxHops: max_event_hops,
        });
      },
    }),
  },
});
