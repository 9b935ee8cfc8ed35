/** Sources with one or two mistakes: words deleted, doubled, swapped, or replaced by words of the language. */

const WORDS =
  /[ \t]*(?:\r?\n[ \t]*|[A-Za-z_]\w*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|\*\*=?|\/\/=?|[-+*/%&|^<>=!:@]=|->|<<|>>|\.\.\.|[^\s])/g;
const POOL =
  "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True ( ) [ ] { } : , . ; = := -> + - * ** / ~ | == != += @ ... 1 2.5 'a' f'{x}' b'a' x _ \n".split(
    " ",
  );

/** The same numbers for the same seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function mutantOf(source: string, below: (most: number) => number): string {
  const words = source.match(WORDS) ?? [];
  const times = below(4) === 0 ? 2 : 1;
  for (let time = 0; time < times && words.length > 1; time++) {
    const at = below(words.length);
    const word = words[at] ?? "";
    const kind = below(5);
    if (kind === 0) words.splice(at, 1);
    else if (kind === 1) words.splice(at, 0, word);
    else if (kind === 2) words.splice(at, 2, words[at + 1] ?? "", word);
    else if (kind === 3) words[at] = `${/^[ \t]*/.exec(word)?.[0] ?? ""}${POOL[below(POOL.length)] ?? ""}`;
    else words.splice(at, 0, ` ${POOL[below(POOL.length)] ?? ""} `);
  }
  return words.join("");
}
