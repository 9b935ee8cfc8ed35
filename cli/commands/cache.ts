/** `wf cache import FILE`: entries of a file into the cache that programs use. */
import { Command, Option } from "../clipanion.ts";
import type { EffectiveGrant } from "../effective-grant.ts";
import { EXIT, usageFault } from "../faults.ts";
import { readText } from "../input.ts";
import { exitOf, interruptible } from "../interrupt.ts";
import { counted } from "../output/table.ts";
import { AdapterFlags } from "./adapter-flags.ts";
import { actionOf, type Session } from "./base.ts";

const ACTIONS = ["import"] as const;
const MAX_IMPORT_BYTES = 256 * 1024 * 1024;

export class CacheCommand extends AdapterFlags {
  static override paths = [["cache"]];
  static override usage = Command.Usage({
    description: "Puts the entries of a file into the cache.",
    details: `${ACTIONS.join("|")} FILE`,
    examples: [
      ["set what is missing", "wf cache import cache.json"],
      ["from standard input, into a file of one's own", "wf cache import - --cache-path cache.db < cache.json"],
      ["write over what is there", "wf cache import cache.json --force --yes"],
    ],
  });

  action = Option.String({ required: false });
  file = Option.String({ required: false });
  force = Option.Boolean("--force", false, { description: "write over entries that are there; needs --yes" });
  yes = Option.Boolean("--yes", false, { description: "do what cannot be undone" });

  async execute(): Promise<number> {
    const session = this.session();
    actionOf(this.action, ACTIONS);
    const { file } = this;
    if (file === undefined) throw usageFault("a FILE is needed (or - for standard input)");
    if (this.force && !this.yes) throw usageFault("this cannot be undone; add --yes to import over what is there");
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
      import("../cache/entries.ts"),
      import("../verb-caller.ts"),
    ]);
    // Policy and settings have their say before the file is looked at, and all entries are checked before the first one is set.
    await preparedCall(grant, "cache", "set", ["any", null]);
    const settings = keptCache(session, grant);
    const entries = readEntries(file, await readText(io, cwd, file, MAX_IMPORT_BYTES), settings);
    // Ctrl-C ends it between two entries: what a cancelled call did would not be known.
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
        `${counted(imported, "entry", "entries")} imported, ${counted(kept, "entry", "entries")} kept that were there`,
      );
    return EXIT.success;
  }
}
