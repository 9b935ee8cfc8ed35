/** Stores of values by key: what was set is there under its own key and no other, until it is replaced, deleted or over. */
import type { Json } from "../../../compiler/json.ts";
import { same } from "../suite.ts";
import { NAMES, VALUES } from "./hostile.ts";
import { defineKind, isForbidden, isNone, isRefused, shown } from "./kind.ts";

const LIFETIME_S = 60;

export const keyValue = defineKind({
  roles: {
    get: { inputs: ["key"], needed: true },
    set: { inputs: ["key", "value"], needed: true },
    delete: { inputs: ["key"] },
    /** A value that ends after `ttl_s` seconds of the run's clock. */
    set_for: { inputs: ["key", "value", "ttl_s"] },
    get_in: { inputs: ["namespace", "key"] },
    set_in: { inputs: ["namespace", "key", "value"] },
    /** `set` under settings that forbid it. */
    set_forbidden: { inputs: ["key", "value"] },
  },
  checks: [
    {
      title: "a key that was never set has no value",
      roles: ["get"],
      async *check({ call }) {
        const answer = await call("get", { key: "never-set" });
        if (!isNone(answer)) yield `gave ${shown(answer)}`;
      },
    },
    {
      title: "a value comes back as it was set",
      roles: ["get", "set"],
      async *check({ call, give }) {
        for (const value of VALUES) {
          await give("set", { key: "one", value });
          const answer = await call("get", { key: "one" });
          const back = answer.ok ? same(answer.value, value) : value === null && isNone(answer);
          if (!back) yield `${JSON.stringify(value)} came back as ${shown(answer)}`;
        }
      },
    },
    {
      title: "keys are kept apart or refused, whatever they are",
      roles: ["get", "set"],
      async *check({ call }) {
        const kept = new Map<string, Json>();
        for (const [value, key] of NAMES.entries()) {
          const before = await call("get", { key });
          if (!isNone(before) && !isRefused(before)) yield `${named(key)} has ${shown(before)} before it is set`;
          const written = await call("set", { key, value });
          if (written.ok) kept.set(key, value);
          else if (!isRefused(written)) yield `${named(key)}: ${written.code}`;
        }
        if (kept.size === 0) yield "every key is refused";
        for (const [key, value] of kept) {
          const answer = await call("get", { key });
          if (!answer.ok || !same(answer.value, value)) yield `${named(key)} has ${shown(answer)} in place of ${value}`;
        }
      },
    },
    {
      title: "what is deleted is gone, and nothing else is",
      roles: ["get", "set", "delete"],
      async *check({ call, give }) {
        for (const key of ["one", "two"]) await give("set", { key, value: key });
        await give("delete", { key: "one" });
        const gone = await call("get", { key: "one" });
        if (!isNone(gone)) yield `the deleted key has ${shown(gone)}`;
        const other = await call("get", { key: "two" });
        if (!other.ok || other.value !== "two") yield `another key has ${shown(other)}`;
        const again = await call("delete", { key: "one" });
        if (!again.ok && !isNone(again)) yield `deleting it again: ${again.code}`;
      },
    },
    {
      title: "a lifetime ends by the clock of the run, and only where there is one",
      roles: ["get", "set", "set_for"],
      async *check({ call, give, advance }) {
        await give("set", { key: "lasting", value: 1 });
        for (const key of ["passing", "renewed"]) await give("set_for", { key, value: 2, ttl_s: LIFETIME_S });
        advance((LIFETIME_S - 1) * 1000);
        const early = await call("get", { key: "passing" });
        if (!early.ok || early.value !== 2) yield `a second before its end the value is ${shown(early)}`;
        await give("set", { key: "renewed", value: 3 });
        advance(2_000);
        const late = await call("get", { key: "passing" });
        if (!isNone(late)) yield `a second after its end the value is ${shown(late)}`;
        for (const [key, value] of Object.entries({ lasting: 1, renewed: 3 })) {
          const answer = await call("get", { key });
          if (!answer.ok || answer.value !== value) yield `a value without a lifetime became ${shown(answer)}`;
        }
      },
    },
    {
      title: "namespaces share no key",
      roles: ["get_in", "set_in"],
      async *check({ call, give }) {
        const places = [
          { namespace: "a", key: "b" },
          { namespace: "b", key: "a" },
          { namespace: "b", key: "b" },
          { namespace: "a.b", key: "c" },
          { namespace: "a", key: "b.c" },
        ];
        for (const [value, place] of places.entries()) await give("set_in", { ...place, value });
        for (const [value, place] of places.entries()) {
          const answer = await call("get_in", place);
          if (!answer.ok || answer.value !== value) yield `${place.namespace}/${place.key} has ${shown(answer)}`;
        }
      },
    },
    {
      title: "nothing is written where writing is forbidden",
      roles: ["get", "set_forbidden"],
      async *check({ call }) {
        const answer = await call("set_forbidden", { key: "one", value: 1 });
        if (!isForbidden(answer)) yield `gave ${shown(answer)}`;
        const after = await call("get", { key: "one" });
        if (!isNone(after)) yield `the key has ${shown(after)}`;
      },
    },
  ],
});

function named(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}
