/** The flags that enable adapters and give their settings, shared by the commands that run programs. */
import { Option } from "../clipanion.ts";
import { type EffectiveGrant, effectiveGrant, type GrantFlags } from "../effective-grant.ts";
import type { SettingFlagValues } from "../setting-flags.ts";
import type { Session } from "./base.ts";
import { GrantCommand } from "./grant-command.ts";

export abstract class AdapterFlags extends GrantCommand {
  enableAdapter = Option.Array("--enable-adapter", { description: "<NAME> enable an adapter (repeatable)" });
  httpAllowHost = Option.Array("--http-allow-host", { description: "<HOST> reach only these hosts (repeatable)" });
  httpTimeoutS = Option.String("--http-timeout-s", { description: "<N> most seconds of one HTTP call" });
  httpMaxResponseBytes = Option.String("--http-max-response-bytes", { description: "<N> largest HTTP answer" });
  sqliteDb = Option.String("--sqlite-db", { description: "<FILE> the database of sqlite" });
  sqliteAllowWrite = Option.Boolean("--sqlite-allow-write", { description: "let sqlite change data" });
  sqliteAllowTable = Option.Array("--sqlite-allow-table", { description: "<NAME> only these tables (repeatable)" });
  sqliteTimeoutS = Option.String("--sqlite-timeout-s", { description: "<N> most seconds of one statement" });
  fsRoot = Option.String("--fs-root", { description: "<DIR> the folder that fs works in" });
  fsAllowExt = Option.Array("--fs-allow-ext", { description: "<.EXT> only files with these extensions (repeatable)" });
  fsMaxReadBytes = Option.String("--fs-max-read-bytes", { description: "<N> largest file that fs reads" });
  fsMaxWriteBytes = Option.String("--fs-max-write-bytes", { description: "<N> largest file that fs writes" });
  fsAllowDelete = Option.Boolean("--fs-allow-delete", { description: "let fs delete files" });
  toolsAllow = Option.Array("--tools-allow", { description: "<NAME> only these tools (repeatable)" });
  wasmModule = Option.Array("--wasm-module", { description: "<NAME=FILE> a WebAssembly module (repeatable)" });
  wasmAllowModule = Option.Array("--wasm-allow-module", { description: "<NAME> only these modules (repeatable)" });
  memoryDb = Option.String("--memory-db", { description: "<FILE> the store of memory" });
  agentRoot = Option.String("--agent-root", { description: "<DIR> the mailbox folder of agent" });
  cachePath = Option.String("--cache-path", { description: "<FILE> the store of cache" });
  set = Option.Array("--set", { description: "<ADAPTER.KEY=JSON> any setting of an adapter (repeatable)" });

  protected adapterFlags(): Pick<GrantFlags, "enable" | "settings" | "set"> {
    // The fields above have the names of the table.
    return { enable: this.enableAdapter, settings: this.values(), set: this.set };
  }

  /** The grant of a command that is about one adapter, which is enabled by that. */
  protected grantFor(session: Session, adapter: string): EffectiveGrant {
    const flags = this.adapterFlags();
    const enable = [...(flags.enable ?? []), adapter];
    return effectiveGrant(session, { ...this.grantFlags(), ...flags, enable, project: this.project(session, ".") });
  }

  private values(): SettingFlagValues {
    return this;
  }
}
