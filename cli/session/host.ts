import type { AdapterLog } from "../../adapters/definition/effect.ts";
import type { HostConfig } from "../../adapters/operator/host-config.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import type { HostAdapters } from "../../adapters/plugins/open.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import { createHost, type Host } from "../../vm/host.ts";
import type { CliEnvironment } from "./environment.ts";
import { CliFault, EXIT } from "./faults.ts";
import type { CliIo } from "./io.ts";

export function openHost(io: CliIo, environment: CliEnvironment, adapters: HostAdapters | null): Host {
  if (io.host !== undefined) return io.host;
  return createHost({
    clock: io.clock,
    facts: { uuid: io.uuid, env: (name) => environment.host.exposed.get(name) },
    catalog: adapters === null ? builtinCatalog : createCatalog(adapters.entries),
    adapters: new Map(),
    traceId: io.uuid,
    tier: environment.host.tier ?? "auto",
    ...(environment.host.frameCeilingBytes === null ? {} : { frameCeilingBytes: environment.host.frameCeilingBytes }),
  });
}

/** The adapters of an operator who names plugins or has a file; null: the built-in ones, for which nothing is loaded. */
export async function hostAdapters(config: HostConfig, folder: string, log: AdapterLog): Promise<HostAdapters | null> {
  if (config.plugins.length === 0 && config.adaptersFile === null) return null;
  const { openAdapters } = await import("../../adapters/plugins/open.ts");
  try {
    return await openAdapters(config, { folder, log });
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    throw new CliFault(cause.message, { error: "invalid_configuration", exitCode: EXIT.usage });
  }
}
