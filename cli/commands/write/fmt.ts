/** `wf fmt FILE…`: canonical formatting. */
import { Command, Option } from "../../argv/clipanion.ts";
import { formatFiles } from "../../check/format-files.ts";
import { WeftCommand } from "../base.ts";

export class FmtCommand extends WeftCommand {
  static override paths = [["fmt"]];
  static override usage = Command.Usage({
    description:
      "Rewrite programs in the canonical layout. Comments are kept, and the meaning of a program never changes.",
    details: "FILE...",
    examples: [
      ["format files in place", "wf fmt flows"],
      ["fail when something is not formatted", "wf fmt --check flows"],
      ["as a filter", "cat hello.wf | wf fmt -"],
    ],
  });
  protected override readonly usesAdapters = false;

  files = Option.Rest();
  check = Option.Boolean("--check", false, {
    description: "write nothing; list files that would change, and exit with 1",
  });
  diff = Option.Boolean("--diff", false, { description: "write nothing; show the changes" });

  execute(): Promise<number> {
    return formatFiles(this.session(), { files: this.files, check: this.check, diff: this.diff });
  }
}
