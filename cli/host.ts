/**
 * The host of the command line: the built-in catalog, the real clock and random ids, and only those host variables that
 * WF_EXPOSE_ENV names. Adapters with a provider are handed over here; core is part of the machine itself.
 */
import { builtinCatalog } from "../compiler/catalog/builtin.ts";
import { createHost, type Host } from "../vm/host.ts";
import type { CliEnvironment } from "./environment.ts";
import type { CliIo } from "./io.ts";

/** Adapters a program can really call in this build. */
export const PROVIDED_ADAPTERS: readonly string[] = ["core"];

export function openHost(io: CliIo, environment: CliEnvironment): Host {
  if (io.host !== undefined) return io.host;
  return createHost({
    clock: io.clock,
    facts: { uuid: io.uuid, env: (name) => environment.exposed.get(name) },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: io.uuid,
    ...(environment.frameCeilingBytes === null ? {} : { frameCeilingBytes: environment.frameCeilingBytes }),
  });
}
