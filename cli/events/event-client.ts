/** The events of a runner service, as `wf events` talks to it. What it refuses is a fault with its own word and sentence. */
import * as z from "zod/mini";
import { asking } from "../session/asking.ts";

const facts = {
  id: z.string(),
  name: z.string(),
  state: z.string(),
  at: z.string(),
  hops: z.number(),
  emitted_by: z.nullable(z.string()),
  started: z.number(),
  woken: z.number(),
  failed: z.number(),
  cut: z.boolean(),
};
const Listing = z.looseObject({
  events: z.array(z.looseObject(facts)),
  next_cursor: z.nullable(z.string()),
  subscribers: z.array(z.looseObject({ name: z.string(), program: z.string(), version: z.number() })),
});
const Shown = z.looseObject({
  ...facts,
  starts: z.array(
    z.looseObject({
      program: z.nullable(z.string()),
      label: z.nullable(z.string()),
      outcome: z.string(),
      job_id: z.nullable(z.string()),
      error: z.nullable(z.string()),
    }),
  ),
});
const Taken = z.looseObject({ id: z.string(), at: z.string(), duplicate: z.boolean() });

export interface EventService {
  /** The newest, at most `limit`. */
  list(query: { readonly name?: string; readonly limit: number }): Promise<z.output<typeof Listing>>;
  show(id: string): Promise<z.output<typeof Shown>>;
  emit(event: object): Promise<z.output<typeof Taken>>;
}

/** Throws CliFault for an invalid address. */
export function eventService(server: string, signal: AbortSignal): EventService {
  const ask = asking(server, signal);
  return {
    list({ name, limit }) {
      const query = new URLSearchParams({ limit: String(limit), ...(name === undefined ? {} : { name }) });
      return ask(Listing, "GET", `/events?${query.toString()}`);
    },
    show: (id) => ask(Shown, "GET", `/events/${encodeURIComponent(id)}`),
    emit: (event) => ask(Taken, "POST", "/events", { body: event }),
  };
}
