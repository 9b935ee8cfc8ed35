/** `wf migrate FILE…`: bring programs of the predecessor over. */
import { Command, Option } from "../../argv/clipanion.ts";
import { migrateFiles } from "../../migrate/migrate-files.ts";
import { WeftCommand } from "../base.ts";

export class MigrateCommand extends WeftCommand {
  static override paths = [["migrate"]];
  static override usage = Command.Usage({
    description:
      "Bring programs of the predecessor over: apply fixes that are certain, declare the variables that a caller sets, and list what is left to do. Nothing else changes.",
    details: "FILE...",
    examples: [
      ["show the changes of one program", "wf migrate old.wf"],
      ["write them", "wf migrate --write flows"],
      ["fail when something is not migrated", "wf migrate --check flows"],
    ],
  });
  protected override readonly usesAdapters = false;

  files = Option.Rest();
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });
  check = Option.Boolean("--check", false, {
    description: "list files that would change, and exit with 1",
  });
  write = Option.Boolean("--write", false, { description: "write the files; without it, only show the changes" });

  execute(): Promise<number> {
    const { files, check, write } = this;
    return migrateFiles(this.session(), { files, check, write, includeRoots: this.includeRoot ?? [] });
  }
}
