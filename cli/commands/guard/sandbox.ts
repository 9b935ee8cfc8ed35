/** `wf sandbox FILE`: the container in which a program can do what it needs, and nothing else. */
import { basename } from "node:path";
import { Command, Option } from "../../argv/clipanion.ts";
import { checkOutputs, writeAtomically } from "../../input/files.ts";
import { reportOf } from "../../look/security-report.ts";
import { loadProgram } from "../../run/load-program.ts";
import { EXIT } from "../../session/faults.ts";
import { RUNTIME_VERSION } from "../../session/version.ts";
import { oneOf, WeftCommand } from "../base.ts";
import { isStrict, modeFlag } from "../flags/compile-mode.ts";
import { includeRootsFor } from "../flags/include-roots.ts";

export class SandboxCommand extends WeftCommand {
  static override paths = [["sandbox"]];
  static override usage = Command.Usage({
    description: "Write a container definition that permits only what a program needs.",
    details: "FILE",
    examples: [
      ["a Compose file", "wf sandbox hello.wf -o compose.yaml"],
      ["a job for Kubernetes", "wf sandbox hello.wf --target kubernetes | kubectl apply -f -"],
      ["with another image", "wf sandbox hello.wf --image registry.example.com/weft:1.0.0"],
    ],
  });
  static override readonly notes = [
    "The container holds the compiled program and its least grant as files, and its command runs the program under that grant. What is known only at run time is noted on stderr.",
    "With `--json`: `{ok, target, documents, notes}`, with `-o` `path` in place of `documents`.",
  ];
  static override readonly pages = ["policy.md#a-container-for-one-program", "deploy.md#in-a-container"];

  file = Option.String({ required: false });
  target = Option.String("--target", { description: "<docker|kubernetes> container platform (default: docker)" });
  image = Option.String("--image", {
    description: `<NAME> image that contains wf (default: weft-runner:${RUNTIME_VERSION})`,
  });
  out = Option.String("-o,--out", { description: "<FILE> write to a file instead of stdout" });
  strict = modeFlag("strict", "loose");
  loose = modeFlag("loose", "loose");
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const { screen } = session;
    const [{ composeFile, kubernetesResources, TARGETS }, { sandboxNeeds }, { yamlText }] = await Promise.all([
      import("../../sandbox/manifests.ts"),
      import("../../sandbox/needs.ts"),
      import("../../sandbox/yaml.ts"),
    ]);
    const target = oneOf("--target", this.target ?? "docker", TARGETS);
    const program = await loadProgram(session, this.file, {
      strict: isStrict(this, "loose"),
      includeRoots: includeRootsFor(session, this.file, this.includeRoot),
    });
    checkOutputs(session.cwd, program.input, this.out);
    const needs = sandboxNeeds(program.ir, reportOf(session, program.ir));
    const options = { name: nameOf(program.input.path), image: this.image ?? `weft-runner:${RUNTIME_VERSION}` };
    const documents = target === "docker" ? [composeFile(needs, options)] : kubernetesResources(needs, options);
    const text = documents.map(yamlText).join("---\n");
    for (const note of needs.notes) screen.note(note);
    if (this.out !== undefined) writeAtomically(session.cwd, this.out, text);
    if (screen.json)
      screen.document({
        ok: true,
        target,
        ...(this.out === undefined ? { documents } : { path: this.out }),
        notes: needs.notes,
      });
    else if (this.out === undefined) screen.text(text);
    else screen.note(`${this.out} written`);
    return EXIT.success;
  }
}

/** `My flow.wf` → `weft-my-flow` */
function nameOf(path: string | null): string {
  const stem = path === null ? "program" : basename(path).replace(/\.[^.]*$/, "");
  const word = stem
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return `weft-${word === "" ? "program" : word.slice(0, 40).replace(/-+$/, "")}`;
}
