/** The completion of zsh: its own `_arguments` per command, so that descriptions are shown. */
import type { CompletedCommand, CompletedFlag, Values } from "./table.ts";

export function zshScript(table: readonly CompletedCommand[]): string {
  const commands = table.flatMap(({ names, description }) => names.map((name) => quoted(`${name}:${description}`)));
  return `#compdef wf
# zsh completion of wf; load it with: source <(wf completion zsh)
_wf_labels() {
  local word
  local -a labels
  for word in $words; do
    if [[ $word == *.wf && -r $word ]]; then labels+=(\${(f)"$(sed -n 's/^\\(L[^: ]*\\):.*/\\1/p' $word)"}); fi
  done
  compadd -a labels
}
_wf() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${commands.map((command) => `      ${command}`).join("\n")}
    )
    _describe -t commands command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${table.map(branch).join("\n")}
  esac
}
if [[ $funcstack[1] == _wf ]]; then _wf "$@"; else compdef _wf wf; fi
`;
}

function branch({ names, flags, operand }: CompletedCommand): string {
  const specs = [...flags.flatMap(flagSpecs), quoted(`1:operand:${action(operand)}`), quoted("*:file:_files")];
  return [`    ${names.join("|")})`, `      _arguments ${specs.join(" ")}`, "      ;;"].join("\n");
}

function flagSpecs({ names, description, values }: CompletedFlag): string[] {
  const told = description.replaceAll(/[[\]\\]/g, "\\$&").replaceAll(":", "\\:");
  return names.map((name) => {
    const equals = values !== null && name.startsWith("--") ? "=" : "";
    return quoted(`*${name}${equals}[${told}]${values === null ? "" : `:value:${action(values)}`}`);
  });
}

function action(values: Values): string {
  switch (values.kind) {
    case "words":
      return `(${values.words.join(" ")})`;
    case "labels":
      return "_wf_labels";
    case "files":
      return "_files";
    case "folders":
      return "_files -/";
    case "anything":
      return " ";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
