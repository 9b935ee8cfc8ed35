/** The second server put together: its environment, the service that has the programs, and the first list of tools. */
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { createJsonLog } from "../../adapters/run-log/lines.ts";
import type { Clock } from "../../vm/run.ts";
import { readMcpStart } from "../config.ts";
import { askingAt, ServiceAway, serviceAddress } from "../service/ask.ts";
import type { StartIo } from "../start.ts";
import { programHandlers } from "./handlers.ts";
import { ToolList } from "./tool-list.ts";

export type ProgramsAsked = {
  /** Address of the service. */
  readonly url: string;
  /** Versions that no person accepted are tools, too. */
  readonly unreviewed: boolean;
  /** `NAME@VERSION` each. */
  readonly pins: readonly string[];
};

/** Rejects with StartFault, also where the service does not answer. */
export async function programsServer(
  { variables, clock, complain }: Pick<StartIo, "variables" | "complain"> & { readonly clock: Clock },
  { url, unreviewed, pins }: ProgramsAsked,
) {
  const { config } = readMcpStart(variables);
  const address = serviceAddress(url);
  if (address === null)
    throw new StartFault("--programs needs the address of a service, such as http://127.0.0.1:8770");
  const log = createJsonLog({ level: config.log.level, clock, emit: complain });
  const ask = askingAt(address);
  const warn = (message: string): void => void log.write("warn", "program_tools", { message });
  const list = new ToolList({ ask, clock, unreviewed, pins: pinned(pins), warn });
  try {
    await list.read(new AbortController().signal);
  } catch (cause) {
    throw cause instanceof ServiceAway ? new StartFault(cause.message) : cause;
  }
  const { maxConcurrency, maxResultBytes } = config;
  const handlers = programHandlers({ ask, list, clock, maxConcurrency, maxResultBytes });
  return { handlers, clock, log, config, tools: () => [...list.tools.keys()] };
}

function pinned(pins: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    pins.map((pin) => {
      const [, name = "", version] = /^([a-z0-9][a-z0-9-]{0,62})@([1-9][0-9]{0,8})$/.exec(pin) ?? [];
      if (version === undefined) throw new StartFault(`--pin needs a name and a version, such as digest@3, not ${pin}`);
      return [name, Number(version)];
    }),
  );
}
