/** What programs in Python do with answers of adapters, held against the catalog (python-effects.md K-1 to K-16). */
import { describe, expect, test } from "vitest";
import { compile } from "../../compiler/compile.ts";

/** Findings of a program as `line code`, without the line that states the form. */
function found(source: string): string[] {
  const { diagnostics } = compile(`# surface: python\n${source}`);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, span }) => `${(span?.line ?? 0) - 1} ${code}`);
}

const body = (...lines: readonly string[]): string =>
  ["def main(x, y=None):", ...lines.map((one) => `    ${one}`)].join("\n");

describe("refused where the mistake is", () => {
  test.each([
    ["a condition on an answer", body('if approval.ask("Pay?"):', "    return 1")],
    ["not of an answer", body('if not http.Get("https://a.example"):', "    return 1")],
    ["an answer as a part of and", body('if x and approval.ask("Pay?"):', "    return 1")],
    ["is None of memory.get", body('if memory.get("long_term", "a", x) is None:', "    return 1")],
    ["is None of a list", body('if sqlite.query("SELECT 1") is None:', "    return 1")],
    ["ok of an answer of http", body("if not http.Get(x).ok:", "    return 1")],
    ["a status that raises", body("if http.Get(x).status == 404:", "    return 1")],
    ["statuses that raise", body("if http.Get(x).status_code in (404, 410):", "    return 1")],
    ["statuses from 400", body("if http.Get(x).status >= 400:", "    return 1")],
    ["a decision outside of the choices", body('if approval.ask("Pay?").decision == "approved":', "    return 1")],
    [
      "a choice of another question",
      body('if approval.ask("Pay?", choices=["now", "later"]).decision == "never":', "    return 1"),
    ],
    [
      "a class that classify was not given",
      body('if llm.classify(x, ["bug", "question"]) == "feature":', "    return 1"),
    ],
    ["an answer in a text", body('return f"{llm.chat(x)}"')],
    ["an answer added to a text", body('return "They say: " + llm.chat(x)')],
    ["an answer that is walked", body('return [r for r in memory.list("session")]')],
    ["True or False that is called", body("if http.Get(x).ok():", "    return 1")],
    ["a number called", body("return http.Get(x).status_code()")],
    ["a member that is not called", body('return memory.list("session").items')],
    ["text of an answer of http", body("return http.Get(x).text")],
    ["an unknown member", body("return llm.chat(x).content")],
    ["a member of a list", body('return sqlite.query("SELECT 1").rows')],
    ["a namespace that is not there", body('return memory.get("users", "a", x)')],
    ["a mode that is not there", body('return fs.write(x, "a", mode="w")')],
    ["a span that cannot be read", body('timer.sleep("5 minutes")', "return 1")],
    ["milliseconds for a span", body("timer.sleep(86400000)", "return 1")],
    ["a line of cron with four fields", body('return timer.next("0 8 * *")')],
    ["a time zone that is not there", body('return timer.next("0 8 * * *", tz="Vienna")')],
    ["a text for seconds", body('return http.Get(x, timeout="5")')],
    ["an unknown option", body("return http.Get(x, verify=False)")],
    ["an option given twice", body("return http.Get(x, timeout=1, timeout_s=2)")],
    ["options as a dict", body('return http.Get(x, {"timeout_s": 5})')],
    ["options as a value", body('return cache.set("k", "v", {"ttl_s": 60})')],
    ["surplus arguments", body("return queue.len(x, 1)")],
    ["rows unpacked in a loop", body('for key, n in sqlite.query("SELECT k, n FROM t"):', "    x[key] = n")],
    ["rows unpacked in a comprehension", body('return {k: n for k, n in sqlite.query("SELECT k, n FROM t")}')],
    ["a row unpacked in a list", body('(n,), = sqlite.query("SELECT count(*) FROM t")', "return n")],
    ["a document or None unpacked", body('name, age = db.G("users", x)', "return name")],
    ["a row by place", body('return sqlite.query("SELECT count(*) FROM t")[0][0]')],
    ["a part of a row", body('return sqlite.query("SELECT * FROM t")[0][:2]')],
    ["a message by place", body("return [m[0] for m in email.read()]")],
    ["a row next to a text", body('return sqlite.query("SELECT 1")[0] == "a"')],
    ["a list of rows next to a number", body('if sqlite.query("SELECT count(*) FROM t") > 0:', "    return 1")],
    ["a text among rows", body('return "ann" in sqlite.query("SELECT name FROM t")')],
    ["a dict of rows", body('return dict(sqlite.query("SELECT k, v FROM t"))')],
    ["rows joined", body('return ",".join(sqlite.query("SELECT name FROM t"))')],
    ["rows in order without a key", body('return sorted(sqlite.query("SELECT name FROM t"), reverse=True)')],
    ["members of names of files", body('return [f.size for f in fs.list("data")]')],
    ["a text where lines are meant", `import csv\n${body("return list(csv.reader(fs.read(x)))")}`, 3],
    ["an answer as a text of JSON", `import json\n${body("return json.loads(http.Get(x))")}`, 3],
    ["a parameter that is a text for a list", "def main(name: str):\n    return sqlite.query('SELECT 1', name)"],
    ["a parameter that is a number for a list", "def main(n: int):\n    return sqlite.query('SELECT 1', (n))"],
    ["a number for a header", body('return http.Get(x, headers={"X-Page": 2}).body')],
    ["a query in the place of headers", body('return http.Get(x, {"page": 2}).body')],
    ["a number where a text is meant", body("return email.send(x, 'Status', http.Get(x).status)")],
  ])("%s", (_name: string, source: string, line = 2) => {
    expect(found(source)).toEqual([expect.stringMatching(new RegExp(`^${line} WF60`))]);
  });

  test("calls in place of the functions that branches begin with", () => {
    const helper = "def ask(u):\n    return http.Get(u).body\n\n";
    expect(found(`${helper}def main(xs):\n    return parallel([ask(x) for x in xs])`)).toEqual(["5 WF6053"]);
    expect(found(`${helper}def main(xs):\n    return parallel([ask("a"), ask("b")])`)).toHaveLength(2);
    expect(found("def ask(u):\n    return lambda: u\n\ndef main(x):\n    return parallel([ask(x)])")).toEqual([]);
  });

  test("through a helper that stands after its caller", () => {
    expect(
      found('def main(x):\n    if ask(x):\n        return 1\n\ndef ask(x):\n    return approval.ask(f"{x}?")'),
    ).toEqual(["2 WF6050"]);
  });

  test("through variables, branches and loops", () => {
    const source = body(
      "for attempt in range(3):",
      "    try:",
      "        r = http.Get(x)",
      "        break",
      "    except AdapterError as e:",
      "        if e.kind == 1:",
      "            raise",
      "if r.status == 404:",
      "    return None",
    );
    expect(found(source)).toEqual(["7 WF6052", "9 WF6051"]);
  });

  test("in an element of a list that a helper is called with", () => {
    expect(
      found("def main():\n    return [line(m) for m in email.read()]\n\ndef line(m):\n    return m.sender"),
    ).toEqual(["5 WF6052"]);
  });

  test("a member with the name of a method of dicts is offered in brackets", () => {
    const source = body('return [i.id for i in memory.list("workflow", "a").items]');
    const [finding] = compile(source).diagnostics.filter(({ code }) => code === "WF6052");
    const [edit] = finding?.fix?.edits ?? [];
    const fixed = source.slice(0, edit?.span.start) + edit?.new_text + source.slice(edit?.span.end);
    expect(fixed).toContain('memory.list("workflow", "a")["items"]]');
  });

  test("a verb of a local that hides the adapter, and not a method of dicts", () => {
    expect(found(body("queue = []", 'queue.put("a")', "return queue"))).toEqual(["3 WF6055"]);
    expect(found(body("cache = {}", "return cache.get(x)"))).toEqual([]);
  });

  test("an import of Python's module with the name of an adapter", () => {
    expect(found(`import http\n${body("return http.Get(x)")}`)[0]).toBe("1 WF6003");
  });
});

describe("not refused", () => {
  test.each([
    ["a status that is accepted", body("r = http.Get(x, accept_status=[404])", "return r.status == 404 or not r.ok")],
    ["any status", body('return http.Get(x, accept_status="any").status >= 500')],
    ["a status where a whole number is meant", body(`return extras.tls_expiry("example.com", http.Get(x).status)`)],
    [
      "a parameter that is a float, and may be whole",
      `def main(port: float):\n    return extras.tls_expiry("a.example", port)`,
    ],
    ["an answer or None", body("answer = None", "if y:", '    answer = approval.ask("Pay?")', "return answer is None")],
    ["choices that only the run knows", body('return approval.ask("Pay?", choices=y).decision == "never"')],
    [
      "methods of requests",
      body("r = http.Get(x)", "r.raise_for_status()", 'return r.json()["a"], r.headers["Content-Type"]'),
    ],
    ["a key that the program sets", body("r = llm.chat(x)", 'r["seen"] = True', 'return r["seen"]')],
    [
      "members and methods of an error",
      body(
        "try:",
        "    http.Get(x)",
        "except AdapterError as e:",
        "    return e.status == 404 and e.details and str(e)",
      ),
    ],
    ["options by second names", body('return http.Post(x, json={"a": 1}, params={"q": 1}, timeout=5).body')],
    ["options in a dict that is written out", body('return http.Get(x, **{"timeout_s": 5}).body')],
    [
      "keys with and without a namespace",
      body(
        'cache.set("k", 1, ttl_s=60)',
        'cache.set("ns", "k", 1, 60)',
        'return cache.get("k", default=0), cache.get("ns", "k")',
      ),
    ],
    ["an adapter under another name", "from weft import http as web\ndef main(x):\n    return [web.Get(x).body, 1]"],
    [
      "rows by their members",
      body(
        'rows = sqlite.query("SELECT k, n FROM t")',
        "first, *others = rows",
        "for k, n in first.items():",
        "    x[k] = n",
        'values = [tuple(row.values()) for row in rows if {"k": 1} in rows]',
        'return dict(first), sorted(rows, key=lambda r: r["k"]), [n for k, n in values], list(first), rows == []',
      ),
    ],
    [
      "files with details",
      body('return [f["size"] for f in fs.list(x, details=True)], fs.read(x, encoding="base64")["$base64"]'),
    ],
    [
      "parameters that have other values, and values of all kinds in a query",
      "def main(name: str, ids: str = None):\n    name = [name]\n" +
        '    sqlite.query("SELECT 1", name)\n    sqlite.query("SELECT 1", ids)\n' +
        '    return http.Get("a", {"X": f"{ids}"}, query={"n": 1, "b": True, "c": None, "d": [1, "x"]}).body',
    ],
    ["details that only the run knows", body("return [f for f in fs.list(x, details=y)][0]['name']")],
    ["the module weft", "import weft\ndef main(x):\n    return weft.http.Get(x).body"],
  ])("%s", (_name, source) => {
    expect(found(source)).toEqual([]);
  });
});
