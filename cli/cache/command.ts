/** `wf cache import FILE`: entries of a file into the cache that programs use. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf } from "../commands/base.ts";
import { AdapterFlags, flagsOfOtherAdapters } from "../commands/flags/adapter-flags.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { readText } from "../input/input.ts";
import { counted } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

const ACTIONS = ["import"] as const;
const MAX_IMPORT_BYTES = 256 * 1024 * 1024;

export class CacheCommand extends AdapterFlags {
  static override paths = [["cache"]];
  static override readonly actions = {
    import: { operands: "FILE", summary: "Set the entries of a file that are not in the cache yet." },
  };
  static override readonly idleFlags = flagsOfOtherAdapters("cache");
  static override usage = Command.Usage({
    description: "Import the entries of a file into the cache.",
    details: `${ACTIONS.join("|")} FILE`,
    examples: [
      ["set missing entries", "wf cache import cache.json"],
      ["from standard input, into a separate cache file", "wf cache import - --cache-path cache.db < cache.json"],
      ["overwrite existing entries", "wf cache import cache.json --force --yes"],
    ],
  });
  static override readonly notes = [
    'FILE, or `-` for standard input, is a JSON object `{"<namespace>": {"<key>": value}}`. Each entry is a call of `cache.set` without a lifetime, through policy and settings like that of a program, into the store that programs use (`WF_CACHE_PATH`, `--cache-path`, `cache.db` in `WF_STATE_DIR`, the database of `WF_DATABASE_URL`; without any of them `cache_error`).',
    "All entries are checked before the first one is set: names, `max_value_bytes`, `allow_namespaces`, `allow_write`, and at most `max_entries` in a namespace, because more would evict each other. If one cannot be set, none is, and each faulty entry is reported with its place (`invalid_entry`, exit 2). With `--json`: `{ok, imported, kept}`, or `issues: [{path, message}]`.",
  ];
  static override readonly pages = ["adapters/cache.md"];

  action = Option.String({ required: false });
  file = Option.String({ required: false });
  force = Option.Boolean("--force", false, { description: "overwrite existing entries; requires --yes" });
  yes = Option.Boolean("--yes", false, { description: "confirm an irreversible operation" });

  async execute(): Promise<number> {
    const session = this.session();
    actionOf(this.action, ACTIONS);
    const { file } = this;
    if (file === undefined) throw usageFault("missing FILE; use - for standard input");
    if (this.force && !this.yes) throw usageFault("overwriting entries cannot be undone; add --yes to confirm");
    const grant = this.grantFor(session, "cache");
    const { result, by } = await interruptible(session.io, (signal) =>
      this.import(session, grant, file, signal),
    ).finally(() => grant.close());
    if (by !== null) return exitOf(by);
    return result ?? EXIT.failed;
  }

  private async import(session: Session, grant: EffectiveGrant, file: string, signal: AbortSignal): Promise<number> {
    const { screen, io, cwd } = session;
    const [{ keptCache, readEntries, setEntry }, { preparedCall, verbCaller }] = await Promise.all([
      import("./entries.ts"),
      import("../run/verb-caller.ts"),
    ]);
    // Check policy and settings before reading the file, and check all entries before setting the first one.
    await preparedCall(grant, "cache", "set", ["any", null]);
    const settings = keptCache(session, grant);
    const entries = readEntries(file, await readText(io, cwd, file, MAX_IMPORT_BYTES), settings);
    // Ctrl-C stops between two entries, because the effect of a cancelled call would be unknown.
    const call = verbCaller(session, grant, "cache", new AbortController().signal);
    let imported = 0;
    let kept = 0;
    for (const entry of entries) {
      if (signal.aborted) break;
      if (await setEntry(call, entry, this.force)) imported += 1;
      else kept += 1;
    }
    if (screen.json) screen.document({ ok: true, imported, kept });
    else
      screen.note(
        `${counted(imported, "entry", "entries")} imported, ${counted(kept, "entry", "entries")} already present`,
      );
    return EXIT.success;
  }
}
