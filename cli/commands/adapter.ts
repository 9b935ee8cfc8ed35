/** `wf adapter ACTION`: what authors of adapters need: a beginning, checks, tests, calls by hand, pages and schemas, pinned hashes. */
import { PROVIDED_ADAPTERS } from "../../adapters/registry.ts";
import { Command, Option } from "../clipanion.ts";
import { effectiveGrant } from "../effective-grant.ts";
import { usageFault } from "../faults.ts";
import { AdapterFlags } from "./adapter-flags.ts";
import { actionOf, oneOf, type Session } from "./base.ts";

const ACTIONS = ["new", "lint", "test", "call", "docs", "schema", "lock"] as const;
const KINDS = ["probe", "http_client", "key_value"] as const;
const FORMATS = ["table", "tap"] as const;

export class AdapterCommand extends AdapterFlags {
  static override paths = [["adapter"]];
  static override usage = Command.Usage({
    description: "Begins, checks, tests, calls and describes adapters, built-in ones and plugins.",
    details: `${ACTIONS.join("|")} [NAME|PATH] [ARGS]`,
    examples: [
      ["begin a plugin", "wf adapter new weather --kind http_client"],
      ["what to mend before it is published", "wf adapter lint ./weather"],
      ["the rules that every adapter keeps", "wf adapter test ./weather"],
      ["one call by hand", `wf adapter call fs.read '"notes.txt"' --fs-root data`],
      [
        "a call of a plugin, with settings",
        `wf adapter call weather.get '"one"' --plugin ./weather --settings @w.json`,
      ],
      ["its page for people", "wf adapter docs ./weather"],
      ["its schemas for programs", "wf adapter schema memory"],
      ["pin the plugins of the operator file", "wf adapter lock --adapters-config adapters.json"],
    ],
  });

  /** Plugins are loaded by what needs them: those that were changed are to be locked, and broken ones to be mended. */
  protected override readonly usesAdapters = false;

  operands = Option.Rest();
  kind = Option.String("--kind", { description: `<${KINDS.join("|")}> new: what to begin with; probe` });
  allowDirectIo = Option.Boolean("--allow-direct-io", false, {
    description: "lint: input and output of its own is meant, and its notes say why",
  });
  only = Option.Array("--only", { description: "<N,…> test: only these points of the suite" });
  format = Option.String("--format", { description: "<table|tap> test: how results are printed; table" });
  settingsOf = Option.String("--settings", { description: "<JSON|@FILE> call: settings of the adapter" });
  plugin = Option.Array("--plugin", { description: "<PATH> call: load this plugin, too (repeatable)" });
  dryRun = Option.Boolean("--dry-run", false, { description: "call: a verb that writes does nothing" });
  fill = Option.String("--fill", { description: "<FILE> docs: write the tables of this page anew" });
  check = Option.Boolean("--check", false, { description: "docs --fill, lock: write nothing, exit 1 on a difference" });

  async execute(): Promise<number> {
    const session = this.session();
    const [word, target, ...rest] = this.operands;
    const action = actionOf(word, ACTIONS);
    if (action !== "call" && rest.length > 0) throw usageFault("too many operands");
    switch (action) {
      case "new": {
        const { newPlugin } = await import("../adapter/new.ts");
        return newPlugin(session, target, oneOf("--kind", this.kind ?? "probe", KINDS));
      }
      case "lint": {
        const { lintPlugin } = await import("../adapter/lint.ts");
        return lintPlugin(session, needed(target, "PATH"), this.allowDirectIo);
      }
      case "test": {
        const { testPlugin } = await import("../adapter/test.ts");
        const format = oneOf("--format", this.format ?? "table", FORMATS);
        return testPlugin(session, needed(target, "PATH"), { only: this.only, format });
      }
      case "call":
        return this.call(session, target, rest);
      case "docs": {
        const { printDocs } = await import("../adapter/describe.ts");
        if (this.check && this.fill === undefined) throw usageFault("option --check goes with --fill");
        const page = { fill: this.fill, check: this.check };
        return this.withNamed(session, needed(target, "NAME or PATH"), (known, name) => printDocs(known, name, page));
      }
      case "schema": {
        const { printSchema } = await import("../adapter/describe.ts");
        return this.withNamed(session, needed(target, "NAME or PATH"), printSchema);
      }
      case "lock": {
        if (target !== undefined) throw usageFault("too many operands");
        const { lockPlugins } = await import("../adapter/lock.ts");
        return lockPlugins(session, this.adaptersConfig, this.check);
      }
    }
  }

  /** A name that is neither that of a built-in adapter nor a path is that of a plugin of the operator. */
  private async withNamed(
    session: Session,
    name: string,
    describe: (session: Session, name: string) => Promise<number>,
  ): Promise<number> {
    if (PROVIDED_ADAPTERS.includes(name) || /[./]/.test(name)) return describe(session, name);
    const known = await this.withAdapters(session);
    try {
      return await describe(known, name);
    } finally {
      await known.adapters?.close();
    }
  }

  private async call(plain: Session, target: string | undefined, words: readonly string[]): Promise<number> {
    const { makeCall, readCall, readSettings } = await import("../adapter/call.ts");
    const call = readCall(target, words);
    const session = await this.withAdapters(await withPlugins(plain, this.plugin));
    const { enable, set, ...flags } = this.adapterFlags();
    const settings = readSettings(session.cwd, call.adapter, this.settingsOf);
    const grant = effectiveGrant(session, {
      ...this.grantFlags(),
      project: this.project(session, "."),
      ...flags,
      enable: [...(enable ?? []), call.adapter],
      set: [...settings, ...(set ?? [])],
      dryRun: this.dryRun,
    });
    return makeCall(session, call, grant, this.dryRun || session.environment.host.dryRun);
  }
}

function needed(operand: string | undefined, what: string): string {
  if (operand === undefined) throw usageFault(`a ${what} is needed`);
  return operand;
}

/** The session of an operator who named these plugins besides. */
async function withPlugins(session: Session, paths: readonly string[] = []): Promise<Session> {
  const { cwd, environment } = session;
  const { fromHere, pluginFile } = await import("../adapter/plugin.ts");
  const plugins = [...environment.host.plugins, ...paths.map((path) => fromHere(cwd, pluginFile(cwd, path)))];
  return { ...session, environment: { ...environment, host: { ...environment.host, plugins } } };
}
