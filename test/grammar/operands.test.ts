/** Tokens, operands and conditions (docs/language.md, values and operands), as tables. */
import { describe, expect, it } from "vitest";
import { parse } from "../../grammar/parse.ts";
import { conditionOf, found, operandOf, stepOf } from "./reading.ts";

describe("operands", () => {
  it.each([
    ['"a b"', "str:a b"],
    ["'a \"b\"'", 'str:a "b"'],
    ['"q\\" b\\\\ n\\n t\\t r\\r x\\d"', 'str:q" b\\ n\n t\t r\r x\\d'],
    ["'it\\'s \\\\ \\n'", "str:it's \\ \\n"],
    ['"a#b"', "str:a#b"],
    ["12", "num:12"],
    ["-3.5", "num:-3.5"],
    [".5", "num:0.5"],
    ["5.", "num:5"],
    ["007", "num:7"],
    ["1e3", "num:1000"],
    ["+5", "word:+5"],
    ["-", "word:-"],
    ["true", "bool:true"],
    ["false", "bool:false"],
    ["null", "null"],
    ["True", "name:True"],
    ["$x", "var:x"],
    ["$true", "var:true"],
    ["größe", "name:größe"],
    ["_a1", "name:_a1"],
    ["1a", "word:1a"],
    ["a.b", "path:a|b"],
    ["a.0.b", "path:a|0|b"],
    ["a[0].b[12]", "path:a|0|b|12"],
    ['a["k ] \\" v"].b[\'c d\']', 'path:a|k ] " v|b|c d'],
    ["$a.b[0]", "path:$a|b|0"],
    ["a.", "word:a."],
    ["a..b", "word:a..b"],
    ["/orders", "word:/orders"],
    ["a-b", "word:a-b"],
    ["*", "word:*"],
    ["10:30", "word:10:30"],
    ["https://a.b/c?d=e", "word:https://a.b/c?d=e"],
    ['k="v w"', "word:k=v w"],
    ["k='v'", "word:k=v"],
    ["f(x)", "word:f(x)"],
    ["a,b", "word:a,b"],
    ["R", "name:R"],
    ["[]", "[]"],
    ["[a, 1, 'x',]", "[name:a num:1 str:x]"],
    ["[a,[b[0]],{c: d}]", "[name:a [path:b|0] {c=name:d}]"],
    ["{}", "{}"],
    ['{"k k": 1, n: x.y, t: 10:30, "u" : "v",}', '{"k k"=num:1 n=path:x|y t=word:10:30 "u"=str:v}'],
    ["{a:1,b:[2]}", "{a=num:1 b=[num:2]}"],
    ["(add 1 x)", "(add num:1 name:x)"],
    ["(core.add 1 (mul 2 3))", "(core.add num:1 (mul num:2 num:3))"],
    ["(a >= b)", "(>= name:a name:b)"],
    ["((len a) == 0)", "(== (len name:a) num:0)"],
    ["(now)", "(now)"],
  ])("%s", (text, expected) => {
    expect(operandOf(text)).toBe(expected);
    expect(found(`L1:\nJ ${text}`)).toEqual([]);
  });

  it("ends words at arrows, comments and quotes, and keeps touching pieces apart", () => {
    expect(stepOf("R core.NOW->t")).toMatchObject({ verb: { text: "NOW" }, out: { name: "t" } });
    expect(stepOf('R x.Y pre"mid"')).toMatchObject({
      args: [
        { k: "name", v: "pre" },
        { k: "str", v: "mid" },
      ],
    });
    expect(stepOf("R x.Y -> t")).toMatchObject({ args: [], out: { name: "t" } });
  });

  it.each(["\t", "\f", "\u00a0", "\u2003", "\u3000", "\r"])("takes %j as a blank", (blank) => {
    expect(stepOf(`Set${blank}a${blank}1${blank}`)).toMatchObject({ op: "Set", name: { name: "a" }, value: { v: 1 } });
  });

  it("continues over lines while a bracket is open", () => {
    const source = 'L1:\n  Set body {\n    "title": "x",   # comment\n\n    "tags": ["ops", "mail"]\n  }\n  J body';
    const file = parse(source);
    expect(file.findings).toEqual([]);
    expect(file.lines.map((line) => line.span.line)).toEqual([1, 2, 7]);
    expect(file.comments).toMatchObject([{ text: " comment", own_line: false, span: { line: 3 } }]);
  });
});

describe("conditions", () => {
  it.each([
    ["x", "name:x"],
    ["$x", "var:x"],
    ["x.ok", "path:x|ok"],
    ["x?", "name:x is set"],
    ["x.id?", "path:x|id is set"],
    ["$x?", "var:x is set"],
    ["a=b", "name:a = name:b"],
    ["a = b", "name:a = name:b"],
    ["a=", "name:a = str:"],
    ['mode="a b"', "name:mode = str:a b"],
    ["n>=10", "name:n >= num:10"],
    ["n>-5", "name:n > num:-5"],
    ["n >= 10", "name:n >= num:10"],
    ["x!=3", "name:x != num:3"],
    ["a == b", "name:a == name:b"],
    ["a==b", "name:a == name:b"],
    ["n>= 3", "name:n >= num:3"],
    ["n>(len xs)", "name:n > (len name:xs)"],
    ["a=[1, 2]", "name:a = [num:1 num:2]"],
    ['x["a=b"]=3', "path:x|a=b = num:3"],
    ["(gt n 5)", "(gt name:n num:5)"],
    ["(len xs) > 2", "(len name:xs) > num:2"],
    ["(a < b)", "name:a < name:b"],
    ["(a = b)", "name:a = name:b"],
    ["(n>=3)", "name:n >= num:3"],
    ["not x", "not name:x"],
    ["!x", "not name:x"],
    ["! x", "not name:x"],
    ["!x=3", "not name:x = num:3"],
    ["!(gt a 1)", "not (gt name:a num:1)"],
    ["not (a > b)", "not name:a > name:b"],
    ["not x?", "not name:x is set"],
    ["not not x", "not not name:x"],
    ["not", "name:not"],
    ["not = 3", "name:not = num:3"],
    ["a=k=v", "name:a = word:k=v"],
    ["/a?", "word:/a?"],
  ])("%s", (text, expected) => {
    expect(conditionOf(text)).toBe(expected);
    expect(found(`L1:\nIf ${text} ->L2`).filter((code) => !code.startsWith("WF9009"))).toEqual([]);
  });

  it("splits nothing else in a program", () => {
    expect(operandOf("n>=10")).toBe("word:n>=10");
    expect(stepOf("Set If a=b")).toMatchObject({ name: { name: "If" }, value: { k: "word", v: "a=b" } });
  });

  it("knows on a label line whether `If` starts a step", () => {
    const [label] = parse("L1: Set If a=b If n>=3 ->L2 X If add 1").lines;
    expect(label).toMatchObject({
      steps: [
        { op: "Set", name: { name: "If" }, value: { k: "word", v: "a=b" } },
        { op: "If", cond: { c: "cmp", op: ">=" } },
        { op: "X", name: { name: "If" }, first: { v: "add" } },
      ],
    });
  });
});
