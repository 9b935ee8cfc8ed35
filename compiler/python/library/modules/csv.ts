/** Rows of the modules csv and io. */
import { type Row, row } from "../row.ts";

const linear = { cost: "n" } as const;
const faulty = { raises: "csv.Error", cost: "n" } as const;
const rest = "dialect='excel', *args, **kwds";

const FILE = "io.StringIO('a\\nb')";
const WRITER = "csv.writer(io.StringIO())";
const DICTS = "csv.DictWriter(io.StringIO(), ['a'])";

export const CSV: readonly Row[] = [
  row(
    "csv.reader",
    "csvfile, /, dialect=..., **fmtparams",
    "_csv.reader",
    "the records of lines, each a list of str",
    `list(csv.reader(['a,"b,c"'])) == [['a', 'b,c']]`,
    faulty,
  ),
  row(
    "csv.DictReader",
    `f, fieldnames=None, restkey=None, restval=None, ${rest}`,
    "csv.DictReader",
    "the records of lines as dicts, by the names of the first line",
    "list(csv.DictReader(['a,b', '1,2'])) == [{'a': '1', 'b': '2'}]",
    faulty,
  ),
  row(
    "csv.writer",
    "csvfile, /, dialect=..., **fmtparams",
    "_csv.writer",
    "what writes records to an io.StringIO",
    `${WRITER}.writerow(['a', 1]) == 5`,
    { raises: "csv.Error" },
  ),
  row(
    "csv.DictWriter",
    `f, fieldnames, restval='', extrasaction='raise', ${rest}`,
    "csv.DictWriter",
    "what writes dicts to an io.StringIO",
    `${DICTS}.writeheader() == 3`,
    { raises: "ValueError csv.Error" },
  ),
  row("_csv.writer.writerow", "self, row, /", "int", "writes a record", `${WRITER}.writerow(['a,b']) == 7`, faulty),
  row(
    "_csv.writer.writerows",
    "self, rows, /",
    "None",
    "writes several records",
    `${WRITER}.writerows([[1], [2]]) is None`,
    faulty,
  ),
  row("csv.DictWriter.writeheader", "self", "int", "writes the names", `${DICTS}.writeheader() == 3`, faulty),
  row("csv.DictWriter.writerow", "self, rowdict", "int", "writes a dict", `${DICTS}.writerow({'a': 12}) == 4`, {
    raises: "ValueError csv.Error",
    cost: "n",
  }),
  row(
    "csv.DictWriter.writerows",
    "self, rowdicts",
    "None",
    "writes several dicts",
    `${DICTS}.writerows([{'a': 1}, {}]) is None`,
    { raises: "ValueError csv.Error", cost: "n" },
  ),
  row(
    "io.StringIO",
    "initial_value='', newline='\\n'",
    "io.StringIO",
    "a text that is read and written as a file is",
    `list(${FILE}) == ['a\\n', 'b']`,
    linear,
  ),
  row("io.StringIO.write", "self, s, /", "int", "writes a text", "io.StringIO().write('ab') == 2", linear),
  row("io.StringIO.writelines", "self, lines, /", "None", "writes texts", `${FILE}.writelines(['c']) is None`, linear),
  row("io.StringIO.read", "self, size=-1, /", "str", "the rest, or some characters", `${FILE}.read(1) == 'a'`, linear),
  row("io.StringIO.readline", "self, size=-1, /", "str", "the next line", `${FILE}.readline() == 'a\\n'`, linear),
  row(
    "io.StringIO.readlines",
    "self, hint=-1, /",
    "list[str]",
    "the lines that remain",
    `${FILE}.readlines() == ['a\\n', 'b']`,
    linear,
  ),
  row("io.StringIO.getvalue", "self", "str", "all that it holds", `${FILE}.getvalue() == 'a\\nb'`, linear),
  row("io.StringIO.seek", "self, pos, whence=0, /", "int", "moves to a place", `${FILE}.seek(0, 2) == 3`, {
    raises: "ValueError OSError",
  }),
  row("io.StringIO.tell", "self", "int", "the place", `${FILE}.tell() == 0`),
  row("io.StringIO.truncate", "self, pos=None, /", "int", "cuts at a place", `${FILE}.truncate(1) == 1`, {
    raises: "ValueError",
  }),
  row("io.StringIO.flush", "self", "None", "does nothing", `${FILE}.flush() is None`),
  row("io.StringIO.readable", "self", "bool", "whether it can be read", `${FILE}.readable()`),
  row("io.StringIO.writable", "self", "bool", "whether it can be written", `${FILE}.writable()`),
  row("io.StringIO.seekable", "self", "bool", "whether it has places", `${FILE}.seekable()`),
  row("io.StringIO.close", "self", "None", "ends its use", `${FILE}.close() is None`),
];
