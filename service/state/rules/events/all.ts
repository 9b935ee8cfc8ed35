/** All rules about events, by name. */
import { deliverEvent, wakeForEvent } from "./deliver.ts";
import { emitEvent } from "./emit.ts";
import {
  dueEvents,
  eventNames,
  eventSubscribers,
  findEvent,
  forgetEvents,
  heardEvents,
  listEvents,
  nextEvent,
} from "./reads.ts";

export const eventReads = { dueEvents, nextEvent, eventSubscribers, eventNames, heardEvents, listEvents, findEvent };
export const eventChanges = { emitEvent, deliverEvent, wakeForEvent, forgetEvents };
