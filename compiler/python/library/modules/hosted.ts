/**
 * Rows of what the compiler puts around the answers of the host (`lowering/host-calls.ts`). Programs reach them by their names in Python, such as
 * `datetime.now`, so that nothing shows their help, and the page of the console leaves them out (`scripts/console-plugins.mjs`).
 */
import { type Row, row } from "../row.ts";

const hosted = (
  name: string,
  params: string,
  result: string,
  more: Pick<Row, "raises"> & { readonly cost?: string } = {},
): Row => row(`host.${name}`, params, result, "", "True", more);

export const HOSTED: readonly Row[] = [
  hosted("time", "seconds, /", "float"),
  hosted("time_ns", "seconds, /", "int"),
  hosted("gmtime", "seconds, /", "time.struct_time"),
  hosted("localtime", "seconds, /", "time.struct_time"),
  hosted("ctime", "seconds, /", "str"),
  hosted("strftime", "seconds, format, /", "str", { cost: "n" }),
  hosted("sleep_ms", "seconds, /", "int", { raises: "ValueError" }),
  hosted("slept", "answer, /", "None"),
  hosted("datetime_now", "seconds, tz=None", "datetime"),
  hosted("date_today", "seconds, /", "date"),
  hosted("uuid4", "written, /", "UUID"),
  hosted("random.random", "written, /", "float"),
  hosted("random.uniform", "written, /, a, b", "float"),
  hosted("random.randint", "written, /, a, b", "int", {
    raises: "ValueError",
  }),
  hosted("random.randrange", "written, start, /, stop=None, step=1", "int", {
    raises: "ValueError",
  }),
  hosted("random.choice", "written, /, seq", "Any", { raises: "IndexError" }),
  hosted("random.choices", "written, /, population, weights=None, *, k=1", "list", {
    raises: "IndexError ValueError",
    cost: "n",
  }),
  hosted("random.sample", "written, /, population, k", "list", {
    raises: "ValueError",
    cost: "n",
  }),
  hosted("random.shuffle", "written, /, x", "None", { cost: "n" }),
];
