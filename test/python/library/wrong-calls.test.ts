/**
 * Texts of calls whose arguments do not fit. `wrong-calls.json` holds what CPython 3.11 says; each native that follows one of the rules of
 * `vm/python/call-faults.ts` is named in `vm/python/conventions.ts`. `WEFT_DOCS=write` records anew and writes both, the table without its layout.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CALLED, CONVENTIONS, ORIGINS } from "../../../vm/python/conventions.ts";
import { conventionsOf, type Records, recordCalls, writtenConventions } from "./support/conventions.ts";

const RECORDS = fileURLToPath(new URL("wrong-calls.json", import.meta.url));
const TABLE = fileURLToPath(new URL("../../../vm/python/conventions.ts", import.meta.url));
const START = "/** Modules in C";

if (process.env.WEFT_DOCS === "write") {
  const records = recordCalls();
  const lines = Object.entries(records).map(([name, record]) => `${JSON.stringify(name)}:${JSON.stringify(record)}`);
  writeFileSync(RECORDS, `{\n${lines.join(",\n")}\n}\n`);
  const source = readFileSync(TABLE, "utf8");
  writeFileSync(TABLE, source.slice(0, source.indexOf(START)) + writtenConventions(conventionsOf(records)));
}

const found = conventionsOf(JSON.parse(readFileSync(RECORDS, "utf8")) as Records);

describe("calls of natives with wrong arguments", () => {
  it("the table of conventions is the one that follows from what CPython says", () => {
    const named = CONVENTIONS.flatMap(([convention, natives]) =>
      natives.split(/\s+/).map((name) => [name, convention] as const),
    );
    expect(Object.fromEntries(named)).toEqual(found.conventions);
    expect({ origins: ORIGINS, called: CALLED }).toEqual({ origins: found.origins, called: found.called });
  });

  it("few natives follow no rule, and their texts are not known", () => {
    expect(found.unknown.join(" ")).toBe(
      "sorted enumerate map type collections.defaultdict collections.OrderedDict itertools.islice itertools.zip_longest functools.partial " +
        "functools._lru_cache_wrapper.cache_parameters " +
        "operator.methodcaller math.log csv.reader csv.writer io.StringIO.readlines time.struct_time time.strptime hmac.HMAC.update",
    );
  });
});
