/** `wf adapter ACTION`: what authors of adapters need: a beginning, checks, tests, calls by hand, pages and schemas, pinned hashes. */
import { PROVIDED_ADAPTERS } from "../../adapters/registry.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, oneOf } from "../commands/base.ts";
import { AdapterFlags, flagsOfOtherAdapters } from "../commands/flags/adapter-flags.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

const ACTIONS = ["new", "lint", "test", "call", "docs", "schema", "lock"] as const;
const KINDS = ["probe", "http_client", "key_value"] as const;
const FORMATS = ["table", "tap"] as const;

/** Only `call` runs under a grant; the actions that name plugins of the operator still read its file. */
const SETTING_AND_GRANT_FLAGS = [
  ...flagsOfOtherAdapters(null),
  "--set",
  "--profile",
  "--grant",
  "--policy",
  "--config",
];
const ALL_GRANT_FLAGS = [...SETTING_AND_GRANT_FLAGS, "--adapters-config"];

export class AdapterCommand extends AdapterFlags {
  static override paths = [["adapter"]];
  static override readonly actions = {
    new: { operands: "NAME", summary: "Create a plugin from a template.", idleFlags: ALL_GRANT_FLAGS },
    lint: { operands: "PATH", summary: "Check a plugin before it is published.", idleFlags: ALL_GRANT_FLAGS },
    test: { operands: "PATH", summary: "Run the conformance suite against a plugin.", idleFlags: ALL_GRANT_FLAGS },
    call: { operands: "ADAPTER.VERB [ARGS]", summary: "Call one verb; each argument is JSON." },
    docs: {
      operands: "NAME|PATH",
      summary: "Print the documentation page of an adapter.",
      idleFlags: SETTING_AND_GRANT_FLAGS,
    },
    schema: {
      operands: "NAME|PATH",
      summary: "Print the schemas of an adapter as JSON.",
      idleFlags: SETTING_AND_GRANT_FLAGS,
    },
    lock: {
      operands: "",
      summary: "Record the hashes of all plugins in the operator file.",
      idleFlags: SETTING_AND_GRANT_FLAGS,
    },
  };
  static override usage = Command.Usage({
    description: "Create, lint, test, call and document adapters (built-in or plugin).",
    details: `${ACTIONS.join("|")} [NAME|PATH] [ARGS]`,
    examples: [
      ["create a plugin", "wf adapter new weather --kind http_client"],
      ["what to fix before it is published", "wf adapter lint ./weather"],
      ["the rules that every adapter must follow", "wf adapter test ./weather"],
      ["one call by hand", `wf adapter call fs.read '"notes.txt"' --fs-root data`],
      [
        "a call of a plugin, with settings",
        `wf adapter call weather.get '"one"' --plugin ./weather --settings @w.json`,
      ],
      ["its documentation page", "wf adapter docs ./weather"],
      ["its schemas as JSON", "wf adapter schema memory"],
      ["pin the plugins of the operator file", "wf adapter lock --adapters-config adapters.json"],
    ],
  });
  static override readonly notes = [
    "PATH is a module or the folder of a package; NAME is an adapter or a plugin of the operator. `call` makes one call through policy, settings and argument check, with the flags of `wf run` for grant and settings; naming the adapter enables it.",
    "`lint` checks the rules of the definition, missing facts, examples, names, and input and output that bypass the host. `test` runs the twelve points of the conformance suite, the checks of the plugin's kind and its cases. Both end with 1 on a failure. `docs --fill` leaves the prose of the page as it is. After `lock`, changed content of a plugin stops the start.",
    "With `--json`: `call` prints `{ok, result}` or `{ok, error, message, error_structured}`, each with `trace_id`, `adapter`, `verb`, `duration_ms` and `warnings`; `lint` `{ok, findings: [{severity, rule, place, message}]}`; `test` `{ok, adapter, version, passed, failed, skipped, reports: [{number, title, findings, skipped?, ms}]}`; `lock` `{ok, file, plugins: [{plugin, sha256, changed}]}`.",
  ];
  static override readonly pages = ["adapters/writing.md", "plugins.md"];

  /** Each action loads the plugins it needs, so that changed plugins can be locked and broken ones fixed. */
  protected override readonly usesAdapters = false;

  operands = Option.Rest();
  kind = Option.String("--kind", { description: `<${KINDS.join("|")}> new: template (default: probe)` });
  allowDirectIo = Option.Boolean("--allow-direct-io", false, {
    description: "lint: accept direct input and output that the notes of the plugin explain",
  });
  only = Option.Array("--only", { description: "<N,…> test: run only these points of the suite" });
  format = Option.String("--format", { description: "<table|tap> test: output format (default: table)" });
  settingsOf = Option.String("--settings", { description: "<JSON|@FILE> call: settings of the adapter" });
  plugin = Option.Array("--plugin", { description: "<PATH> call: also load this plugin (repeatable)" });
  dryRun = Option.Boolean("--dry-run", false, {
    description: "call: check the arguments of a verb that writes, but do not execute it",
  });
  fill = Option.String("--fill", { description: "<FILE> docs: rewrite the tables of this page" });
  check = Option.Boolean("--check", false, { description: "docs, lock: write nothing; exit with 1 on a difference" });

  async execute(): Promise<number> {
    const session = this.session();
    const [word, target, ...rest] = this.operands;
    const action = actionOf(word, ACTIONS);
    if (action !== "call" && rest.length > 0) throw usageFault("too many operands");
    switch (action) {
      case "new": {
        const { newPlugin } = await import("./new.ts");
        return newPlugin(session, target, oneOf("--kind", this.kind ?? "probe", KINDS));
      }
      case "lint": {
        const { lintPlugin } = await import("./lint.ts");
        return lintPlugin(session, needed(target, "PATH"), this.allowDirectIo);
      }
      case "test": {
        const { testPlugin } = await import("./test.ts");
        const format = oneOf("--format", this.format ?? "table", FORMATS);
        return testPlugin(session, needed(target, "PATH"), { only: this.only, format });
      }
      case "call":
        return this.call(session, target, rest);
      case "docs": {
        const { printDocs } = await import("./describe.ts");
        if (this.check && this.fill === undefined) throw usageFault("option --check goes with --fill");
        const page = { fill: this.fill, check: this.check };
        return this.withNamed(session, needed(target, "NAME or PATH"), (known, name) => printDocs(known, name, page));
      }
      case "schema": {
        const { printSchema } = await import("./describe.ts");
        return this.withNamed(session, needed(target, "NAME or PATH"), printSchema);
      }
      case "lock": {
        if (target !== undefined) throw usageFault("too many operands");
        const { lockPlugins } = await import("./lock.ts");
        return lockPlugins(session, this.adaptersConfig, this.check);
      }
    }
  }

  /** A name that is neither a built-in adapter nor a path is a plugin of the operator. */
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
    const { makeCall, readCall, readSettings } = await import("./call.ts");
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
  if (operand === undefined) throw usageFault(`missing ${what}`);
  return operand;
}

/** The session with these plugins in addition to those of the operator. */
async function withPlugins(session: Session, paths: readonly string[] = []): Promise<Session> {
  const { cwd, environment } = session;
  const { fromHere, pluginFile } = await import("./plugin.ts");
  const plugins = [...environment.host.plugins, ...paths.map((path) => fromHere(cwd, pluginFile(cwd, path)))];
  return { ...session, environment: { ...environment, host: { ...environment.host, plugins } } };
}
