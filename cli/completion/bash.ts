/** The completion of bash: one function that looks at the words before the cursor. `--flag=value` arrives in three words there. */
import type { CompletedCommand, CompletedFlag, Values } from "./table.ts";

export function bashScript(table: readonly CompletedCommand[]): string {
  const names = table.flatMap((command) => command.names);
  return `# bash completion of wf; load it with: source <(wf completion bash)
_wf() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" command="" word at
  if (( COMP_CWORD > 0 )); then prev="\${COMP_WORDS[COMP_CWORD-1]}"; fi
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for (( at = 1; at < COMP_CWORD; at++ )); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      -*) ;;
      *) command="$word"; break ;;
    esac
  done
  COMPREPLY=()
  if [[ -z "$command" && "$cur" != -* ]]; then
    COMPREPLY=( $(compgen -W ${quoted(names.join(" "))} -- "$cur") )
    return
  fi
  local flags="--help --version" operands=""
  case "$command" in
${table.map(branch).join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=( $(compgen -W "$flags" -- "$cur") )
  elif [[ -n "$operands" ]] && (( at == COMP_CWORD - 1 )); then
    COMPREPLY=( $(compgen -W "$operands" -- "$cur") )
  else
    COMPREPLY=( $(compgen -f -- "$cur") )
  fi
}
_wf_labels() {
  local word
  for word in "\${COMP_WORDS[@]}"; do
    if [[ "$word" == *.wf && -r "$word" ]]; then sed -n 's/^\\(L[^: ]*\\):.*/\\1/p' "$word"; fi
  done
}
complete -o filenames -F _wf wf
`;
}

function branch({ names, flags, operand }: CompletedCommand): string {
  const long = flags.flatMap((flag) => flag.names).filter((name) => name.startsWith("--"));
  const withValues = flags.filter(({ values }) => values !== null);
  return [
    `    ${names.join("|")})`,
    `      flags=${quoted(long.join(" "))}`,
    ...(operand.kind === "words" ? [`      operands=${quoted(operand.words.join(" "))}`] : []),
    ...(withValues.length === 0
      ? []
      : ['      case "$prev" in', ...withValues.map((flag) => valueBranch(flag)), "      esac"]),
    "      ;;",
  ].join("\n");
}

function valueBranch({ names, values }: CompletedFlag): string {
  return `        ${names.join("|")}) ${values === null ? "" : replies(values)} return ;;`;
}

function replies(values: Values): string {
  switch (values.kind) {
    case "words":
      return `COMPREPLY=( $(compgen -W ${quoted(values.words.join(" "))} -- "$cur") );`;
    case "labels":
      return 'COMPREPLY=( $(compgen -W "$(_wf_labels)" -- "$cur") );';
    case "files":
      return 'COMPREPLY=( $(compgen -f -- "$cur") );';
    case "folders":
      return 'COMPREPLY=( $(compgen -d -- "$cur") );';
    case "anything":
      return "";
  }
}

/** Names of plugins come from outside: nothing in them may be read as shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
