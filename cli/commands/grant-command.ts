/** The flags that grant and restrict, shared by the commands that take them. */
import { resolve } from "node:path";
import { Option } from "../clipanion.ts";
import type { GrantFlags } from "../effective-grant.ts";
import { type ProjectConfig, projectConfig } from "../project-config.ts";
import { type Session, WeftCommand } from "./base.ts";

export abstract class GrantCommand extends WeftCommand {
  profile = Option.String("--profile", { description: "<NAME|FILE> start from a security profile" });
  grantFile = Option.String("--grant", { description: "<FILE> tighten by a grant (JSON)" });
  policyFile = Option.String("--policy", { description: "<FILE> refuse what a policy forbids (JSON)" });
  allowAdapter = Option.Array("--allow-adapter,--allow", {
    description: "<NAME> allow only the adapters named (repeatable)",
  });
  forbidAdapter = Option.Array("--forbid-adapter", { description: "<NAME> refuse programs that use it (repeatable)" });
  forbidEffect = Option.Array("--forbid-effect", {
    description: "<NAME> refuse an effect such as io-write (repeatable)",
  });
  forbidTier = Option.Array("--forbid-tier", { description: "<NAME> refuse an effect tier (repeatable)" });
  forbidPrivilege = Option.Array("--forbid-privilege", {
    description: "<TIER> refuse adapters of a privilege tier (repeatable)",
  });
  forbidDestructive = Option.Boolean("--forbid-destructive", false, {
    description: "refuse adapters that can destroy data",
  });

  adaptersConfig = Option.String("--adapters-config,--adapter-config", {
    description: "<FILE> settings of adapters, as WF_ADAPTERS_CONFIG",
  });
  config = Option.String("--config", {
    description: "<FILE> configuration in place of the wf.config.json that is found",
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
