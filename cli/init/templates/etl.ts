/** Extract, transform, load: a file of rows in, sums out. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Reads orders.csv, leaves out what is cancelled, sums up by country and writes totals.json. Lines without an amount are reported.
etl:
  totals = {}
  rejected = []
  try:
    lines = fs.readlines("orders.csv")
    rows = lines[1:]
    for row in rows:
      fields = split(row, ",")
      country = fields[1]
      if fields[2] == "cancelled":
        continue
      try:
        totals[country] = round(coalesce(totals[country], 0) + float(fields[3]), 2)
      except:
        rejected = push(rejected, row)
    fs.write("totals.json", totals)
  except e:
    raise f"no totals: {e.message}"
  out {"rows": len(rows), "countries": len(totals), "rejected": rejected}
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
    "expect": { "error": "RUNTIME_OP_ERROR", "calls": ["fs.readlines"] }
  },
  {
    "name": "fails when it cannot write",
    "mocks": {
      "fs.readlines": { "result": ["id,country,state,amount"] },
      "fs.write": { "error": { "code": "ADAPTER_FAILED", "retryable": false } }
    },
    "expect": { "error": "RUNTIME_OP_ERROR" }
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
