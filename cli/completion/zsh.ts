/** The completion of zsh: its own `_arguments`, once for the line and once per command, so that descriptions are shown. */
import { quotedWord } from "../output/terminal/shell-word.ts";
import type { CompletedCommand, CompletedFlag, Completion, Values } from "./table.ts";

export function zshScript({ commands, shared }: Completion): string {
  const described = commands.flatMap(({ names, description }) =>
    names.map((name) => `      ${quotedWord(`${name}:${description}`)}`),
  );
  const first = [
    ...shared.flatMap(flagSpecs),
    "'--version[versions]'",
    "'1:command:->command'",
    "'*::argument:->rest'",
  ];
  return `#compdef wf
# zsh completion of wf; load it with: source <(wf completion zsh)
_wf_labels() {
  local word
  local -a labels
  for word in \${(Q)words}; do
    if [[ $word == *.wf && -f $word && -r $word ]]; then
      labels+=(\${(f)"$(sed -n 's/^[[:space:]]*\\(L[^:[:space:]]*\\):.*/\\1/p' < $word)"})
    fi
  done
  compadd -a labels
}
_wf() {
  local curcontext="$curcontext" state
  local -a commands line
  _arguments -C -A "-*" ${first.join(" ")} && return
  case $state in
  command)
    commands=(
${described.join("\n")}
    )
    _describe -t commands command commands ;;
  rest)
    case $words[1] in
${commands.map(branch).join("\n")}
    esac ;;
  esac
}
if [[ $funcstack[1] == _wf ]]; then _wf "$@"; else compdef _wf wf; fi
`;
}

function branch({ names, flags, operand }: CompletedCommand): string {
  const specs = [...flags.flatMap(flagSpecs), quotedWord(`1:operand:${action(operand)}`), quotedWord("*:file:_files")];
  return [`    ${names.join("|")})`, `      _arguments ${specs.join(" ")}`, "      ;;"].join("\n");
}

function flagSpecs({ names, description, values }: CompletedFlag): string[] {
  const told = description.replaceAll(/[[\]\\]/g, "\\$&").replaceAll(":", "\\:");
  return names.map((name) => {
    const equals = values !== null && name.startsWith("--") ? "=" : "";
    return quotedWord(`*${name}${equals}[${told}]${values === null ? "" : `:value:${action(values)}`}`);
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
