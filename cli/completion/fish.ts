/** The completion of fish: one line for each command and each flag. */
import type { CompletedCommand, CompletedFlag, Values } from "./table.ts";

export function fishScript(table: readonly CompletedCommand[]): string {
  const lines = [
    "# fish completion of wf; load it with: wf completion fish | source",
    "function __wf_labels",
    "  for word in (commandline -opc)",
    "    if string match -q '*.wf' -- $word; and test -r $word",
    "      sed -n 's/^\\(L[^: ]*\\):.*/\\1/p' $word",
    "    end",
    "  end",
    "end",
  ];
  for (const command of table) {
    for (const name of command.names)
      lines.push(`complete -c wf -n __fish_use_subcommand -f -a ${quoted(name)} -d ${quoted(command.description)}`);
    const when = `-n ${quoted(`__fish_seen_subcommand_from ${command.names.join(" ")}`)}`;
    if (command.operand.kind === "words") lines.push(`complete -c wf ${when} ${action(command.operand)}`);
    for (const flag of command.flags) lines.push(`complete -c wf ${when} ${flagWords(flag)}`);
  }
  return `${lines.join("\n")}\n`;
}

function flagWords({ names, description, values }: CompletedFlag): string {
  const words = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...words, ...(values === null ? [] : [action(values)]), `-d ${quoted(description)}`].join(" ");
}

function action(values: Values): string {
  switch (values.kind) {
    case "words":
      return `-x -a ${quoted(values.words.join(" "))}`;
    case "labels":
      return "-x -a '(__wf_labels)'";
    case "folders":
      return "-x -a '(__fish_complete_directories)'";
    case "files":
      return "-r";
    case "anything":
      return "-x";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
