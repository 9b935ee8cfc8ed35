/** Programs changed into what models write by habit: marks, words and forms of other languages. */
export type Mutation = {
  readonly what: string;
  readonly change: (text: string, pick: (n: number) => number) => string;
};

/** One of the places where `pattern` is found, outside of strings and comments, is written otherwise. */
function at(what: string, pattern: RegExp, written: string | ((...found: string[]) => string)): Mutation {
  const strings = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g;
  return {
    what,
    change: (text, pick) => {
      const held = [...text.matchAll(strings)].map(({ index, 0: { length } }) => [index, index + length] as const);
      const isHeld = (place: number): boolean => held.some(([start, end]) => place > start && place < end);
      const places = [...text.matchAll(pattern)].filter(({ index }) => !isHeld(index));
      const found = places[pick(places.length)];
      if (found === undefined) return text;
      const own = typeof written === "string" ? written : written(...found);
      return text.slice(0, found.index) + own + text.slice(found.index + found[0].length);
    },
  };
}

const NAME = "[a-z_][a-z_0-9]*";
const swapped = (name: string): string => name.slice(0, -2) + name.slice(-1) + name.slice(-2, -1);

const ANY: readonly Mutation[] = [
  at("smart quotes", /"[^"\\\n]*"/g, (text) => `“${text.slice(1, -1)}”`),
  at("a semicolon", /(?<=\S)$/gm, ";"),
  at("no comma", /, (?=[a-z"'{[])/g, " "),
  at("three signs", / == /g, " === "),
  at("<>", / != /g, " <> "),
  at("a bracket is missing", /[)\]}]/g, ""),
  at("a trailing comma", /(?<=[\w"'])\]/g, ",]"),
  at("a fence", /^/g, "```\n"),
  at(
    "letters swapped",
    new RegExp(
      `(?<!\\.|^ +(?:Filt|Sort) \\S+ \\S+ .*|\\b(?:get|put|pick|omit) \\S+ )\\b${NAME}[a-z]{3}\\b(?![("]| [-+*/]?= )`,
      "gm",
    ),
    (name) => swapped(name),
  ),
  at("nil", /\bnull\b/g, "nil"),
  at("a capital", /\b(?:true|false)\b/g, (word) => word.charAt(0).toUpperCase() + word.slice(1)),
  at("undefined", /\bnull\b/g, "undefined"),
  at("a comment of C", /(?<=\S)$/gm, " // note"),
  at("a space less", / (?=[=<>+*/-])/g, ""),
];

export const OF_INDENTED: readonly Mutation[] = [
  ...ANY,
  at("no colon", /:$/gm, ""),
  at("&&", /\band\b/g, "&&"),
  at("||", /\bor\b/g, "||"),
  at("!", /\bnot /g, "!"),
  at("else if", /\belif\b/g, "else if"),
  at("elseif", /\belif\b/g, "elsif"),
  at("one sign", / == /g, " = "),
  at("walrus", / = /g, " := "),
  at("let", new RegExp(`^( +)(?=${NAME} = )`, "gm"), (blanks) => `${blanks}let `),
  at("var", new RegExp(`^( +)(?=${NAME} = )`, "gm"), (blanks) => `${blanks}var `),
  at("an annotation", new RegExp(`^( +${NAME}) = `, "gm"), (_all, name) => `${name}: int = `),
  at("length", /\blen\(([a-z]+)\)/g, (_all, name) => `${name}.length`),
  at("a method", /\b(len|upper|lower|trim|str|sort|keys|values)\(([a-z]+)\)/g, (_all, fn, name) => `${name}.${fn}()`),
  at("a spaced call", /\b(len|sum|max|min|str|abs)\(([a-z]+)\)/g, (_all, fn, name) => `${fn} ${name}`),
  at("an exception", /raise ("[^"]*"|'[^']*')/g, (_all, text) => `raise ValueError(${text})`),
  at("throw", /\braise\b/g, "throw"),
  at("output", /\breturn\b/g, "output"),
  at("yield", /\breturn\b/g, "yield"),
  at("then", /(?<=^ +if .*):$/gm, " then:"),
  at("foreach", /\bfor\b(?= \w+ in .*:$)/gm, "foreach"),
  at("of", /(?<=^ +for \w+) in /gm, " of "),
  at("brackets", /^( +if )(.*):$/gm, (_all, word, cond) => `${word}(${cond}):`),
  at("++", new RegExp(`\\b(${NAME}) \\+= 1$`, "gm"), (_all, name) => `${name}++`),
  at("get", /\b([a-z]+)\[("[a-z]+"|'[a-z]+')\](?! *[-+*/]?=)/g, (_all, name, key) => `${name}.get(${key})`),
  at("an import", /^/g, "import json\n"),
  at("print", /^( +)(?=return)/gm, (blanks) => `${blanks}print("here")\n${blanks}`),
  at("no f", /\bf(?=["'])/g, ""),
  at("^", / \*\* /g, " ^ "),
  at("an arrow", /^( +)([a-z]+) = ([^=\n]+)$/gm, (_all, blanks, name, value) => `${blanks}${value} -> ${name}`),
  at("spread", /\[(?=[a-z]+[,\]])/g, "[*"),
  at("a ternary of C", /(?<== )(\S+) if (.+) else (\S+)$/gm, (_all, a, c, b) => `${c} ? ${a} : ${b}`),
  at("concat", /"\s*\+\s*/g, '" . '),
  at("deeper", /^ {2}(?=\S)/gm, "   "),
  at("push", new RegExp(`\\b(${NAME}) \\+= \\[(.*)\\]$`, "gm"), (_all, name, item) => `${name}.append(${item})`),
];

export const OF_OPCODE: readonly Mutation[] = [
  ...ANY,
  at("=>", /->(?=[a-z])/g, "=>"),
  at("→", /->(?=\S)/g, "→ "),
  at("-->", /->(?=\S)/g, "-->"),
  at("no arrow", /->(?=[a-z])/g, ""),
  at("an arrow apart", /->(?=\S)/g, "-> "),
  at("=", /^( +(?:X|Set) \w+) /gm, (_all, start) => `${start} = `),
  at("a call of Python", /\((\w+) ([^()]+)\)/g, (_all, fn, args) => `${fn}(${args.split(" ").join(", ")})`),
  at("no brackets", /\((\w+) ([^()]+)\)/g, (_all, fn, args) => `${fn} ${args}`),
  at("infix", /\((?:add|sub|mul) (\S+) (\S+)\)/g, (_all, a, b) => `${a} + ${b}`),
  at("infix with brackets", /\(sub (\S+) (\S+)\)/g, (_all, a, b) => `(${a} - ${b})`),
  at("infix of X", /^( +X \w+) add (\S+) (\S+)$/gm, (_all, start, a, b) => `${start} ${a} + ${b}`),
  at("lower case", /^( +)(Set|If|Loop|While|Call)\b/gm, (_all, blanks, word) => blanks + word.toLowerCase()),
  at("no colon", /^(L\w+):/gm, (_all, label) => label),
  at("return", /^( +)J\b/gm, (_all, blanks) => `${blanks}return`),
  at("assigned", /^( +)Set (\w+) (.+)$/gm, (_all, blanks, name, value) => `${blanks}${name} = ${value}`),
  at("commas", /^( +(?:R|X) \S+ [^\s"']+) (?=[^-\n])/gm, (_all, start) => `${start}, `),
  at("a path by index", /\b([a-z]+)\.([a-z]+)\b/g, (_all, name, member) => `${name}[${member}]`),
];
