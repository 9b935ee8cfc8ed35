/** Calendars: an event is listed in its own time, changes as asked, and a change of an older state is refused. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { defineKind, isNone, isRefused, listOf, memberOf, type RoleAnswer, shown, type World } from "./kind.ts";

const REVIEW = { title: "Review", start: "2031-05-05T09:00:00Z", end: "2031-05-05T10:00:00Z" } as const;
const DAY = { from: "2031-05-05T00:00:00Z", to: "2031-05-06T00:00:00Z" } as const;
const NEXT_DAY = { from: "2031-05-06T00:00:00Z", to: "2031-05-07T00:00:00Z" } as const;

const TITLES = [
  "a, b; c: d \\ e \\n f",
  "\u00e4\u{1f600} ".repeat(40).trim(),
  '"quoted" <b>& more</b>',
  "Review\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Injected",
  "Review\nLOCATION:Injected",
];

/** An event is an object with `id`, `title`, `start` and `end` (RFC 3339); where `update_if` or `delete_if` play, with `etag`. */
export const calendar = defineKind({
  roles: {
    /** The events that touch the time, as a list. */
    list: { inputs: ["from", "to"], needed: true },
    create: { inputs: ["event"], needed: true },
    get: { inputs: ["id"] },
    update: { inputs: ["id", "changes"] },
    delete: { inputs: ["id"] },
    update_if: { inputs: ["id", "changes", "etag"] },
    delete_if: { inputs: ["id", "etag"] },
  },
  checks: [
    {
      title: "an event that was made is listed in its own time and in no other",
      roles: ["create", "list"],
      async *check(world) {
        const id = await made(world);
        const found = (await listed(world, DAY)).filter((event) => memberOf(event, "id") === id);
        if (found.length !== 1) yield `it is listed ${found.length} times`;
        for (const event of found) if (!alike(event, REVIEW)) yield `it is listed as ${JSON.stringify(event)}`;
        if ((await listed(world, NEXT_DAY)).some((event) => memberOf(event, "id") === id))
          yield "so it is the day after";
      },
    },
    {
      title: "a title is a value, whatever it contains",
      roles: ["create", "list"],
      async *check(world) {
        const before = (await listed(world, DAY)).length;
        let kept = 0;
        for (const title of TITLES) {
          const answer = await world.call("create", { event: { ...REVIEW, title } });
          if (!answer.ok && !isRefused(answer)) yield `${JSON.stringify(title)}: ${answer.code}`;
          if (!answer.ok) continue;
          kept += 1;
          const id = memberOf(answer.value, "id");
          const event = (await listed(world, DAY)).find((one) => memberOf(one, "id") === id);
          if (memberOf(event, "title") !== title) yield `${JSON.stringify(title)} became ${JSON.stringify(event)}`;
        }
        if (kept === 0) yield "every title is refused";
        const events = await listed(world, DAY);
        if (events.length !== before + kept) yield `${events.length - before} events came of ${kept}`;
        if (JSON.stringify(events.map((event) => memberOf(event, "location") ?? null)).includes("Injected"))
          yield "a title wrote another member";
      },
    },
    {
      title: "an event is returned by its id; an unknown id is not found",
      roles: ["create", "get"],
      async *check(world) {
        const id = await made(world);
        const event = await world.call("get", { id });
        if (!event.ok || !alike(event.value, REVIEW)) yield `gave ${shown(event)}`;
        const missing = await world.call("get", { id: missingId(id) });
        if (!isNone(missing)) yield `an unknown id gave ${shown(missing)}`;
      },
    },
    {
      title: "an update changes what it names, of its own event",
      roles: ["create", "list", "update"],
      async *check(world) {
        const [one, two] = [await made(world), await made(world)];
        await world.give("update", { id: one, changes: { title: "Review 2" } });
        const events = await listed(world, DAY);
        const [changed, other] = [one, two].map((id) => events.find((event) => memberOf(event, "id") === id) ?? null);
        if (!alike(changed, { ...REVIEW, title: "Review 2" })) yield `it became ${JSON.stringify(changed)}`;
        if (!alike(other, REVIEW)) yield `another one became ${JSON.stringify(other)}`;
      },
    },
    {
      title: "what is deleted is gone, and deleting it again does no harm",
      roles: ["create", "list", "delete"],
      async *check(world) {
        const [one, two] = [await made(world), await made(world)];
        await world.give("delete", { id: one });
        const ids = (await listed(world, DAY)).map((event) => memberOf(event, "id"));
        if (ids.includes(one)) yield "it is still listed";
        if (!ids.includes(two)) yield "another one is gone";
        const again = await world.call("delete", { id: one });
        if (!again.ok && !isNone(again)) yield `deleting it again: ${again.code}`;
      },
    },
    {
      title: "an update of an older state is a conflict and changes nothing",
      roles: ["create", "list", "update_if"],
      async *check(world) {
        const event = await world.give("create", { event: REVIEW });
        const [id, etag] = idAndEtag(event);
        await world.give("update_if", { id, changes: { title: "Review 2" }, etag });
        yield* conflict(await world.call("update_if", { id, changes: { title: "Review 3" }, etag }));
        const after = (await listed(world, DAY)).find((one) => memberOf(one, "id") === id) ?? null;
        if (!alike(after, { ...REVIEW, title: "Review 2" })) yield `it became ${JSON.stringify(after)}`;
      },
    },
    {
      title: "a deletion of an older state is a conflict and deletes nothing",
      roles: ["create", "list", "update", "delete_if"],
      async *check(world) {
        const [id, etag] = idAndEtag(await world.give("create", { event: REVIEW }));
        await world.give("update", { id, changes: { title: "Review 2" } });
        yield* conflict(await world.call("delete_if", { id, etag }));
        if (!(await listed(world, DAY)).some((event) => memberOf(event, "id") === id)) yield "it is gone";
      },
    },
    {
      title: "an event that ends before it begins is refused",
      roles: ["create", "list"],
      async *check(world) {
        const before = (await listed(world, DAY)).length;
        const answer = await world.call("create", { event: { ...REVIEW, start: REVIEW.end, end: REVIEW.start } });
        if (!isRefused(answer)) yield `gave ${shown(answer)}`;
        if ((await listed(world, DAY)).length !== before) yield "it was made";
      },
    },
  ],
});

async function made(world: World<"create">): Promise<Json> {
  const [id] = idAndEtag(await world.give("create", { event: REVIEW }));
  return id;
}

function idAndEtag(event: Json): readonly [id: Json, etag: Json] {
  const id = memberOf(event, "id");
  if (id === undefined) throw new Error("create gives no event with an id");
  return [id, memberOf(event, "etag") ?? null];
}

/** In the form of a known id, of an event that there is not. */
function missingId(known: Json): Json {
  return typeof known === "string" ? `${known}-none` : 987_654_321;
}

async function listed(world: World<"list">, time: JsonObject): Promise<readonly Json[]> {
  return listOf(await world.give("list", time));
}

/** Whether an event has this title and these moments, in whatever zone they are written. */
function alike(event: Json | undefined, { title, start, end }: JsonObject): boolean {
  const moment = (value: Json | undefined) => (typeof value === "string" ? Date.parse(value) : Number.NaN);
  return (
    memberOf(event, "title") === title &&
    moment(memberOf(event, "start")) === moment(start) &&
    moment(memberOf(event, "end")) === moment(end)
  );
}

function* conflict(answer: RoleAnswer): Generator<string, void> {
  if (answer.ok || answer.code !== "ADAPTER_CONFLICT") yield `the older state gave ${shown(answer)}`;
}
