/** The formatter, rule by rule (docs/cli/fmt.md). */
import { describe, expect, it } from "vitest";
import { format } from "../../grammar/print/print.ts";
import { quoteText } from "../../grammar/text/quote.ts";
import { stepOf } from "./reading.ts";

function formatted(text: string): string {
  const result = format(text);
  if (!result.ok) throw new Error(result.findings.map(({ code }) => code).join(" "));
  return result.text;
}

describe("layout", () => {
  it.each([
    ["", ""],
    ["\n\n", ""],
    ["\ufeffS a b\r\n\r\n\r\n\r\nL1:\r\nJ 1   \r\n\r\n", "S a b\n\nL1:\n  J 1\n"],
    ["S a b\nL1:\nJ 1\nL2:\nJ 2", "S a b\n\nL1:\n  J 1\n\nL2:\n  J 2\n"],
    ["  L1:\n# one\n    # two\nJ 1\n# end", "L1:\n  # one\n  # two\n  J 1\n  # end\n"],
    ["# head\nL1:\nJ 1\n# about 2\nL2:\nJ 2", "# head\nL1:\n  J 1\n\n# about 2\nL2:\n  J 2\n"],
    ["L1:\nJ 1\n# tail\n\nL2:\nJ 2", "L1:\n  J 1\n# tail\n\nL2:\n  J 2\n"],
    ["L1:\nSet a 1\n\n\n\nJ a#c  ", "L1:\n  Set a 1\n\n  J a  #c\n"],
    ["L1: R a.B 1 ->n J n # why", "L1:  # why\n  R a.B 1 ->n\n  J n\n"],
    ["L1: J 0\nL2: foo  [1]  bar J 1", "L1:\n  J 0\n\nL2:\n  foo  [1]  bar\n  J 1\n"],
    ["L1:\n\tFoo  bar # c  \nJ 1", "L1:\n\tFoo  bar # c\n  J 1\n"],
    ["1:\nJ 1", "L1:\n  J 1\n"],
    ["Filter a b c = d", "  Filt a b c == d\n"],
  ])("%j", (text, expected) => {
    expect(formatted(text)).toBe(expected);
  });
});

describe("statements", () => {
  it.each([
    ["R  core   ADD 2 3 -> x", "R core.ADD 2 3 ->x"],
    ["R core.ADD 2 ->x 3", "R core.ADD 2 3 ->x"],
    ["R a.B ->x ->y", "R a.B ->x ->y"],
    ["If !a L2 3", "If not a ->L2 ->L3"],
    ["If a==b ->2", "If a == b ->L2"],
    ["If a = b ->chk/ENTRY", "If a=b ->chk/ENTRY"],
    ['If "a" = b ->L2', 'If "a" = b ->L2'],
    ["If (len xs)=3 ->L2", null],
    ["If a= ->L2", "If a= ->L2"],
    ["If (a>=b) ->L2:", "If (a >= b) ->L2"],
    ["If a? ->LATE", "If a? ->LATE"],
    ["Err n1 9", "Err @n1 ->L9"],
    ["Call 2 ->r", "Call L2 ->r"],
    ["Call ->chk/ENTRY ->r", "Call chk/ENTRY ->r"],
    ["X n (add 1 (mul 2 3))", "X n add 1 (mul 2 3)"],
    ["X t (now)", "X t (now)"],
    ["X b (a >= 1)", "X b (a >= 1)"],
    ["ForEach xs as it L2 L3", "Loop xs it ->L2 ->L3"],
    ["While a ->L2 ->L3   limit=5", "While a ->L2 ->L3 limit=5"],
    ["CacheGet c k ->v 'd'", 'CacheGet c k "d" ->v'],
    ["CacheSet c k v soon", "CacheSet c k v soon"],
    ["Retry 3 5 jitter", "Retry 3 5 jitter"],
    ["Sort a b 'c d' DESC", 'Sort a b "c d" DESC'],
    ["J a b", "J a b"],
    ["Loop xs as it  -> L2", "Loop xs it ->L2"],
    ["Loop xs as as L2", "Loop xs as as L2"],
    ["Loop xs as as ->L2", "Loop xs as ->L2"],
    ["Loop xs as as L2 L3", "Loop xs as ->L2 ->L3"],
    ["Loop xs it ->2:: :::", "Loop xs it ->L2:: ->L:::"],
    ["Call L2::", "Call L2::"],
    ["While a  >  b ->L2", "While a  >  b ->L2"],
    ['Set a [1,2,  {"k":1,n : x}]', 'Set a [1, 2, {"k": 1, n: x}]'],
    ["Set a k='v w'", 'Set a k="v w"'],
    ["Set a 'say \"hi\"'", "Set a 'say \"hi\"'"],
    ["Set a 007", "Set a 007"],
    // An arrow before a condition: after it, the condition was read as one word.
    ["If ->  x  !a==b  L2", "If ->  x  !a==b  L2"],
    ["While  ->L2 a==b ->L3 limit=2", "While ->L2 a==b ->L3 limit=2"],
    ["Retry->L2 @n2 1", "Retry ->L2 @n2 1"],
    ["If not!=b ->L2", "If not!= b ->L2"],
    ["If not = b ->L2", "If not=b ->L2"],
    ["If \ufeff->L2", "If \ufeff ->L2"],
  ])("%s", (text, expected) => {
    if (expected === null) expect(stepOf(text)).toMatchObject({ then: { text: "=3" } });
    else expect(formatted(`L1:\n${text}`)).toBe(`L1:\n  ${expected}\n`);
  });

  it.each([
    ["E  /x G L1 'all'", 'E /x G ->L1 "all"'],
    ["Env  TOKEN", "ops.Env TOKEN"],
    ["arch.Svc b", "Svc b"],
    ["arch.Svc", "arch.Svc"],
    ["INCLUDE  'a b.wf' AS chk", 'include "a b.wf" as chk'],
    ["Pol a role='x y'", 'Pol a role="x y"'],
  ])("%s", (text, expected) => {
    expect(formatted(text)).toBe(`${expected}\n`);
  });
});

describe("what would mean something else elsewhere stays as it is", () => {
  it("a reference that lacks its L, where with it it would be another label", () => {
    const text = "L1:\n  Call ATE ->v\n  If v TE ->ATE\n\nLLATE:\n  J 3\n";
    expect(formatted(text)).toBe("L1:\n  Call ATE ->v\n  If v ->LTE ->ATE\n\nLLATE:\n  J 3\n");
    expect(formatted("E /x G ATE\nLLATE:\nJ 3")).toBe("E /x G ->ATE\n\nLLATE:\n  J 3\n");
    expect(formatted("L1:\n  Call L:\n\nLL:\n  J 1\n")).toBe("L1:\n  Call L\n\nLL:\n  J 1\n");
  });
});

describe("literals over several lines", () => {
  it("lays them out one element per line, with their comments", () => {
    const source = [
      "L1:",
      "R http.POST 'u' { # body",
      '"a": 1, # one',
      "# about b",
      '"b": [',
      "1,2",
      "], c:(add 1",
      "# inside",
      "2),",
      "# end",
      "} ->x # done",
    ].join("\n");
    expect(formatted(source)).toBe(
      [
        "L1:",
        '  R http.POST "u" {  # body',
        '    "a": 1,  # one',
        "    # about b",
        '    "b": [',
        "      1,",
        "      2",
        "    ],",
        "    # inside",
        "    c: (add 1 2)",
        "    # end",
        "  } ->x  # done",
        "",
      ].join("\n"),
    );
  });

  it("puts comments that find no place above the statement", () => {
    expect(formatted("L1:\nSet a [1, # one\n2] # two")).toBe("L1:\n  # one\n  Set a [1, 2]  # two\n");
  });

  it("keeps a literal on one line when an element would look like a label", () => {
    expect(formatted("L1:\nSet a {\n x:1,Length : 5}")).toBe("L1:\n  Set a {x: 1, Length: 5}\n");
  });
});

describe("refusals", () => {
  it("reports WF1xxx findings and changes nothing", () => {
    expect(format("L1:\nSet a 'b")).toMatchObject({ ok: false, findings: [{ code: "WF1001" }] });
  });
});

describe("quoteText", () => {
  it.each([
    ["a b", '"a b"'],
    ["it's", '"it\'s"'],
    ['say "hi"', "'say \"hi\"'"],
    ['{"a": "x\\n"}', '\'{"a": "x\\n"}\''],
    ["a\nb", '"a\\nb"'],
    ["\\d", '"\\d"'],
    ["a\\", '"a\\\\"'],
    ["\\n", "'\\n'"],
    ['\\"\n', '"\\\\\\"\\n"'],
  ])("%j", (text, expected) => {
    expect(quoteText(text)).toBe(expected);
    expect(stepOf(`J ${expected}`)).toMatchObject({ value: { k: "str", v: text } });
  });
});
