/** `wf serve`: the HTTP runner service. The service itself is loaded on demand, so that no other command pays for it. */
import { Command, Option } from "../clipanion.ts";
import { WeftCommand } from "./base.ts";

export class ServeCommand extends WeftCommand {
  static override paths = [["serve"]];
  static override usage = Command.Usage({
    description: "Starts the HTTP runner service.",
    examples: [
      ["on 127.0.0.1:8770", "wf serve"],
      ["in a container", "wf serve --host 0.0.0.0 --state-dir /var/lib/weft"],
      ["under a security profile", "wf serve --profile sandbox_compute_and_store"],
    ],
  });
  protected override readonly usesAdapters = false;

  host = Option.String("--host", { description: "<ADDRESS> listen there (WF_HOST)" });
  port = Option.String("--port", { description: "<N> listen on this port, 0 for a free one (WF_PORT)" });
  profile = Option.String("--profile", { description: "<NAME|FILE> the server's grant (WF_SECURITY_PROFILE)" });
  stateDir = Option.String("--state-dir", { description: "<DIR> keep state there (WF_STATE_DIR)" });
  dataRoot = Option.String("--data-root", { description: "<DIR> bound of caller-chosen files (WF_DATA_ROOT)" });
  logLevel = Option.String("--log-level", { description: "<LEVEL> debug, info, warn or error (WF_LOG_LEVEL)" });
  logFormat = Option.String("--log-format", { description: "<FORMAT> json or pretty (WF_LOG_FORMAT)" });

  async execute(): Promise<number> {
    const { io } = this.context;
    const flags: Readonly<Record<string, string | undefined>> = {
      WF_HOST: this.host,
      WF_PORT: this.port,
      WF_SECURITY_PROFILE: this.profile,
      WF_STATE_DIR: this.stateDir,
      WF_DATA_ROOT: this.dataRoot,
      WF_LOG_LEVEL: this.logLevel,
      WF_LOG_FORMAT: this.logFormat,
    };
    const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
    const { serve } = await import("../../service/main.ts");
    return serve({
      variables: { ...io.environment, ...given },
      clock: io.clock,
      uuid: io.uuid,
      complain: (text) => io.stderr.write(text),
      onSignal: (handler) => io.onSignal(handler),
      leave: (code) => io.leave(code),
    });
  }
}
