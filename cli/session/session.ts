import type { AdapterLog } from "../../adapters/definition/effect.ts";
import type { HostAdapters } from "../../adapters/plugins/open.ts";
import type { Host } from "../../vm/host.ts";
import type { CliEnvironment } from "./environment.ts";
import type { CliIo } from "./io.ts";
import type { Screen } from "./screen.ts";

/** The things a command works with, made once per command line. */
export type Session = {
  readonly io: CliIo;
  readonly environment: CliEnvironment;
  readonly cwd: string;
  readonly screen: Screen;
  readonly host: Host;
  /** null: the built-in ones. */
  readonly adapters: HostAdapters | null;
};

/** What adapters say to the operator is shown to a user who asked for more. */
export function operatorLog(screen: Screen): AdapterLog {
  return (event, fields) => {
    if (screen.verbose) screen.note(`${event}${fields === undefined ? "" : ` ${JSON.stringify(fields)}`}`);
  };
}
