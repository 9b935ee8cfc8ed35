/** What the page reads of the imports of a program is what the compiler reads where no file can be read. */
import { expect, it } from "vitest";
import { loadFiles as filesOf } from "../../../compiler/python/imports/files.ts";
import { parseProgram } from "../../../grammar/python/older/older.ts";
import { loadFiles as oneFile } from "../../../service/ui/playground/python/one-file.ts";

it.each([
  "import json\n",
  "import helpers, lib.mail as m\n",
  "from helpers import add as plus\n",
  "from decimal import Decimal\n",
  "from . import helpers\n",
  "from .lib import a, b as c\n",
  "from ..lib import a\n",
  "from weft import http\n",
  "def main():\n    from . import late\n    import other\n    return late\n",
])("%s is read as where no file can be read", (source) => {
  const { module } = parseProgram(source);
  if (module === null) throw new Error("it is not Python");
  const { main, others, findings } = oneFile(module, source);
  const wanted = filesOf(module, source, undefined);
  expect([main.imports, main.faults, main.key, others, findings]).toEqual([
    wanted.main.imports,
    wanted.main.faults,
    wanted.main.key,
    wanted.others,
    wanted.findings,
  ]);
});
