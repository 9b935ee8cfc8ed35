/** The flags that grant and restrict, shared by the commands that take them. */
import { resolve } from "node:path";
import { Option } from "../../argv/clipanion.ts";
import type { GrantFlags } from "../../grant/effective-grant.ts";
import { type ProjectConfig, projectConfig } from "../../grant/project-config.ts";
import type { Session } from "../../session/session.ts";
import { WeftCommand } from "../base.ts";

/** Flags that restrict which adapters and effects a program may use. They do nothing for a command about one adapter. */
export const RESTRICTION_FLAGS: readonly string[] = [
  "--allow-adapter",
  "--forbid-adapter",
  "--forbid-effect",
  "--forbid-tier",
  "--forbid-privilege",
  "--forbid-destructive",
];

export abstract class GrantCommand extends WeftCommand {
  profile = Option.String("--profile", {
    description: "<NAME|FILE> security profile to start from, in place of the default limits",
  });
  grantFile = Option.String("--grant", { description: "<FILE> grant that restricts further (JSON)" });
  policyFile = Option.String("--policy", { description: "<FILE> policy that the program must satisfy (JSON)" });
  allowAdapter = Option.Array("--allow-adapter,--allow", {
    description: "<NAME> allow only these adapters (repeatable; default: all)",
  });
  forbidAdapter = Option.Array("--forbid-adapter", {
    description: "<NAME> refuse programs that use this adapter (repeatable)",
  });
  forbidEffect = Option.Array("--forbid-effect", {
    description: "<NAME> refuse programs with this effect, such as io-write (repeatable)",
  });
  forbidTier = Option.Array("--forbid-tier", {
    description: "<NAME> refuse programs with effects of this tier (repeatable)",
  });
  forbidPrivilege = Option.Array("--forbid-privilege", {
    description: "<TIER> refuse programs that use adapters of this privilege tier (repeatable)",
  });
  forbidDestructive = Option.Boolean("--forbid-destructive", false, {
    description: "refuse programs that use adapters that can destroy data",
  });

  adaptersConfig = Option.String("--adapters-config,--adapter-config", {
    description: "<FILE> adapter settings (WF_ADAPTERS_CONFIG)",
  });
  config = Option.String("--config", {
    description: "<FILE> use this configuration instead of the discovered wf.config.json",
  });

  protected override operatorFile(cwd: string) {
    return this.adaptersConfig === undefined ? {} : { adaptersFile: resolve(cwd, this.adaptersConfig) };
  }

  /** The configuration for this program. */
  protected project({ cwd }: Session, file: string | undefined): ProjectConfig | null {
    return projectConfig(cwd, file, this.config);
  }

  protected grantFlags(): GrantFlags {
    return {
      profile: this.profile,
      grantFile: this.grantFile,
      policyFile: this.policyFile,
      allowAdapter: this.allowAdapter,
      forbidAdapter: this.forbidAdapter,
      forbidEffect: this.forbidEffect,
      forbidTier: this.forbidTier,
      forbidPrivilege: this.forbidPrivilege,
      forbidDestructive: this.forbidDestructive,
      adaptersConfig: this.adaptersConfig,
    };
  }
}
