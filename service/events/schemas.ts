/** Documents of events. */
import * as z from "zod";
import { EVENT_NAME, EVENT_NAME_WORDS, MAX_EVENT_NAME } from "../../compiler/events.ts";
import { isStorable, STORABLE } from "../../vm/values/storable-text.ts";
import { anyValue, isoTime } from "../wire/common.ts";
import { EVENT_STATES, START_OUTCOMES } from "./event.ts";

const name = z.string().max(MAX_EVENT_NAME).regex(EVENT_NAME, `must be ${EVENT_NAME_WORDS}`);
const stored = (most: number) => z.string().min(1).max(most).refine(isStorable, STORABLE);
const ID = "5f0c6a1b2d3e4f5a6b7c8d9e0f1a2b3c";

export const EventRequest = z
  .strictObject({
    name,
    data: anyValue,
    /** Another event with this id, within 7 days, is the same one. */
    id: stored(128).nullish(),
    /** By which runs may wait for it. */
    key: stored(256).nullish(),
    /** It is delivered then; a time that is over: at once. */
    at: isoTime.nullish(),
  })
  .meta({
    id: "EventRequest",
    examples: [{ name: "orders/created", data: { order: "o-7", total: 120 }, id: "o-7 created", key: "o-7" }],
  });

export const EventParams = z.object({ id: z.string() });

const event = {
  id: z.string(),
  name: z.string(),
  /** It has a key, which may be a person's number: only the event itself tells it. */
  keyed: z.boolean(),
  /** `due`: programs are being given their jobs, or its time has not come; `waking`: runs that wait for it are woken. */
  state: z.enum(EVENT_STATES),
  /** When it was delivered, or is to be. */
  at: z.string(),
  created_at: z.string(),
  /** Events that caused it, one after the other. */
  hops: z.int(),
  /** Id of the job that emitted it. */
  emitted_by: z.string().nullable(),
  /** Jobs that it started, runs that it woke, and functions that it could not start. */
  started: z.int(),
  woken: z.int(),
  failed: z.int(),
  /** Further programs were left out: one event starts 1,000 jobs at most. */
  cut: z.boolean(),
};
const EventFacts = z.object(event);
const example = {
  id: ID,
  name: "orders/created",
  keyed: true,
  state: "done" as const,
  at: "2030-01-01T00:00:00.000Z",
  created_at: "2030-01-01T00:00:00.000Z",
  hops: 0,
  emitted_by: null,
  started: 1,
  woken: 0,
  failed: 0,
  cut: false,
};

const EventStart = z.object({
  /** null: a run that waited for the event. */
  program: z.string().nullable(),
  version: z.int().nullable(),
  /** Of the function. */
  label: z.string().nullable(),
  outcome: z.enum(START_OUTCOMES),
  job_id: z.string().nullable(),
  /** Why no job was started. */
  error: z.string().nullable(),
  at: z.string(),
});

export const EventAccepted = z
  .object({ ok: z.literal(true), id: z.string(), at: z.string(), duplicate: z.boolean() })
  .meta({
    id: "EventAccepted",
    examples: [{ ok: true, id: ID, at: "2030-01-01T00:00:00.000Z", duplicate: false }],
  });

export const EventDocument = z
  .object({
    ...event,
    /** Both absent where the service does not show values (WF_UI_VALUES), or the event is forgotten. */
    key: z.string().nullable().optional(),
    data: anyValue.optional(),
    starts: z.array(EventStart),
    /** There are more. */
    truncated: z.boolean(),
  })
  .meta({
    id: "EventDetail",
    examples: [
      {
        ...example,
        key: "o-7",
        data: { order: "o-7", total: 120 },
        starts: [
          {
            program: "invoices",
            version: 3,
            label: "created",
            outcome: "started" as const,
            job_id: "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d",
            error: null,
            at: "2030-01-01T00:00:00.000Z",
          },
        ],
        truncated: false,
      },
    ],
  });

export const EventListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .regex(/^[0-9]{1,15}$/, "must be the next_cursor of an answer")
    .optional(),
  name: name.optional(),
});
const heard = z.object({ name: z.string(), program: z.string(), version: z.int() });
export const EventList = z
  .object({
    events: z.array(EventFacts),
    /** Null: this was the last page. */
    next_cursor: z.string().nullable(),
    /** What programs hear of now. */
    subscribers: z.array(heard),
  })
  .meta({
    id: "EventList",
    examples: [
      {
        events: [example],
        next_cursor: null,
        subscribers: [{ name: "orders/created", program: "invoices", version: 3 }],
      },
    ],
  });

/** What its events start now, each program under the grant of its own deployment. null: it emits nothing, or may not. */
export const ProgramEmits = z
  .object({
    /** Names of events that it may emit, or patterns of such. */
    names: z.array(z.string()),
    subscribers: z.array(
      z.object({
        event: z.string(),
        program: z.string(),
        version: z.int(),
        /** What the program calls: verbs and tiers by adapter. */
        adapters: z.record(z.string(), z.object({ verbs: z.array(z.string()), privilege_tiers: z.array(z.string()) })),
      }),
    ),
    /** Further subscribers. */
    more: z.int(),
  })
  .meta({
    id: "ProgramEmits",
    examples: [
      {
        names: ["orders/*"],
        subscribers: [
          {
            event: "orders/created",
            program: "invoices",
            version: 3,
            adapters: { http: { verbs: ["POST"], privilege_tiers: ["network"] } },
          },
        ],
        more: 0,
      },
    ],
  });
