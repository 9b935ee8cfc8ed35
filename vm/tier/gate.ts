/**
 * The last look at emitted source before it becomes a function: a tokenizer of its own, which shares nothing with the emitter. It admits a
 * fixed set of words, names made of a letter and a number, whole numbers and punctuation, with balanced brackets, and so neither
 * strings, comments, escapes nor any text of a program.
 */

/** The words of emitted source. What they name is given where it is built. */
export const VOCABULARY: ReadonlySet<string> = new Set(
  (
    "return function let const if else break undefined null true false length push " +
    // Of short programs.
    "C K N frame count steps depth bytes maxSteps maxDepth maxBytes isSized used a b LEAVE EMPTY " +
    "isNumber isBoolean isObject ownInput bookedSize exactSize numberBytes truthy partText detached floor " +
    // Of loops.
    "for continue switch case default try catch thrown m e f x sp base first nested deep out begun " +
    "F X P V SZ OWN SIZE NONE frameBytes frameLimit made spent resolves positions bounds lists " +
    "book bookValue bound canNest canonical carried caught hasRoom isList isRecord isText isWalked knownSize leaves loopEnd loopInit " +
    "modulo partSize record returned valueSize whileInit " +
    // Of functions in Python.
    "R G s p c t END break ask call cells changed frame fuel give globals grant isAtStep isDirect isExact itemOf iterations method next pass passes countPasses perform registers resume " +
    "pc test throw true unset value"
  ).split(" "),
);
const MAX_DIGITS = 10;
const PUNCTUATION = "=!<>+-*/&|?:,;.()[]{}\n ";
const CLOSED_BY: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Why `source` may not become a function; null: it may. Linear in its length. */
export function refusal(source: string): string | null {
  const open: string[] = [];
  for (let at = 0; at < source.length; ) {
    const character = source[at] as string;
    if (isLetter(character)) {
      const end = endOf(source, at, (one) => isLetter(one) || isDigit(one));
      const word = source.slice(at, end);
      if (!VOCABULARY.has(word) && !isNumbered(word)) return `the word at ${at} is not in the vocabulary`;
      at = end;
    } else if (isDigit(character)) {
      const end = endOf(source, at, isDigit);
      if (end - at > MAX_DIGITS || isLetter(source[end] ?? "")) return `the number at ${at} is not a whole number`;
      // Neither fractions nor octal numbers.
      if (source[end] === "." || (character === "0" && end > at + 1))
        return `the number at ${at} is not a whole number`;
      at = end;
    } else {
      if (!PUNCTUATION.includes(character)) return `the character at ${at} is not in the vocabulary`;
      // A slash divides what stands right before it; elsewhere it would begin a comment or a pattern.
      if (character === "/" && !(isValueEnd(source[at - 1] ?? "") && isValueStart(source[at + 1] ?? "")))
        return `the slash at ${at} divides nothing`;
      const closing = CLOSED_BY[character];
      if (closing !== undefined) open.push(closing);
      else if (")]}".includes(character) && open.pop() !== character) return `the bracket at ${at} closes nothing`;
      at += 1;
    }
  }
  return open.length === 0 ? null : "a bracket is open at the end";
}

function endOf(source: string, from: number, belongs: (character: string) => boolean): number {
  let end = from;
  while (end < source.length && belongs(source[end] as string)) end += 1;
  return end;
}

function isLetter(character: string): boolean {
  return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
}

function isValueEnd(character: string): boolean {
  return isLetter(character) || isDigit(character) || character === ")" || character === "]";
}

function isValueStart(character: string): boolean {
  return isLetter(character) || isDigit(character) || character === "(";
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

/** `v12` */
function isNumbered(word: string): boolean {
  if (word.length < 2 || word.length > MAX_DIGITS || !((word[0] as string) >= "a")) return false;
  for (let at = 1; at < word.length; at++) if (!isDigit(word[at] as string)) return false;
  return true;
}
