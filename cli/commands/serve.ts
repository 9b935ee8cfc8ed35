/** `wf serve`: the HTTP runner service. The service itself is loaded on demand, so that no other command pays for it. */
import { resolve } from "node:path";
import { Command, Option } from "../clipanion.ts";
import { RUNTIME_VERSION } from "../version.ts";
import { WeftCommand } from "./base.ts";

export class ServeCommand extends WeftCommand {
  static override paths = [["serve"]];
  static override readonly idleFlags = ["--json", "--quiet", "--verbose", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Starts the HTTP runner service.",
    examples: [
      ["on 127.0.0.1:8770", "wf serve"],
      ["in a container", "wf serve --host 0.0.0.0 --state-dir /var/lib/weft"],
      ["under a security profile", "wf serve --profile sandbox_compute_and_store"],
      ["with the files of a folder", "wf serve --cwd /srv/weft --profile server.json --state-dir state"],
    ],
  });
  protected override readonly usesAdapters = false;

  host = Option.String("--host", { description: "<ADDRESS> listen there (WF_HOST)" });
  port = Option.String("--port", { description: "<N> listen on this port, 0 for a free one (WF_PORT)" });
  profile = Option.String("--profile", { description: "<NAME|FILE> the server's grant (WF_SECURITY_PROFILE)" });
  stateDir = Option.String("--state-dir", { description: "<DIR> keep state there (WF_STATE_DIR)" });
  dataRoot = Option.String("--data-root", { description: "<DIR> bound of caller-chosen files (WF_DATA_ROOT)" });
  databaseUrl = Option.String("--database-url", {
    description: "<URL> PostgreSQL of several replicas (WF_DATABASE_URL, which other processes cannot read)",
  });
  workers = Option.String("--workers", {
    description: "<N> threads for long runs and large batches (WF_WORKER_THREADS)",
  });
  logLevel = Option.String("--log-level", { description: "<LEVEL> debug, info, warn or error (WF_LOG_LEVEL)" });
  logFormat = Option.String("--log-format", { description: "<FORMAT> json or pretty (WF_LOG_FORMAT)" });

  async execute(): Promise<number> {
    const { io } = this.context;
    // The service reads files by the names it is given: relative ones are meant in this folder.
    const cwd = this.enterFolder();
    const inFolder = (place: string | undefined) => (place === undefined ? undefined : resolve(cwd, place));
    const flags: Readonly<Record<string, string | undefined>> = {
      WF_HOST: this.host,
      WF_PORT: this.port,
      WF_SECURITY_PROFILE: this.profile,
      WF_STATE_DIR: inFolder(this.stateDir),
      WF_DATA_ROOT: inFolder(this.dataRoot),
      WF_DATABASE_URL: this.databaseUrl,
      WF_WORKER_THREADS: this.workers,
      WF_LOG_LEVEL: this.logLevel,
      WF_LOG_FORMAT: this.logFormat,
    };
    const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
    const { serve } = await import("../../service/main.ts");
    return serve({
      variables: { ...io.environment, ...given },
      clock: io.clock,
      uuid: io.uuid,
      complain: (text) => io.stderr.write(inFlags(text, given)),
      listening: (facts) => io.stderr.write(`${greeting(facts)}${io.stderr.terminal ? HINT : ""}\n`),
      onSignal: (handler) => io.onSignal(handler),
      leave: (code) => io.leave(code),
    });
  }
}

const FLAG_OF: Readonly<Record<string, string>> = {
  WF_HOST: "--host",
  WF_PORT: "--port",
  WF_SECURITY_PROFILE: "--profile",
  WF_STATE_DIR: "--state-dir",
  WF_DATA_ROOT: "--data-root",
  WF_DATABASE_URL: "--database-url",
  WF_WORKER_THREADS: "--workers",
  WF_LOG_LEVEL: "--log-level",
  WF_LOG_FORMAT: "--log-format",
};

/** The service knows variables only; who gave a flag is told of that. */
function inFlags(text: string, given: Readonly<Record<string, unknown>>): string {
  return text.replace(/environment variable (WF_[A-Z_]+)/g, (whole, name: string) =>
    Object.hasOwn(given, name) ? `option ${FLAG_OF[name] ?? name}` : whole,
  );
}

/** For who sits at a terminal. */
const HINT = "  (GET / lists the endpoints, Ctrl-C stops it)";

type Listening = { readonly url: string; readonly profile: string | null; readonly queue: string };

function greeting({ url, profile, queue }: Listening): string {
  const facts = `listening on ${url}  profile ${profile ?? "none"}  queue ${queue}`;
  return `weft ${RUNTIME_VERSION} ${facts}`;
}
