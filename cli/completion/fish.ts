/** The completion of fish: one line for each command and each flag. */
import type { CompletedCommand, CompletedFlag, Completion, Values } from "./table.ts";

export function fishScript({ commands, shared }: Completion): string {
  const valued = shared.flatMap(({ names, values }) => (values === null ? [] : names));
  const lines = [
    "# fish completion of wf; load it with: wf completion fish | source",
    "# The command on the line; fails when it has none yet.",
    "function __wf_command",
    "  set -l words (commandline -opc)",
    "  set -l value 0",
    "  for word in $words[2..-1]",
    "    if test $value = 1",
    "      set value 0",
    `    else if contains -- $word ${valued.join(" ")}`,
    "      set value 1",
    "    else if not string match -q -- '-*' $word",
    "      echo $word",
    "      return 0",
    "    end",
    "  end",
    "  return 1",
    "end",
    "function __wf_in",
    "  set -l command (__wf_command); and contains -- $command $argv",
    "end",
    "function __wf_labels",
    "  for word in (commandline -opc)",
    "    if string match -q '*.wf' -- $word; and test -f $word; and test -r $word",
    "      sed -n 's/^[[:space:]]*\\\\(L[^:[:space:]]*\\\\):.*/\\\\1/p' < $word",
    "    end",
    "  end",
    "end",
  ];
  const before = "-n 'not __wf_command > /dev/null'";
  lines.push(`complete -c wf ${before} -l version -d 'versions'`);
  for (const flag of shared) lines.push(`complete -c wf ${before} ${flagWords(flag)}`);
  for (const command of commands) lines.push(...commandLines(command, before));
  return `${lines.join("\n")}\n`;
}

function commandLines({ names, description, flags, operand }: CompletedCommand, before: string): string[] {
  const when = `-n ${quoted(`__wf_in ${names.join(" ")}`)}`;
  return [
    ...names.map((name) => `complete -c wf ${before} -f -a ${quoted(name)} -d ${quoted(description)}`),
    ...(operand.kind === "words" ? [`complete -c wf ${when} ${action(operand)}`] : []),
    ...flags.map((flag) => `complete -c wf ${when} ${flagWords(flag)}`),
  ];
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
