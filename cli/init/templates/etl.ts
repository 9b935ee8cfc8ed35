/** Extract, transform, load: a file of rows in, sums out. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Reads orders.csv, leaves out what is cancelled, sums up by country and writes totals.json. Lines without an amount are reported.
L1:
  R fs.readlines "orders.csv" ->lines
  X rows slice lines 1 (len lines)
  Set totals {}
  Set rejected []
  Loop rows row ->L_row ->L_load

L_row:
  X fields split row ","
  Set country fields[1]
  If fields[2] != "cancelled" ->L_add

L_add:
  X amount float fields[3]
  Err ->L_reject
  X totals put totals country (round (add amount (float (get totals country))) 2)
  J null

L_reject:
  X rejected push rejected row
  J null

L_load:
  R fs.write "totals.json" totals ->written
  J {"rows": (len rows), "countries": (len totals), "rejected": rejected}
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
