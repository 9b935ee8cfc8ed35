/** `wf migrate FILE…`: bring programs of the predecessor over. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { migrateFiles } from "./migrate-files.ts";

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
  static override readonly notes = [
    "It declares variables that nothing sets in one line `# frame: a, b` below the comments at the beginning of the file. Without a value they mean what they meant: `a` is the text `a`. A dotted word counts as a variable only where its root is read elsewhere too, because `notes.txt` is a text. It applies the fixes of `wf check --fix` for errors and for types in `# frame:` comments, and removes `END`, `EndFor`, `EndIf` and `EndWhile`, which did nothing.",
    "What is left is listed with its reason: errors and warnings, and constructs that mean something else here. The exit code is 1 while a file has errors in strict mode.",
    "With `--json`: `{ok, files: [{path, ok, changed, changes: [{line, column, code, title}], inputs, diagnostics, text?}]}`. `text` is the migrated program when it was read from standard input.",
  ];
  static override readonly pages = ["migration.md"];
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
