/**
 * One program per diagnostic code: the line where it must be reported, and the options that make the compiler report it.
 * The page docs/diagnostics.md has its own programs.
 */
import type { CompileOptions, IncludeReader } from "../../../compiler/options.ts";
import { includeFiles } from "../lower/include-files.ts";
import { PYTHON_SYNTAX } from "./python-syntax.ts";

export type ProducedCode = {
  readonly code: string;
  /** null: a finding about the whole program. */
  readonly line: number | null;
  readonly source: string;
  readonly options?: Omit<CompileOptions, "catalog">;
};

/** The included files that docs/diagnostics.md describes. */
const moduleFiles = includeFiles({
  "lib/check.wf": lines("LENTRY:", "  R core.ADD 2 2 ->s", "  If s ->LEXIT_OK ->LEXIT_OK", "LEXIT_OK:", "  J s"),
  "lib/open.wf": lines("L_go:", "  J 1", "LEXIT_A:", "  J 2"),
  "lib/broken.wf": lines("LENTRY:", "  J (add 1 2", "LEXIT_A:", "  J 2"),
  "prices.py": lines("import taxes", "", "def total(order):", "    return order['net'] + taxes.of(order)"),
  "taxes.py": lines("import prices", "", "def of(order):", "    return order['net'] / 5"),
  "lib/cycle.wf": lines('include "cycle.wf" as again', "LENTRY:", "  J 1", "LEXIT_A:", "  J 2"),
});

const moduleReader: IncludeReader = {
  read(path, from) {
    return path === "lib/huge.wf" ? { ok: false, reason: "too_large", searched: 1 } : moduleFiles.read(path, from);
  },
};

/** Options that a program of docs/diagnostics.md needs to show its code. */
export function optionsFor(code: string): Omit<CompileOptions, "catalog"> {
  if (code === "WF5008") return { allowed_adapters: ["core"] };
  if (code === "WF9021") return { compat_notes: true };
  if (code === "WF9044") return { lifetime_s: 30 * 86_400 };
  if (["WF9028", "WF9029", "WF9042"].includes(code)) return { advice: true };
  return code === "WF3017" ? {} : { includes: moduleReader };
}

export const PRODUCED_CODES: readonly ProducedCode[] = [
  { code: "WF1001", line: 2, source: lines("L1:", '  J "open') },
  { code: "WF1002", line: 2, source: lines("L1:", "  Set n (add 1 2", "  J n") },
  { code: "WF1003", line: 2, source: lines("L1:", "  Set n (add 1 2))", "  J n") },
  { code: "WF1004", line: 2, source: lines("L1:", "  J [1 2]") },
  { code: "WF1005", line: 2, source: lines("L1:", "  J $1a") },
  { code: "WF1006", line: 1, source: lines("L:", "  J 1") },
  { code: "WF1007", line: 2, source: lines("L1:", "  J 1e999") },
  { code: "WF1008", line: 2, source: lines("L1:", "  J ()") },
  { code: "WF1009", line: 2, source: lines("L1:", "  Set n (add 1, 2)", "  J n") },
  { code: "WF1010", line: 2, source: lines("L1:", '  J "a\u0000b"') },
  { code: "WF1011", line: 1, source: lines(`# ${"x".repeat(70_000)}`, "L1:", "  J 1") },
  { code: "WF1012", line: 2, source: lines("L1:", `  J ${"[".repeat(65)}${"]".repeat(65)}`) },
  { code: "WF1013", line: null, source: lines("L1:", ...Array.from({ length: 1100 }, (_, n) => `  Set a b${n}`)) },
  { code: "WF2001", line: 2, source: lines("L1:", "  Sett n 1", '  J "done"') },
  { code: "WF2002", line: 3, source: lines("L1:", "  J 1", "Q mail") },
  { code: "WF2003", line: 1, source: lines("Set a 1", "L1:", "  J 1") },
  { code: "WF2004", line: 2, source: lines("L1:", "  Set total", "  J 1") },
  { code: "WF2005", line: 3, source: lines("L1:", "  J 1", "L1:", "  J 2") },
  { code: "WF2006", line: 1, source: lines("1:", "  J 1") },
  { code: "WF2007", line: 3, source: lines("L1:", "  R core.ADD 1 2 ->n", "  Err @n1", "  J n") },
  { code: "WF2008", line: 2, source: lines("L1:", "  Call L2 v", "  J 1", "L2:", "  J 1") },
  { code: "WF2009", line: 3, source: lines("L1:", "  J 1", "  Set a 2") },
  { code: "WF2010", line: 4, source: lines("L1:", "  Call L2 ->v", "  J v", "L2:") },
  { code: "WF2011", line: 4, source: lines("L1:", "  Call L2 ->v", "  J v", "L2:", "  Set a 1") },
  { code: "WF2013", line: 3, source: lines("L1:", "  Set rows []", "  Sort out rows n descc", "  J out") },
  { code: "WF2015", line: 2, source: lines("L1:", "  R core.ADD 1 2 ->a ->b", "  J b") },
  { code: "WF3001", line: 2, source: lines("L1:", "  Call L_totl ->v", "  J v", "L_total:", "  J 1") },
  { code: "WF3002", line: 3, source: lines("L1:", "  R core.ADD 1 2 ->n", "  Retry @n5 2", "  J n") },
  { code: "WF3003", line: 2, source: lines("S core web /api", "E /orders G L1", "L1:", "  J 1") },
  { code: "WF3004", line: 2, source: lines("L1:", "  If true ->L") },
  {
    code: "WF3005",
    line: 3,
    source: lines("S core web /api", "E /orders G ->L1", "E /orders GET ->L1", "L1:", "  J 1"),
  },
  {
    code: "WF3006",
    line: 2,
    source: lines("S core web /api", "E /orders G ->L1 ->rows", "L1:", "  R core.ADD 1 2 ->n", "  J n"),
  },
  { code: "WF3007", line: 2, source: lines("L1:", '  CacheGet rates "eur" ->v', "  J v") },
  { code: "WF3008", line: 2, source: lines("L1:", '  QueuePut mail "hello"', "  J 1") },
  { code: "WF3009", line: 2, source: lines("L1:", "  Tx begin order", "  J 1") },
  { code: "WF3010", line: 2, source: lines("L1:", "  Enf staff", "  J 1") },
  {
    code: "WF3011",
    line: 1,
    source: lines('include "lib/check.wf" chk', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  {
    code: "WF3012",
    line: 1,
    source: lines('include "lib/missing.wf" as chk', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  {
    code: "WF3013",
    line: 1,
    source: lines('include "lib/cycle.wf" as a', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  {
    code: "WF3014",
    line: 1,
    source: lines('include "lib/open.wf" as chk', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  {
    code: "WF3015",
    line: 2,
    source: lines('include "lib/check.wf" as chk', 'include "lib/check.wf" as chk', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  {
    code: "WF3016",
    line: 1,
    source: lines('include "lib/broken.wf" as chk', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  { code: "WF3017", line: 1, source: lines('include "lib/check.wf" as chk', "L1:", "  J 1"), options: {} },
  {
    code: "WF3018",
    line: 1,
    source: lines('include "../secret.wf" as s', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  {
    code: "WF3019",
    line: 1,
    source: lines('include "lib/huge.wf" as h', "L1:", "  J 1"),
    options: { includes: moduleReader },
  },
  { code: "WF3020", line: 1, source: lines("Cr L_nightly 0 2 * * *", "L1:", "  J 1") },
  { code: "WF3021", line: 1, source: lines("Cr L1 every night", "L1:", "  J 1") },
  { code: "WF4001", line: 2, source: lines("L1:", "  J ghost") },
  { code: "WF4002", line: 2, source: lines("L1:", "  J order.total") },
  { code: "WF4003", line: 2, source: lines("# frame: amount: number", "# frame: amount: text", "L1:", "  J amount") },
  { code: "WF5001", line: 2, source: lines("L1:", '  R htp.GET "https://example.com/" ->page', "  J page") },
  { code: "WF5002", line: 2, source: lines("L1:", '  R http.FETCH "https://example.com/" ->page', "  J page") },
  { code: "WF5003", line: 2, source: lines("L1:", "  R core.MAP [1, 2] ->a", "  J a") },
  { code: "WF5004", line: 2, source: lines("L1:", "  X n addd 1 2", "  J n") },
  { code: "WF5005", line: 2, source: lines("L1:", '  J {"at": (now)}') },
  { code: "WF5006", line: 3, source: lines("L1:", '  Set a "core"', "  R $a.NOW ->t", "  J t") },
  { code: "WF5007", line: 2, source: lines("L1:", "  R core.ADD 1 ->n", "  J n") },
  {
    code: "WF5008",
    line: 2,
    source: lines("L1:", '  R http.GET "https://example.com/" ->page', "  J page"),
    options: { allowed_adapters: ["core"] },
  },
  { code: "WF5009", line: 2, source: lines("L1:", "  R CORE.ADD 1 2 ->n", "  J n") },
  {
    code: "WF5010",
    line: 3,
    source: lines("L1:", '  R http.Post "https://example.com/orders" {"n": 1} ->r', "  Retry 2", "  J r"),
  },
  { code: "WF5012", line: 2, source: lines("L1:", "  R core.ADD 1 2 3 ->n", "  J n") },
  {
    code: "WF5020",
    line: 5,
    source: lines("Txn t", "L1:", "  Par done ->L_one", "L_one:", "  Tx begin t", "  J 1"),
  },
  {
    code: "WF5021",
    line: 4,
    source: lines("Txn t", "L1:", "  Tx begin t", '  R timer.sleep "1d" ->s', "  Tx commit t", "  J s"),
  },
  { code: "WF5011", line: 2, source: lines("L1:", "  R http.GET 42 ->page", "  J page") },
  { code: "WF6001", line: 2, source: lines("def main(n):", "    return cuont + n") },
  {
    code: "WF6002",
    line: 4,
    source: lines("import math", "", "def main(x):", "    return math.flor(x)"),
  },
  {
    code: "WF6003",
    line: 1,
    source: lines("import requests", "", "def main(url):", "    return url"),
  },
  { code: "WF6004", line: 2, source: lines("def main(text):", "    return eval(text)") },
  {
    code: "WF6005",
    line: 2,
    source: lines("def main(url):", "    get = http.Get", "    return get(url)"),
  },
  {
    code: "WF6006",
    line: 1,
    source: lines("import prices", "", "def main(order):", "    return prices.total(order)"),
    options: optionsFor("WF6006"),
  },
  {
    code: "WF6007",
    line: 1,
    source: lines(
      "from math import floor",
      "",
      "def floor(x):",
      "    return 0",
      "",
      "def main(x):",
      "    return floor(x)",
    ),
  },
  { code: "WF6010", line: 2, source: lines("def main(url):", "    return http.fetch(url)") },
  { code: "WF6011", line: 2, source: lines("def main(url):", "    return sqlite.query()") },
  { code: "WF6020", line: 2, source: lines("def main(a):", "    return a is 5") },
  { code: "WF6021", line: 2, source: lines("def main(a):", "    return a.__dict__") },
  {
    code: "WF6022",
    line: 1,
    source: lines("class Point:", "    x = 1", "", "def main(a):", "    return a"),
  },
  {
    code: "WF6023",
    line: 2,
    source: lines("def main(path):", "    with path as f:", "        return f"),
  },
  {
    code: "WF6024",
    line: 4,
    source: lines("async def f(a):", "    return a", "async def main(a):", "    return f(a)"),
  },
  { code: "WF6025", line: 2, source: lines("def main(a):", "    a.total = 1", "    return a") },
  { code: "WF6026", line: 2, source: lines("def main(a):", "    raise") },
  {
    code: "WF6027",
    line: 2,
    source: lines("def check(row):", '    row["done"] = True', "def main(a):", "    return parallel(check, a)"),
  },
  { code: "WF6028", line: 2, source: lines("def main(a):", "    return 2j") },
  {
    code: "WF6029",
    line: 3,
    source: lines("import re", "def main(a):", '    return re.sub(r"(a)\\1", "", a)'),
  },
  { code: "WF6030", line: 2, source: lines("def main(a):", "    return list(set(a))") },
  { code: "WF6040", line: 1, source: lines("@api", "def main(a):", "    return a") },
  { code: "WF6041", line: 1, source: lines('@cron("daily")', "def main():", "    return 1") },
  { code: "WF6042", line: 2, source: lines('@api("/paid")', '@api("/paid")', "def main():", "    return 1") },
  {
    code: "WF6043",
    line: 3,
    source: lines("def main():", "    return 1", "main()"),
  },
  { code: "WF6044", line: 1, source: lines("def main(*all):", "    return all") },
  { code: "WF6045", line: 1, source: lines("def main(a: Decimal):", "    return a") },
  { code: "WF6046", line: 1, source: lines('@api("/orders/{id}")', "def main(order=1):", "    return order") },
  {
    code: "WF6050",
    line: 2,
    source: lines(
      "def main(order):",
      '    if approval.ask(f"Refund {order}?"):',
      '        return "refunded"',
      '    return "rejected"',
    ),
  },
  {
    code: "WF6051",
    line: 3,
    source: lines(
      "def main(sku):",
      '    r = http.Get(f"https://shop.example.com/stock/{sku}")',
      "    return r.status == 404",
    ),
  },
  { code: "WF6052", line: 3, source: lines("def main(url):", "    r = http.Get(url)", "    return r.text") },
  { code: "WF6053", line: 2, source: lines("def main(question):", '    return f"They say: {llm.chat(question)}"') },
  {
    code: "WF6054",
    line: 2,
    source: lines("def main(path, text):", '    return fs.write(path, text, mode="appnd").bytes'),
  },
  {
    code: "WF6056",
    line: 3,
    source: lines("def main(n):", "    try:", '        job.again({"n": n})', "    finally:", "        n = 1"),
  },
  {
    code: "WF6057",
    line: 3,
    source: lines(
      "def pages(n):",
      "    try:",
      "        yield n",
      "    finally:",
      "        n = 0",
      "def main(n):",
      "    return list(pages(n))",
    ),
  },
  { code: "WF6055", line: 2, source: lines("def main(email, text):", '    return email.send(email, "Hello", text)') },
  ...PYTHON_SYNTAX,
  {
    code: "WF5024",
    line: 3,
    source: lines("L1:", '  R approval.ask "Pay?" {"timeout": "1d"} ->a', '  J (eq a.decision "rejected")'),
  },
  { code: "WF5022", line: 2, source: lines("L1:", '  R cache.incr "visits" 5 ->n', "  J n") },
  { code: "WF5023", line: 2, source: lines("L1:", '  R timer.sleep "1 day" ->s', "  J s") },
  { code: "WF9001", line: 2, source: lines("L1:", "  Set note two words", "  J note") },
  { code: "WF9002", line: 1, source: lines("L1: J 1") },
  { code: "WF9003", line: 2, source: lines("L1:", "  R core ADD 1 2 ->n", "  J n") },
  { code: "WF9004", line: 2, source: lines("L1:", "  R core.add 1 2 ->n", "  J n") },
  { code: "WF9005", line: 2, source: lines("L1:", "  Call L2", "  J _call_result", "L2:", "  J 1") },
  { code: "WF9006", line: 3, source: lines("L1:", "  Set rows []", "  Filter out rows n > 1", "  J out") },
  { code: "WF9008", line: 3, source: lines("L1:", "  Call L_many ->v", "  J _many", "L_many:", "  J 1") },
  { code: "WF9009", line: 3, source: lines("# frame: n", "L1:", "  If n=3 ->L2 ->L2", "L2:", "  J 1") },
  { code: "WF9010", line: 2, source: lines("L1:", "  J 9007199254740993") },
  { code: "WF9012", line: 4, source: lines("L1:", "  Set rows [1, 2]", "  Set i 0", "  J rows[i]") },
  { code: "WF9013", line: 3, source: lines("L1:", '  Set colour "red"', "  J colour#ff0000") },
  { code: "WF9014", line: 3, source: lines("L1:", "  J 1", "L2:", "  J 2") },
  { code: "WF9015", line: null, source: lines("S app core noop") },
  { code: "WF9017", line: 2, source: lines("L1:", "  R core.ADD 1 2 ->L2", "  J L2") },
  { code: "WF9018", line: 2, source: lines("L1:", "  R core.ADD ->n 1 2", "  J n") },
  { code: "WF9019", line: 1, source: lines("D Order id total:F", "L1:", "  J 1") },
  { code: "WF9021", line: 2, source: lines("L1:", '  J "5"'), options: { compat_notes: true } },
  {
    code: "WF9022",
    line: 4,
    source: lines(
      "Q alerts",
      "L1:",
      '  R http.GET "https://example.com/" ->page',
      "  Err ->L_down",
      "  J page",
      "L_down:",
      '  QueuePut alerts "down"',
      "  J null",
    ),
  },
  { code: "WF9023", line: 4, source: lines("L1:", "  R core.ADD 1 2 ->n", "  Retry 2", "  Retry 3", "  J n") },
  { code: "WF9024", line: 2, source: lines("L1:", "  Retry 2", "  R core.ADD 1 2 ->n", "  J n") },
  { code: "WF9025", line: 1, source: lines("# frame: amount: numbr", "L1:", "  J amount") },
  { code: "WF9026", line: 2, source: lines("L1:", '  J {"a": 1, "a": 2}') },
  { code: "WF9027", line: 1, source: lines("L_main:", "  Call L1 ->v", "  J v", "L1:", "  J 1") },
  {
    code: "WF9028",
    line: 3,
    source: lines("# frame: city", "L1:", '  Set city "Oslo"', "  J city"),
    options: { advice: true },
  },
  {
    code: "WF9029",
    line: 2,
    source: lines("L1:", '  R http.GET "https://example.com/" ->page', "  J page"),
    options: { advice: true },
  },
  {
    code: "WF9040",
    line: 2,
    source: lines("L1:", "  Each ys [1, 2] n ->L_one", "  J ys", "L_one:", "  J n"),
  },
  { code: "WF9041", line: 2, source: lines("L1:", '  R signal.wait "paid" ->news', "  J news") },
  {
    code: "WF9042",
    line: 2,
    source: lines("L1:", "  R core.SLEEP 90000 ->none", '  R timer.sleep "1d" ->s', "  J s"),
    options: { advice: true },
  },
  {
    code: "WF9043",
    line: 3,
    source: lines(
      "# frame: xs: list",
      "L1:",
      "  Loop xs x ->L_ask ->L_done",
      "L_ask:",
      '  R approval.ask "Pay?" {"details": x, "timeout": "1d"} ->a',
      "  J a.decision",
      "L_done:",
      "  J 1",
    ),
  },
  {
    code: "WF9044",
    line: 2,
    source: lines("L1:", '  R timer.sleep "60d" ->s', "  J s"),
    options: { lifetime_s: 2_592_000 },
  },
];

/** Hints that only an option asks for. */
export const ON_REQUEST: readonly string[] = ["WF9021", "WF9028", "WF9029", "WF9042"];

function lines(...texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}
