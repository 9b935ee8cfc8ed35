/** The flags that enable adapters and give their settings, shared by the commands that run programs. */
import { Option } from "../../argv/clipanion.ts";
import { type EffectiveGrant, effectiveGrant, type GrantFlags } from "../../grant/effective-grant.ts";
import { SETTING_FLAGS, type SettingFlagValues } from "../../grant/setting-flags.ts";
import { sharedPlaceNotes } from "../../grant/shared-places.ts";
import type { Session } from "../../session/session.ts";
import { GrantCommand, RESTRICTION_FLAGS } from "./grant-command.ts";

/** The flags that do nothing for a command about `adapter`, or about no adapter: those that set or restrict others. */
export function flagsOfOtherAdapters(adapter: string | null): readonly string[] {
  const settings = Object.values(SETTING_FLAGS).filter((setting) => setting.adapter !== adapter);
  return [...RESTRICTION_FLAGS, "--enable-adapter", ...settings.map(({ flag }) => flag)];
}

export abstract class AdapterFlags extends GrantCommand {
  enableAdapter = Option.Array("--enable-adapter", { description: "<NAME> enable an adapter (repeatable)" });
  httpAllowHost = Option.Array("--http-allow-host", { description: "<HOST> hosts that http may reach (repeatable)" });
  httpTimeoutS = Option.String("--http-timeout-s", { description: "<N> timeout of one HTTP call in seconds" });
  httpMaxResponseBytes = Option.String("--http-max-response-bytes", {
    description: "<N> maximum size of an HTTP response",
  });
  sqliteDb = Option.String("--sqlite-db", { description: "<FILE> database file of sqlite" });
  sqliteAllowWrite = Option.Boolean("--sqlite-allow-write", { description: "allow sqlite to change data" });
  sqliteAllowTable = Option.Array("--sqlite-allow-table", {
    description: "<NAME> tables that sqlite may use (repeatable)",
  });
  sqliteTimeoutS = Option.String("--sqlite-timeout-s", { description: "<N> timeout of one SQL statement in seconds" });
  fsRoot = Option.String("--fs-root", { description: "<DIR> root folder of fs" });
  fsAllowExt = Option.Array("--fs-allow-ext", { description: "<.EXT> file extensions that fs may use (repeatable)" });
  fsMaxReadBytes = Option.String("--fs-max-read-bytes", { description: "<N> maximum size of a file that fs reads" });
  fsMaxWriteBytes = Option.String("--fs-max-write-bytes", { description: "<N> maximum size of a file that fs writes" });
  fsAllowDelete = Option.Boolean("--fs-allow-delete", { description: "allow fs to delete files" });
  toolsAllow = Option.Array("--tools-allow", { description: "<NAME> tools that may be called (repeatable)" });
  wasmModule = Option.Array("--wasm-module", { description: "<NAME=FILE> WebAssembly module (repeatable)" });
  wasmAllowModule = Option.Array("--wasm-allow-module", {
    description: "<NAME> modules that wasm may run (repeatable)",
  });
  memoryDb = Option.String("--memory-db", { description: "<FILE> database file of memory" });
  agentRoot = Option.String("--agent-root", { description: "<DIR> mailbox folder of agent" });
  cachePath = Option.String("--cache-path", { description: "<FILE> file of cache" });
  set = Option.Array("--set", { description: "<ADAPTER.KEY=JSON> any adapter setting (repeatable)" });

  protected adapterFlags(): Pick<GrantFlags, "enable" | "settings" | "set"> {
    // The fields above have the names of the table.
    return { enable: this.enableAdapter, settings: this.values(), set: this.set };
  }

  /** The grant of a command about one adapter; the command enables that adapter. */
  protected grantFor(session: Session, adapter: string): EffectiveGrant {
    const flags = this.adapterFlags();
    const enable = [...(flags.enable ?? []), adapter];
    const project = this.project(session, ".");
    const grant = effectiveGrant(session, { ...this.grantFlags(), ...flags, enable, project });
    const touched = { admission: grant.admission, adapters: new Set([adapter]) };
    for (const note of sharedPlaceNotes(session, touched)) session.screen.note(note);
    return grant;
  }

  private values(): SettingFlagValues {
    return this;
  }
}
