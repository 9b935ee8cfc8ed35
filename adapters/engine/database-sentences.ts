/**
 * What a database says of a statement, as far as it may be passed on: sentences that are known, whose parts are names of the schema and
 * counts. All others may quote the values of a program, which belong in no message.
 */

/** A name that SQL takes without quotes; what stands in quotes may be a value. */
const WORD = "[\\p{L}_][\\p{L}\\p{N}_$]{0,62}";
const NAME = `(?:${WORD}\\.){0,2}${WORD}`;
const TYPE = "[a-z][a-z0-9_ ]{0,62}(?:\\([0-9, ]{1,16}\\))?(?:\\[\\])?";

/** `value` is left out of the sentence, whatever it is. */
const PLACES: Readonly<Record<string, string>> = {
  name: NAME,
  names: `${NAME}(?:, ${NAME}){0,31}`,
  count: "[0-9]{1,10}",
  type: TYPE,
  types: `(?:${TYPE}(?:, ${TYPE}){0,15})?`,
  operator: "[-+*/<>=~!@#%^&|`?]{1,8}",
  ordinal: "[0-9]{1,5}(?:st|nd|rd|th)",
  words: "[A-Z]{2,16}(?: [A-Z]{2,16}){0,3}",
  value: ".*?",
};

/**
 * Templates in the order in which they are tried, such as `no such table: {name}`. The result gives null for what none of them fits.
 * They are read at the first message: a helper process begins 15 ms sooner without them.
 */
export function sentencesLike(templates: readonly string[]): (message: string) => string | null {
  let readers: readonly ReturnType<typeof readerOf>[] | null = null;
  return (message) => {
    readers ??= templates.map(readerOf);
    for (const read of readers) {
      const sentence = read(message);
      if (sentence !== null) return sentence;
    }
    return null;
  };
}

function readerOf(template: string): (message: string) => string | null {
  // Every other part is the name of a place.
  const parts = template.split(/\{(\w+)\}/);
  const places = parts.filter((_, at) => at % 2 === 1);
  const source = parts.map((part, at) =>
    at % 2 === 1 ? `(${PLACES[part]})` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  const pattern = new RegExp(`^${source.join("")}$`, "su");
  return (message) => {
    const match = pattern.exec(message);
    if (match === null) return null;
    const shown = parts.map((part, at) => {
      if (at % 2 === 0) return part;
      return places[(at - 1) / 2] === "value" ? "" : (match[(at + 1) / 2] ?? "");
    });
    return shown.join("").replace(/:$/, "");
  };
}
