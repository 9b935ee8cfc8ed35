/** What a container must give a program, read from its security report: flags, folders, network, variables, time. */

import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import type { SecurityReport } from "../../compiler/policy/report-shape.ts";
import { RESOURCE_FLOOR } from "../../vm/grant/limits.ts";

export type SandboxNeeds = {
  /** The program with its includes, and the least grant. */
  readonly files: { readonly "program.json": string; readonly "grant.json": string };
  /** The flags after `wf run`. */
  readonly flags: readonly string[];
  readonly network: boolean;
  /** It keeps state, or works on files. */
  readonly state: boolean;
  readonly data: boolean;
  /** Variables that it reads. */
  readonly environment: readonly string[];
  readonly seconds: number;
  /** What is left to the user. */
  readonly notes: readonly string[];
};

/** Where things are in the container. */
export const PLACES = { program: "/work", state: "/var/lib/weft", data: "/data" } as const;

/** Adapters that need nothing but what stands here. */
const PREPARED: readonly string[] = ["core", "cache", "memory", "queue", "txn", "agent", "http", "fs", "sqlite"];
const STATEFUL: readonly string[] = ["cache", "memory", "queue", "agent", "sqlite"];
const ENABLED: readonly string[] = ["core", "cache", "memory", "queue", "txn", "agent"];

export function sandboxNeeds(ir: Ir, { summary, least_privilege_grant }: SecurityReport): SandboxNeeds {
  const adapters = Object.keys(summary.adapters).filter((name) => name !== "*");
  const has = (name: string): boolean => adapters.includes(name);
  const writes = summary.adapters["sqlite"]?.verbs.some((verb) => verb !== "query") === true;
  const strange = adapters.filter((name) => !PREPARED.includes(name));
  const time = least_privilege_grant.limits.max_time_ms ?? RESOURCE_FLOOR.max_time_ms ?? 0;
  return {
    files: {
      "program.json": text(ir as unknown as Json),
      "grant.json": text(least_privilege_grant as unknown as Json),
    },
    flags: [
      "--grant",
      `${PLACES.program}/grant.json`,
      ...adapters.filter((name) => !ENABLED.includes(name)).flatMap((name) => ["--enable-adapter", name]),
      ...(has("fs") ? ["--fs-root", PLACES.data] : []),
      ...(has("sqlite") ? ["--sqlite-db", `${PLACES.state}/data.db`, ...(writes ? ["--sqlite-allow-write"] : [])] : []),
    ],
    network: summary.network_facing,
    state: adapters.some((name) => STATEFUL.includes(name)),
    data: has("fs"),
    environment: summary.environment,
    seconds: Math.ceil(time / 1000),
    notes: [
      ...strange.map((name) => `adapter ${name} needs settings of its own: add them with --set or WF_ADAPTERS_CONFIG`),
      ...(summary.network_facing && summary.egress.dynamic
        ? ["which hosts it reaches only a run knows: name them with --http-allow-host"]
        : []),
      ...(summary.adapters["*"] === undefined ? [] : ["which adapters it calls only a run knows: look at the grant"]),
    ],
  };
}

const text = (value: Json): string => `${JSON.stringify(value)}\n`;
