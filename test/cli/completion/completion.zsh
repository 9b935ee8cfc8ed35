# What zsh offers at the end of a line that somebody types: zsh -f completion.zsh SCRIPT LINE. Its completion runs only in a line
# editor, so a second zsh at a pseudo terminal gets the line and a tab, and tells every match that is added.
zmodload zsh/zpty
zpty typed zsh -f -i
zpty -w typed "PROMPT=; autoload -Uz compinit; compinit -u -D; source ${(q)1}"
zpty -w typed 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local match; local -a matches
  builtin compadd -O matches "$@"
  for match in $matches; do print -r -- "offer:$match"; done
  builtin compadd "$@"
}'
zpty -w typed 'told() { print all:told; exit }; comppostfuncs=(told)'
zpty -w typed 'bindkey "^I" complete-word; print all:ready'
local line
while zpty -r typed line; do [[ $line == *all:ready* && $line != *print* ]] && break; done
zpty -w -n typed "$2"$'\t'
while zpty -r typed line; do
  line=${line//[$'\r\n']/}
  [[ $line == *all:told* ]] && break
  [[ $line == *offer:* ]] && print -r -- "${(Q)${line##*offer:}}"
done
zpty -d typed
