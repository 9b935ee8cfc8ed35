/** The commands as lists of flags, read from clipanion so that there is one place that names a flag. */

import type { CommandSpec } from "../argv/argv.ts";
import type { Cli } from "../argv/clipanion.ts";
import type { CliContext, WeftCommandClass } from "./base.ts";

/** `classes` are those that `cli` was made of, in the same order. */
export function commandSpecs(cli: Cli<CliContext>, classes: readonly WeftCommandClass[]): CommandSpec[] {
  return cli.definitions().map((definition, index) => {
    const { paths = [], idleFlags = [], actions = null, notes = [], pages = [] } = classes[index] ?? {};
    const names = paths.map((path) => path.join(" "));
    return {
      names,
      actions,
      notes,
      pages,
      usageLine: `wf ${names[0]} ${definition.details?.trim() ?? ""} [flags]`.replace("  ", " "),
      flags: definition.options.map(({ definition: form, description }) => {
        const [words = ""] = form.split(" ");
        const names = words.split(",");
        const idle = names.some((name) => idleFlags.includes(name));
        return { names, takesValue: form.includes(" #"), description: description ?? "", idle };
      }),
    };
  });
}
