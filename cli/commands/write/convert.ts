/** `wf convert --to FORM FILE…`: the same program in the other form. */

import { FORMS } from "../../../compiler/convert/convert-text.ts";
import { Command, Option } from "../../argv/clipanion.ts";
import { convertFiles } from "../../convert/convert-files.ts";
import { usageFault } from "../../session/faults.ts";
import { WeftCommand } from "../base.ts";

export class ConvertCommand extends WeftCommand {
  static override paths = [["convert"]];
  static override usage = Command.Usage({
    description:
      "Write a program in the other form, comments kept. Both are compiled, and must be the same graph apart from the names of labels; what the other form cannot say is refused.",
    details: "FILE...",
    examples: [
      ["print a program in the indented form", "wf convert --to indented old.wf"],
      ["replace the files", "wf convert --to indented --write flows"],
      ["print what the blocks of a program become", "wf convert --to opcode report.wf"],
    ],
  });
  protected override readonly usesAdapters = false;

  files = Option.Rest();
  to = Option.String("--to", { description: "<FORM> indented or opcode" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });
  write = Option.Boolean("--write", false, {
    description: "replace the files; without it, print one to standard output",
  });

  execute(): Promise<number> {
    const { files, write } = this;
    const to = FORMS.find((form) => form === this.to);
    if (to === undefined) throw usageFault(`--to needs one of ${FORMS.join(", ")}`);
    return convertFiles(this.session(), { files, to, write, includeRoots: this.includeRoot ?? [] });
  }
}
