/** `wf playground`: the playground of the console in a browser, on a service of its own that keeps nothing. */
import { spawn } from "node:child_process";
import { Command, Option } from "../argv/clipanion.ts";
import { inFlags } from "../argv/flag-variables.ts";
import { WeftCommand } from "../commands/base.ts";

/** It is reached from this machine alone, and knows neither the jobs nor the programs of a service. */
const WITHOUT_STATE: Readonly<Record<string, string>> = {
  WF_HOST: "127.0.0.1",
  WF_UI: "playground",
  WF_UI_VALUES: "1",
};
const STATE_VARIABLES = ["WF_STATE_DIR", "WF_DATABASE_URL", "WF_PUBLIC_PORT", "WF_DEPLOY", "WF_OTEL_EXPORTER"];

export class PlaygroundCommand extends WeftCommand {
  static override paths = [["playground"]];
  static override readonly idleFlags = ["--json", "--quiet", "--verbose", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Open a playground in the browser: write a program, see what it would do, run it and step through it.",
    examples: [
      ["on a free port", "wf playground"],
      ["and show it", "wf playground --open"],
      ["under a security profile", "wf playground --profile sandbox_compute_and_store"],
    ],
  });
  static override readonly notes = [
    "It prints its address: `playground http://127.0.0.1:43211/ui/playground`. It keeps nothing: `WF_STATE_DIR` and `WF_DATABASE_URL` are ignored, jobs and programs of a service are not seen, and what runs there is gone when Ctrl-C stops it. Runs may do what the environment grants, as with `wf serve`.",
  ];
  static override readonly pages = ["console.md#the-playground"];
  protected override readonly usesAdapters = false;

  port = Option.String("--port", "0", { description: "<N> port to listen on (default: a free one)" });
  profile = Option.String("--profile", {
    description: "<NAME|FILE> security profile of its runs (WF_SECURITY_PROFILE)",
  });
  open = Option.Boolean("--open", false, { description: "show the page in the browser" });

  async execute(): Promise<number> {
    const { io } = this.context;
    this.enterFolder();
    const { serve } = await import("../../service/main.ts");
    const given = {
      WF_PORT: this.port,
      ...(this.profile === undefined ? {} : { WF_SECURITY_PROFILE: this.profile }),
    };
    const kept = Object.entries(io.environment).filter(([name]) => !STATE_VARIABLES.includes(name));
    return serve({
      variables: {
        WF_LOG_LEVEL: "error",
        ...Object.fromEntries(kept),
        ...WITHOUT_STATE,
        ...given,
      },
      clock: io.clock,
      uuid: io.uuid,
      complain: (text) => io.stderr.write(inFlags(text.replace(/^wf serve:/gm, "wf playground:"), given)),
      listening: ({ url }) => {
        const address = `${url}/ui/playground`;
        io.stderr.write(`playground ${address}${io.stderr.terminal ? "  (Ctrl-C stops it)" : ""}\n`);
        if (this.open) show(address, (message) => io.stderr.write(`wf playground: ${message}\n`));
      },
      onSignal: (handler) => io.onSignal(handler),
      leave: (code) => io.leave(code),
    });
  }
}

/** Asks the desktop to show an address. */
function show(address: string, complain: (message: string) => void): void {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(command, [address], { stdio: "ignore", detached: true });
  child.once("error", () => complain(`the browser cannot be started by ${command}; open the address yourself`));
  child.unref();
}
