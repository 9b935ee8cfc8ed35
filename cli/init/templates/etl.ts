/** Extract, transform, load: a file of rows in, sums out. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Reads orders.csv, leaves out what is cancelled, sums up by country and writes totals.json. Lines without an amount are reported.
from weft import fs


def etl():
    totals = {}
    rejected = []
    rows = fs.readlines("orders.csv")[1:]
    for row in rows:
        _, country, state, amount = row.split(",")
        if state == "cancelled":
            continue
        try:
            totals[country] = round(totals.get(country, 0) + float(amount), 2)
        except ValueError:
            rejected.append(row)
    fs.write("totals.json", totals)
    return {"rows": len(rows), "countries": len(totals), "rejected": rejected}
`;

const EXPECTED = `[
  {
    "name": "sums by country",
    "mocks": {
      "fs.readlines": [
        {
          "args": ["orders.csv"],
          "result": [
            "id,country,state,amount",
            "1,NO,paid,12.50",
            "2,IT,cancelled,99.00",
            "3,NO,paid,7.25",
            "4,PT,paid,none"
          ]
        }
      ],
      "fs.write": [{ "args": ["totals.json", { "NO": 19.75 }], "result": { "ok": true, "bytes": 12 } }]
    },
    "expect": {
      "result": { "rows": 4, "countries": 1, "rejected": ["4,PT,paid,none"] },
      "calls": ["fs.readlines", "fs.write"]
    }
  },
  {
    "name": "fails without its input",
    "mocks": { "fs.readlines": { "error": { "code": "ADAPTER_NOT_FOUND", "retryable": false } } },
    "expect": { "error": "ADAPTER_NOT_FOUND", "calls": ["fs.readlines"] }
  },
  {
    "name": "fails when it cannot write",
    "mocks": {
      "fs.readlines": { "result": ["id,country,state,amount"] },
      "fs.write": { "error": { "code": "ADAPTER_FAILED", "retryable": false } }
    },
    "expect": { "error": "ADAPTER_FAILED" }
  }
]
`;

export const etlTemplate = projectTemplate({
  name: "etl",
  title: "Sums up a CSV file",
  program: PROGRAM,
  expected: EXPECTED,
  config: { strict: true, adapters: { fs: { sandbox_root: "data", allow_extensions: [".csv", ".json"] } } },
  run: "wf run etl.wf",
  more: "It reads `data/orders.csv` and writes `data/totals.json`. `wf.config.json` names the folder that the program may use.",
  files: {
    "data/orders.csv": `id,country,state,amount
1,NO,paid,12.50
2,IT,cancelled,99.00
3,NO,paid,7.25
4,PT,paid,none
5,IT,paid,40.00
`,
  },
});
