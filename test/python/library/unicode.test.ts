/** The tables of characters, compared with CPython 3.11 over all code points where it is installed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { capitalize, casefold, lower, swapcase, title, upper } from "../../../vm/python/unicode/case.ts";
import { categoryOf, combiningOf, isUnassigned } from "../../../vm/python/unicode/characters.ts";
import * as sets from "../../../vm/python/unicode/sets.ts";

function* codes(): Generator<number> {
  for (let code = 0; code < 0x110000; code++) if (code < 0xd800 || code > 0xdfff) yield code;
}

function digestOf(write: (char: string, code: number) => string): string {
  const hash = createHash("sha256");
  let chunk = "";
  for (const code of codes()) {
    chunk += write(String.fromCodePoint(code), code);
    if ((code & 0xfff) === 0) {
      hash.update(chunk);
      chunk = "";
    }
  }
  return hash.update(chunk).digest("hex");
}

const bit = (value: boolean): string => (value ? "1" : "0");
const TABLES: { readonly [python: string]: (char: string, code: number) => string } = {
  "'01'[c.isalpha()]": (_, code) => bit(sets.ALPHA.has(code)),
  "'01'[c.isdecimal()]": (_, code) => bit(sets.DECIMAL.has(code)),
  "'01'[c.isdigit()]": (_, code) => bit(sets.DIGIT.has(code)),
  "'01'[c.isnumeric()]": (_, code) => bit(sets.NUMERIC.has(code)),
  "'01'[c.isalnum()]": (_, code) => bit(sets.isAlphanumeric(code)),
  "'01'[c.islower()]": (_, code) => bit(sets.LOWER.has(code)),
  "'01'[c.isupper()]": (_, code) => bit(sets.UPPER.has(code)),
  "'01'[c.istitle()]": (_, code) => bit(sets.TITLE.has(code) || sets.UPPER.has(code)),
  "'01'[c.isspace()]": (_, code) => bit(sets.isSpace(code)),
  "'01'[c.isprintable()]": (_, code) => bit(sets.isPrintable(code)),
  "'01'[c.isidentifier()]": (_, code) => bit(sets.IDENTIFIER_START.has(code)),
  "'01'[('a' + c).isidentifier()]": (_, code) => bit(sets.IDENTIFIER_PART.has(code)),
  "str(int(c)) if c.isdecimal() else '-'": (_, code) => String(sets.digitValue(code)).slice(0, 1),
  "c.upper()": (char) => upper(char),
  "c.lower()": (char) => lower(char),
  "c.title()": (char) => title(char),
  "c.capitalize()": (char) => capitalize(char),
  "c.casefold()": (char) => casefold(char),
  "c.swapcase()": (char) => swapcase(char),
  "('a' + c + 'b').title()": (char) => title(`a${char}b`),
  "('a' + c + 'Σ' + c).lower()": (char) => lower(`a${char}Σ${char}`),
  "('aΣ' + c + 'b').lower()": (char) => lower(`aΣ${char}b`),
  "unicodedata.category(c)": (_, code) => categoryOf(code),
  "str(unicodedata.combining(c))": (_, code) => String(combiningOf(code)),
  "''.join(unicodedata.normalize(f, 'a' + c + '\\u0323\\u0301') for f in FORMS) if unicodedata.category(c) != 'Cn' else ''":
    (char, code) => (isUnassigned(code) ? "" : FORMS.map((form) => `a${char}\u0323\u0301`.normalize(form)).join("")),
};
const FORMS = ["NFC", "NFD", "NFKC", "NFKD"];

const PROGRAM = `
import hashlib
import unicodedata
FORMS = ["NFC", "NFD", "NFKC", "NFKD"]
codes = [c for c in range(0x110000) if not 0xd800 <= c <= 0xdfff]
for text in open(0, encoding="utf-8").read().splitlines():
    f = eval("lambda c: " + text)
    print(hashlib.sha256("".join(f(chr(c)) for c in codes).encode()).hexdigest())
`;

const MINUTE = 60_000;
const found = spawnSync("python3", ["-c", "import sys; print(*sys.version_info[:2])"], { encoding: "utf8" });
const hasPython = found.stdout?.trim() === "3 11";

describe("characters of Python programs", () => {
  it.runIf(hasPython)(
    "every set and case of every code point is that of CPython",
    () => {
      const input = Object.keys(TABLES).join("\n");
      const expected = spawnSync("python3", ["-X", "utf8", "-c", PROGRAM], { input, encoding: "utf8" }).stdout.split(
        "\n",
      );
      for (const [index, [python, write]] of Object.entries(TABLES).entries())
        expect([python, digestOf(write)]).toEqual([python, expected[index]]);
    },
    MINUTE,
  );

  it("a final sigma depends on the letters around it", () => {
    expect(lower("ΟΔΟΣ ΣΑΣ Σ")).toBe("οδος σας σ");
    expect(title("ὈΔΥΣΣΕΎΣ")).toBe("Ὀδυσσεύς");
  });

  it("case of some characters is more than one character", () => {
    expect(upper("straße ﬁ ŉ")).toBe("STRASSE FI ʼN");
    expect(title("ßa ǆa")).toBe("Ssa ǅa");
    expect(casefold("Straße")).toBe("strasse");
  });
});
