/**
 * Services, capabilities, schedules and types of the predecessor's IR as endpoints and declarations of ours (docs/ir.md, IR
 * from outside). What widens or configures the old runtime is ignored: a program does not grant itself anything.
 */

import { isObject, type Json, type JsonObject, setMember } from "../../../json.ts";
import { type IssueList, pointer } from "../../issues.ts";
import { isArray } from "../operands.ts";
import type { RawItem } from "../parts.ts";

type Found = { readonly endpoints: readonly RawItem[]; readonly declarations: readonly RawItem[] };

const METHODS: Readonly<Record<string, string>> = { G: "GET", P: "POST", U: "PUT", D: "DELETE", L: "GET" };

export function readPredecessorDeclarations(
  input: JsonObject,
  resolve: (written: string) => string,
  issues: IssueList,
): Found {
  const capabilities = objectOf(input["capabilities"]);
  if (Object.hasOwn(capabilities, "allow")) issues.warn("field_ignored: /capabilities/allow");
  const services = objectOf(input["services"]);
  const declarations: RawItem[] = [];
  const declare = (op: string, slots: readonly (string | null)[], path: string): void => {
    declarations.push({ path, value: { op, slots: leading(slots) } });
  };
  for (const [name, given] of Object.entries(services)) {
    if (name === "tool_surface" || !isObject(given)) continue;
    const mode = textOf(given["mode"]);
    if (mode !== null) declare("S", [name, mode, textOf(given["path"])], pointer("/services", name));
  }
  for (const [name, given] of Object.entries(objectOf(input["types"]))) {
    const fields = Object.entries(objectOf(objectOf(given)["fields"] ?? given)).flatMap(([field, type]) => {
      const written = textOf(type);
      return written === null ? [] : [`${field}:${written}`];
    });
    declare("D", [name, ...fields], pointer("/types", name));
  }
  for (const [name, given] of named(capabilities["queue"])) {
    declare(
      "Q",
      [name, textOf(given["max"] ?? given["maxSize"]), textOf(given["retry"])],
      pointer("/capabilities/queue", name),
    );
  }
  for (const [name, given] of named(capabilities["cache"])) {
    declare(
      "C",
      [name, textOf(given["key"]) ?? "key", textOf(given["ttl"]) ?? "0", textOf(given["default"])],
      pointer("/capabilities/cache", name),
    );
  }
  for (const [name, given] of named(capabilities["policy"])) {
    declare(
      "Pol",
      [name, ...constraintsOf(given).map(([key, value]) => `${key}=${value}`)],
      pointer("/capabilities/policy", name),
    );
  }
  for (const [name, given] of named(capabilities["txn"])) {
    declare("Txn", [name, textOf(given["adapter"]), textOf(given["mode"])], pointer("/capabilities/txn", name));
  }
  const crons = isArray(input["crons"]) ? input["crons"] : [];
  crons.forEach((given, index) => {
    const label = textOf(objectOf(given)["label"]);
    const expression = textOf(objectOf(given)["expr"]);
    if (label !== null && expression !== null)
      declare("Cr", [resolve(label), ...expression.split(/\s+/).filter(Boolean)], `/crons/${index}`);
  });
  return { endpoints: endpointsOf(objectOf(services["core"])["eps"], resolve), declarations };
}

/** `eps` is path → endpoint, or path → method → endpoint. */
function endpointsOf(eps: Json | undefined, resolve: (written: string) => string): readonly RawItem[] {
  const found: RawItem[] = [];
  for (const [path, given] of Object.entries(objectOf(eps))) {
    const place = pointer("/services/core/eps", path);
    if (!isObject(given)) continue;
    if (targetOf(given) !== null)
      found.push({ path: place, value: endpoint(path, textOf(given["method"]) ?? "G", given, resolve) });
    else {
      for (const [method, single] of Object.entries(given)) {
        if (isObject(single))
          found.push({ path: pointer(place, method), value: endpoint(path, method, single, resolve) });
      }
    }
  }
  return found;
}

function endpoint(path: string, method: string, given: JsonObject, resolve: (written: string) => string): Json {
  const word = method.toUpperCase();
  return {
    method: Object.hasOwn(METHODS, word) ? (METHODS[word] ?? word) : word,
    path,
    label: resolve(targetOf(given) ?? ""),
    returns: textOf(given["return_var"] ?? given["returns"])?.replace(/^->/, "") ?? null,
    type: textOf(given["return_type"] ?? given["type"]),
    description: textOf(given["description"]),
  };
}

function targetOf(given: JsonObject): string | null {
  return textOf(given["label_id"] ?? given["label"] ?? given["tgt"]);
}

/** What steps take from declarations, looked up by name. */
export type DeclaredDefaults = {
  readonly caches: ReadonlyMap<string, { readonly ttl: number | null; readonly fallback: string | null }>;
  /** Resource and mode, as far as written. */
  readonly transactions: ReadonlyMap<string, readonly (readonly [string, string])[]>;
  /** Constraints as text. */
  readonly policies: ReadonlyMap<string, readonly (readonly [string, string])[]>;
};

export function declaredDefaults(input: JsonObject): DeclaredDefaults {
  const capabilities = objectOf(input["capabilities"]);
  return {
    caches: new Map(
      named(capabilities["cache"]).map(([name, given]) => {
        const ttl = textOf(given["ttl"]);
        return [
          name,
          { ttl: ttl !== null && /^[0-9]{1,15}$/.test(ttl) ? Number(ttl) : null, fallback: textOf(given["default"]) },
        ];
      }),
    ),
    transactions: new Map(
      named(capabilities["txn"]).map(([name, given]) => [
        name,
        texts([
          ["resource", given["adapter"]],
          ["mode", given["mode"]],
        ]),
      ]),
    ),
    policies: new Map(named(capabilities["policy"]).map(([name, given]) => [name, constraintsOf(given)])),
  };
}

function constraintsOf(given: JsonObject): readonly (readonly [string, string])[] {
  return texts(Object.entries(isObject(given["constraints"]) ? given["constraints"] : given));
}

function texts(pairs: readonly (readonly [string, Json | undefined])[]): readonly (readonly [string, string])[] {
  return pairs.flatMap(([key, value]) => {
    const text = textOf(value);
    return text === null ? [] : [[key, text] as const];
  });
}

/** name → record, or a list of records with a name; a record that is not an object is empty. */
function named(value: Json | undefined): readonly (readonly [string, JsonObject])[] {
  if (isObject(value)) return Object.entries(value).map(([name, record]) => [name, objectOf(record)] as const);
  if (!isArray(value)) return [];
  return value.flatMap((record) => {
    const name = typeof record === "string" ? record : textOf(objectOf(record)["name"]);
    return name === null ? [] : [[name, withoutName(objectOf(record))] as const];
  });
}

function withoutName(record: JsonObject): JsonObject {
  const rest: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(record)) if (key !== "name") setMember(rest, key, value);
  return rest;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Text of a simple value, null for none. */
function textOf(value: Json | undefined): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

/** Slots up to the first one that is not written. */
function leading(slots: readonly (string | null)[]): readonly string[] {
  const end = slots.indexOf(null);
  return (end < 0 ? slots : slots.slice(0, end)).filter((slot) => slot !== null);
}
