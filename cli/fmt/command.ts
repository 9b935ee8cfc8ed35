/** `wf fmt FILE…`: canonical formatting. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { formatFiles } from "./format-files.ts";

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
  static override readonly notes = [
    "Files are replaced atomically, and those that changed are listed. Before anything is written, the result is compiled and must have the same checksum, so formatting never changes what a program does. A file with a syntax error is not changed, with exit 1.",
    "Python programs get the layout of black with lines of 120 characters, and older spellings become Python. A file whose lines all end in CRLF keeps them; mixed line ends become LF. Unknown lines, and conditions after a misplaced arrow, keep their text.",
  ];
  static override readonly pages = ["python.md", "language.md"];
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
