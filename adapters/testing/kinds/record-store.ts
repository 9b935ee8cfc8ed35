/** Stores of records by id: each is an object that comes back whole, is changed member by member, and is gone once deleted. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { same } from "../suite.ts";
import { NAMES, VALUES } from "./hostile.ts";
import { defineKind, isNone, isRefused, listOf, memberOf, type RoleAnswer, shown } from "./kind.ts";

export const recordStore = defineKind({
  roles: {
    /** Gives the id: the one that was asked for, or one of the store's own. */
    create: { inputs: ["id", "record"], needed: true },
    /** The record, with or without members of the store's own; null: none. */
    get: { inputs: ["id"], needed: true },
    /** Sets the members of `changes`. */
    update: { inputs: ["id", "changes"] },
    /** Whether there was one. */
    delete: { inputs: ["id"] },
    /** The ids of all records. */
    list: { inputs: [] },
    /** What changes with every change of the record. */
    version: { inputs: ["id"] },
    update_if: { inputs: ["id", "changes", "version"] },
    /** Of a group besides that of the other roles. */
    get_in: { inputs: ["group", "id"] },
  },
  checks: [
    {
      title: "a record that was never created is not found",
      roles: ["get"],
      async *check({ call }) {
        const answer = await call("get", { id: "41" });
        if (!isNone(answer)) yield `gave ${shown(answer)}`;
      },
    },
    {
      title: "a record comes back with every member, or is refused",
      roles: ["create", "get"],
      async *check({ call }) {
        let kept = 0;
        for (const [index, value] of VALUES.entries()) {
          const record = { name: "one", value };
          const made = await call("create", { id: `r${index}`, record });
          if (!made.ok && !isRefused(made)) yield `${JSON.stringify(value)}: ${made.code}`;
          if (!made.ok) continue;
          kept += 1;
          const answer = await call("get", { id: made.value });
          if (!holds(answer, record)) yield `${JSON.stringify(record)} came back as ${shown(answer)}`;
        }
        if (kept === 0) yield "every record is refused";
      },
    },
    {
      title: "records are kept apart or refused, whatever their ids are",
      roles: ["create", "get"],
      async *check({ call }) {
        const kept: [Json, JsonObject][] = [];
        for (const [n, id] of NAMES.entries()) {
          const made = await call("create", { id, record: { n } });
          if (made.ok) kept.push([made.value, { n }]);
          else if (!isRefused(made)) yield `${JSON.stringify(id.slice(0, 40))}: ${made.code}`;
        }
        if (kept.length === 0) yield "every id is refused";
        for (const [id, record] of kept) {
          const answer = await call("get", { id });
          if (!holds(answer, record)) yield `the record ${JSON.stringify(record)} came back as ${shown(answer)}`;
        }
      },
    },
    {
      title: "an update changes what it names, of its own record",
      roles: ["create", "get", "update"],
      async *check({ call, give }) {
        const [one, two] = [
          await give("create", { id: "1", record: { a: 1, b: 2 } }),
          await give("create", { id: "2", record: { a: 1, b: 2 } }),
        ];
        await give("update", { id: one, changes: { b: 3 } });
        const changed = await call("get", { id: one });
        if (!holds(changed, { a: 1, b: 3 })) yield `the record became ${shown(changed)}`;
        const other = await call("get", { id: two });
        if (!holds(other, { a: 1, b: 2 })) yield `another record became ${shown(other)}`;
      },
    },
    {
      title: "an update of no record makes none",
      roles: ["get", "update"],
      async *check({ call }) {
        const answer = await call("update", { id: "41", changes: { a: 1 } });
        if (!answer.ok && !isRefused(answer)) yield answer.code;
        const after = await call("get", { id: "41" });
        if (!isNone(after)) yield `there is ${shown(after)}`;
      },
    },
    {
      title: "what is deleted is gone, and nothing else is",
      roles: ["create", "get", "delete"],
      async *check({ call, give }) {
        const [one, two] = [
          await give("create", { id: "1", record: { a: 1 } }),
          await give("create", { id: "2", record: { a: 2 } }),
        ];
        if ((await give("delete", { id: one })) !== true) yield "delete does not say that there was one";
        const gone = await call("get", { id: one });
        if (!isNone(gone)) yield `the deleted record is ${shown(gone)}`;
        const other = await call("get", { id: two });
        if (!holds(other, { a: 2 })) yield `another record became ${shown(other)}`;
        const again = await call("delete", { id: one });
        if (again.ok ? again.value !== false : !isNone(again)) yield `deleting it again gave ${shown(again)}`;
      },
    },
    {
      title: "a list has what there is",
      roles: ["create", "delete", "list"],
      async *check({ call, give }) {
        const ids: Json[] = [];
        for (const id of ["1", "2", "3"]) ids.push(await give("create", { id, record: { id_of: id } }));
        const before = await call("list");
        if (!sameSet(before, ids)) yield `${shown(before)} in place of ${JSON.stringify(ids)}`;
        await give("delete", { id: ids[1] as Json });
        const after = await call("list");
        if (!sameSet(after, [ids[0] as Json, ids[2] as Json])) yield `${shown(after)} after the second was deleted`;
      },
    },
    {
      title: "an update of an older version is a conflict and changes nothing",
      roles: ["create", "get", "version", "update_if"],
      async *check({ call, give }) {
        const id = await give("create", { id: "1", record: { a: 1 } });
        const version = await give("version", { id });
        await give("update_if", { id, changes: { a: 2 }, version });
        if (same(await give("version", { id }), version)) yield "a change keeps the version";
        const stale = await call("update_if", { id, changes: { a: 3 }, version });
        if (stale.ok || stale.code !== "ADAPTER_CONFLICT") yield `the older version gave ${shown(stale)}`;
        const after = await call("get", { id });
        if (!holds(after, { a: 2 })) yield `the record became ${shown(after)}`;
      },
    },
    {
      title: "groups share no record",
      roles: ["create", "get_in"],
      async *check({ call, give }) {
        const id = await give("create", { id: "1", record: { a: 1 } });
        const answer = await call("get_in", { group: "Other", id });
        if (!isNone(answer)) yield `another group has ${shown(answer)}`;
      },
    },
  ],
});

/** Whether a record came back with these members. */
function holds(answer: RoleAnswer, members: JsonObject): boolean {
  if (!answer.ok) return false;
  return Object.entries(members).every(([name, value]) => {
    const given = memberOf(answer.value, name);
    return given !== undefined && same(given, value);
  });
}

function sameSet(answer: RoleAnswer, ids: readonly Json[]): boolean {
  const sorted = (list: readonly Json[]) => list.map((id) => JSON.stringify(id)).sort();
  return answer.ok && same(sorted(listOf(answer.value)), sorted(ids));
}
