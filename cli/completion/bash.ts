/**
 * The completion of bash: one function that looks at the words before the cursor. `--flag=value` arrives in three words there. Nothing
 * is handed to `compgen -W`, which would carry out what stands in its words: labels come from programs of others. Works with bash 3.2.
 */
import { shellWord } from "../output/terminal/shell-word.ts";
import type { CompletedCommand, CompletedFlag, Completion, Values } from "./table.ts";

export function bashScript({ commands, shared }: Completion): string {
  const valued = [...new Set(commands.flatMap(({ flags }) => flags.filter(takesValue).flatMap(({ names }) => names)))];
  return `# bash completion of wf; load it with: source <(wf completion bash)
_wf() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" command="" word at operands=0
  if (( COMP_CWORD > 0 )); then prev="\${COMP_WORDS[COMP_CWORD-1]}"; fi
  if [[ "$cur" == "=" ]]; then cur=""
  elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for (( at = 1; at < COMP_CWORD; at++ )); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${valued.join("|")})
        if [[ "\${COMP_WORDS[at+1]}" == "=" ]]; then (( at++ )); fi
        (( at++ )) ;;
      -*) ;;
      *) if [[ -z "$command" ]]; then command="$word"; else (( operands++ )); fi ;;
    esac
  done
  COMPREPLY=()
  case "$command" in
    "")
${valueBranches(shared)}
      if [[ "$cur" == -* ]]; then _wf_words ${quotedAll([...longNames(shared), "--version"])}
      else _wf_words ${quotedAll(commands.flatMap(({ names }) => names))}
      fi ;;
${commands.map(branch).join("\n")}
  esac
}
_wf_words() {
  local word
  for word in "$@"; do
    if [[ "$word" == "$cur"* ]]; then
      printf -v word %q "$word"
      COMPREPLY+=("$word")
    fi
  done
}
_wf_paths() {
  local path
  compopt -o filenames 2> /dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
}
_wf_labels() {
  local word label
  for word in "\${COMP_WORDS[@]}"; do
    word="\${word//[\\\\\\'\\"]/}"
    if [[ "$word" == *.wf && -f "$word" && -r "$word" ]]; then
      while IFS= read -r label; do _wf_words "$label"; done < <(sed -n 's/^[[:space:]]*\\(L[^:[:space:]]*\\):.*/\\1/p' < "$word")
    fi
  done
}
complete -F _wf wf
`;
}

function branch({ names, flags, operand }: CompletedCommand): string {
  return `    ${names.join("|")})
${valueBranches(flags)}
      if [[ "$cur" == -* ]]; then _wf_words ${quotedAll(longNames(flags))}
      elif (( operands == 0 )); then ${offer(operand)}
      else _wf_paths -f
      fi ;;`;
}

function valueBranches(flags: readonly CompletedFlag[]): string {
  const branches = flags.flatMap(({ names, values }) =>
    values === null ? [] : [`        ${names.join("|")}) ${offer(values)}; return ;;`],
  );
  return branches.length === 0 ? "" : ['      case "$prev" in', ...branches, "      esac"].join("\n");
}

function offer(values: Values): string {
  switch (values.kind) {
    case "words":
      return `_wf_words ${quotedAll(values.words)}`;
    case "labels":
      return "_wf_labels";
    case "files":
      return "_wf_paths -f";
    case "folders":
      return "_wf_paths -d";
    case "anything":
      return ":";
  }
}

const takesValue = ({ values }: CompletedFlag): boolean => values !== null;

function longNames(flags: readonly CompletedFlag[]): string[] {
  return flags.flatMap(({ names }) => names).filter((name) => name.startsWith("--"));
}

/** Names of plugins come from outside: nothing in them may be read as shell. */
const quotedAll = (words: readonly string[]): string => words.map(shellWord).join(" ");
