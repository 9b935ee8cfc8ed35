/** The commands that pages show for a shell, as words: no shell is needed to read them, and none runs. */

/** A command of a line, without variables that are set for it and without redirections. */
export type Written = {
  readonly line: number;
  readonly words: readonly string[];
  /** The page shows below it that the line is wrong. */
  readonly isWrong: boolean;
};

/** Lines that a reader types: those of blocks marked `sh`, and those after a prompt in blocks without a mark. */
export function writtenLines(page: string): readonly Written[] {
  const found: Written[] = [];
  for (const block of page.matchAll(/^( *)```(sh|)\n(.*?)^ *```$/gms)) {
    const [, indent = "", mark, text = ""] = block;
    const first = page.slice(0, block.index).split("\n").length + 1;
    let open: { readonly line: number; text: string } | null = null;
    const lines = text.split("\n");
    for (const [at, raw] of lines.entries()) {
      const plain = raw.startsWith(indent) ? raw.slice(indent.length) : raw;
      const isTyped: boolean = open !== null || mark === "sh" || plain.startsWith("$ ");
      if (!isTyped) continue;
      const part: string = open === null ? plain.replace(/^\$ /, "") : plain;
      const whole: { readonly line: number; text: string } = open ?? { line: first + at, text: "" };
      whole.text += part.replace(/\\$/, " ");
      open = part.endsWith("\\") ? whole : null;
      if (open === null)
        for (const words of commandsIn(whole.text))
          found.push({ line: whole.line, words, isWrong: /^unknown /.test(lines[at + 1] ?? "") });
    }
  }
  return found;
}

const PARTS =
  /\s*(#.*$)|\s*(&&|\|\||[|;&](?![&|])|\d?>>?&?|<{1,3})|((?:\\.|\$\([^)]*\)|'[^']*'|"(?:\\.|[^"\\])*"|[^\s|;&<>'"\\])+)|\s+/gsy;

/** The commands of a line, one after the other or piped. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isTarget = false;
  PARTS.lastIndex = 0;
  for (let match = PARTS.exec(line); match !== null && match[0] !== ""; match = PARTS.exec(line)) {
    const [, comment, sign, word] = match;
    if (comment !== undefined) break;
    if (sign !== undefined) {
      isTarget = /[<>]/.test(sign);
      if (!isTarget) commands.push([]);
    } else if (word !== undefined && !isTarget) {
      commands.at(-1)?.push(unquoted(word));
    } else if (word !== undefined) isTarget = false;
  }
  return commands
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => !/^[A-Z_]+=/.test(word)),
        ),
      ),
    )
    .filter(({ length }) => length > 0);
}

const unquoted = (word: string): string => word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, "$1$2$3");
