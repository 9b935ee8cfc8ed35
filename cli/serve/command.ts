/** `wf serve`: the HTTP runner service. The service itself is loaded on demand, so that no other command pays for it. */
import { resolve } from "node:path";
import { Command, Option } from "../argv/clipanion.ts";
import { inFlags } from "../argv/flag-variables.ts";
import { WeftCommand } from "../commands/base.ts";
import { listOf } from "../grant/limit-flags.ts";
import { findFiles } from "../input/files.ts";
import { leftOutText } from "../input/python-files.ts";
import { type FileOutcome, outcomeText } from "../output/deployment.ts";
import { usageFault } from "../session/faults.ts";
import { RUNTIME_VERSION } from "../session/version.ts";
import { servedFiles, watchServed } from "./served-files.ts";

export class ServeCommand extends WeftCommand {
  static override paths = [["serve"]];
  static override readonly idleFlags = ["--json", "--quiet", "--verbose", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Start the HTTP service.",
    examples: [
      ["on 127.0.0.1:8770", "wf serve"],
      ["with the programs of a folder, deployed again when they change", "wf serve flows/ --watch"],
      ["with programs that use http and llm", "wf serve flows/ --enable-adapter http,llm"],
      ["in a container", "wf serve --host 0.0.0.0 --state-dir /var/lib/weft"],
      ["under a security profile", "wf serve --profile automation_team"],
      ["with the files of a folder", "wf serve --cwd /srv/weft --profile server.json --state-dir state"],
    ],
  });
  static override readonly notes = [
    "PATH is a file or folder whose programs are deployed at the start. SIGTERM and Ctrl-C stop the service after the runs in flight; a second signal stops it at once.",
    "stdout is its log, in JSON lines, or one readable line per event where it is a terminal. The first line on stderr says where it listens, and with which profile and queue.",
    "Flags take relative paths, variables absolute ones. With `--cwd` the service starts in that folder, and relative paths in flags, `WF_ADAPTERS`, `WF_ADAPTERS_CONFIG`, `WF_PROFILES_FILE` and `WF_SECURITY_PROFILE` are relative to it.",
  ];
  static override readonly pages = [
    "start-operator.md",
    "programs.md#from-files",
    "http.md#start-and-stop",
    "deploy.md",
    "console.md",
  ];
  protected override readonly usesAdapters = false;

  places = Option.Rest({ name: "PATH" });
  watch = Option.Boolean("--watch", false, {
    description: "deploy a program again when its file changes, and print the difference",
  });
  host = Option.String("--host", { description: "<ADDRESS> address to listen on (WF_HOST)" });
  port = Option.String("--port", { description: "<N> port to listen on; 0 picks a free one (WF_PORT)" });
  profile = Option.String("--profile", {
    description: "<NAME|FILE> security profile of the service (WF_SECURITY_PROFILE)",
  });
  stateDir = Option.String("--state-dir", { description: "<DIR> folder for state (WF_STATE_DIR)" });
  dataRoot = Option.String("--data-root", {
    description: "<DIR> folder that contains all files chosen by callers (WF_DATA_ROOT)",
  });
  databaseUrl = Option.String("--database-url", {
    description:
      "<URL> PostgreSQL database shared by all replicas. Prefer WF_DATABASE_URL: other users can see command-line arguments",
  });
  enable = Option.Array("--enable-adapter", {
    description: "<NAME> enable adapters besides those of WF_ENABLE_ADAPTERS and the operator's file (repeatable)",
  });
  strictDeploy = Option.Boolean("--strict-deploy", false, {
    description:
      "refuse programs that use adapters which are not enabled, or secrets which are not set (WF_DEPLOY_STRICT)",
  });
  ui = Option.String("--ui", {
    description:
      "<MODE> what the console at /ui may do: off, read, act or playground (WF_UI; default: read on a loopback address, else off)",
  });
  workers = Option.String("--workers", {
    description: "<N> number of threads for long runs and large batches (WF_WORKER_THREADS)",
  });
  logLevel = Option.String("--log-level", {
    description: "<LEVEL> log level: debug, info, warn or error (WF_LOG_LEVEL)",
  });
  logFormat = Option.String("--log-format", {
    description: "<FORMAT> log format: json or pretty (WF_LOG_FORMAT; default: pretty on a terminal, else json)",
  });

  async execute(): Promise<number> {
    const { io } = this.context;
    // The service reads files by the names it is given: relative ones are meant in this folder.
    const cwd = this.enterFolder();
    const inFolder = (place: string | undefined) => (place === undefined ? undefined : resolve(cwd, place));
    // A person at a terminal reads lines; whatever collects a log reads JSON.
    const isWatched = io.stdout.terminal;
    const pretty = isWatched && io.environment["WF_LOG_FORMAT"] === undefined ? "pretty" : undefined;
    const flags: Readonly<Record<string, string | undefined>> = {
      WF_UI: this.ui,
      WF_DEPLOY_STRICT: this.strictDeploy ? "on" : undefined,
      WF_HOST: this.host,
      WF_PORT: this.port,
      WF_SECURITY_PROFILE: this.profile,
      WF_STATE_DIR: inFolder(this.stateDir),
      WF_DATA_ROOT: inFolder(this.dataRoot),
      WF_DATABASE_URL: this.databaseUrl,
      WF_WORKER_THREADS: this.workers,
      WF_LOG_LEVEL: this.logLevel,
      WF_LOG_FORMAT: this.logFormat ?? pretty,
    };
    const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
    if (this.watch && this.places.length === 0) throw usageFault("option --watch needs a PATH");
    const files = this.places.length === 0 ? {} : { files: this.programs(cwd) };
    const { serve } = await import("../../service/main.ts");
    return serve({
      ...files,
      isWatched: isWatched && io.stderr.terminal,
      enable: listOf(this.enable).map((name) => name.toLowerCase()),
      variables: { ...io.environment, ...given },
      clock: io.clock,
      uuid: io.uuid,
      complain: (text) => io.stderr.write(inFlags(text, given)),
      listening: (facts) =>
        io.stderr.write(`${greeting(facts)}${io.stderr.terminal ? HINT : ""}\n${consoleLine(facts)}`),
      onSignal: (handler) => io.onSignal(handler),
      leave: (code) => io.leave(code),
    });
  }

  /** What stands at the paths, looked for now so that a wrong path stops the start. */
  private programs(cwd: string) {
    const { io } = this.context;
    const { screen } = this.session();
    const { places: paths } = this;
    let leftOut = 0;
    findFiles(cwd, paths, () => {
      leftOut += 1;
    });
    if (leftOut > 0) io.stderr.write(`${leftOutText(leftOut)}\n`);
    return {
      read: () => servedFiles(cwd, paths, io.clock),
      ...(this.watch ? { watch: (changed: () => void) => watchServed(cwd, paths, io.clock, changed) } : {}),
      report: (outcome: FileOutcome) => io.stderr.write(outcomeText(outcome, screen.paint)),
    };
  }
}

/** For who sits at a terminal. */
const HINT = "  (GET / lists the endpoints, Ctrl-C stops it)";

type Listening = {
  readonly url: string;
  readonly profile: string | null;
  readonly queue: string;
  readonly console: "off" | "read" | "act" | "playground";
};

function greeting({ url, profile, queue }: Listening): string {
  const facts = `listening on ${url}  profile ${profile ?? "none"}  queue ${queue}`;
  return `weft ${RUNTIME_VERSION} ${facts}`;
}

const CONSOLE_NOTES = {
  read: "read only",
  act: "acts for everyone who can reach this address",
  playground: "a playground that runs programs for everyone who can reach this address",
} as const;

/** Who can act through the console is said, because the service has no login. */
function consoleLine({ url, console: mode }: Listening): string {
  if (mode === "off") return "";
  return `console ${url}/ui  ${CONSOLE_NOTES[mode]}\n`;
}
