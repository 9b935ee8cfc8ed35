/**
 * The host that the command line compiles with: the built-in catalog, the real clock and random ids. What runs a program is opened
 * with its grant (`effective-grant.ts`).
 */
import { builtinCatalog } from "../compiler/catalog/builtin.ts";
import { createHost, type Host } from "../vm/host.ts";
import type { CliEnvironment } from "./environment.ts";
import type { CliIo } from "./io.ts";

export function openHost(io: CliIo, environment: CliEnvironment): Host {
  if (io.host !== undefined) return io.host;
  return createHost({
    clock: io.clock,
    facts: { uuid: io.uuid, env: (name) => environment.host.exposed.get(name) },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: io.uuid,
    ...(environment.host.frameCeilingBytes === null ? {} : { frameCeilingBytes: environment.host.frameCeilingBytes }),
  });
}
