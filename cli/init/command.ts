/** `wf init [DIR]`: begins a project. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { usageFault } from "../session/faults.ts";

export class InitCommand extends WeftCommand {
  static override paths = [["init"], ["new"]];
  static override usage = Command.Usage({
    description: "Create a project with a runnable program, tests and a configuration file.",
    details: "[DIR]",
    examples: [
      ["the smallest project", "wf init demo"],
      ["a monitor of web addresses", "wf init watch --template http-monitor"],
      ["in this folder, overwriting existing files", "wf init . --template etl --force"],
    ],
  });
  static override readonly notes = [
    "The template `hello` greets; `http-monitor` checks whether addresses answer, with retries, and queues an alert; `etl` reads a CSV file and writes sums; `approval` asks a person, waits for a signal and a day, and acts; `cron-digest` records events and makes a digest of them on a schedule; `agent-handoff` hands a question to an agent, and puts an unsure answer before a person.",
    "It writes a program, golden tests, `wf.config.json`, a README and a `.gitignore`, lists them and suggests the next commands. When one of the files exists, nothing is written (exit 2, `file_exists`).",
    "With `--json`: `{ok, template, folder, files, next}`.",
  ];
  static override readonly pages = ["tutorial.md", "guide.md"];
  protected override readonly usesAdapters = false;

  target = Option.String({ required: false });
  template = Option.String("--template", {
    description: "<hello|http-monitor|etl|approval|cron-digest|agent-handoff> template (default: hello)",
  });
  force = Option.Boolean("--force", false, { description: "overwrite existing files" });

  async execute(): Promise<number> {
    // The texts of the templates are read by no other command.
    const { newProject, TEMPLATES } = await import("./new-project.ts");
    const wanted = this.template ?? "hello";
    const template = TEMPLATES.find(({ name }) => name === wanted);
    if (template === undefined)
      throw usageFault(
        `option --template needs one of ${TEMPLATES.map(({ name }) => name).join(", ")}, found '${wanted}'`,
      );
    if (this.target === "") throw usageFault("the name of the folder is empty");
    return newProject(this.session(), this.target ?? ".", template, this.force);
  }
}
