/** A decision that a person makes, waits for a signal and for a day, and a schedule. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# A bill that a person approves: it waits for the decision, for the goods, and for the day it is due; then it goes into the queue payments.
from weft import approval, queue, signal, timer


@api("/bills", method="POST")
def bill(number: str, amount: float, due: str):
    """Asks for the approval of a bill, and queues its payment on the day it is due."""
    details = {"number": number, "amount": amount, "due": due}
    answer = approval.ask(f"Pay bill {number}?", details=details, timeout="3d")
    if not answer.approved:
        return {"state": answer.decision, "why": answer.comment}
    goods = signal.wait("goods", key=number, timeout="14d")
    if not goods.received:
        return {"state": "no goods", "why": None}
    timer.until(due)
    queue.Put("payments", details, dedupe_key=number)
    return {"state": "queued", "by": answer.by}


@cron("0 8 * * 1-5")
def waiting():
    """How many payments wait in the queue."""
    return {"payments": queue.len("payments")}
`;

const EXPECTED = `[
  {
    "name": "approved",
    "frame": { "number": "A-17", "amount": 120, "due": "2030-01-31T08:00:00Z" },
    "mocks": {
      "approval.ask": [{ "result": { "decision": "approve", "approved": true, "by": "ann", "comment": null } }],
      "signal.wait": [{ "result": { "received": true, "name": "goods", "data": null, "id": null, "at": null } }],
      "queue.Put": [{ "result": { "ok": true } }]
    },
    "expect": {
      "result": { "state": "queued", "by": "ann" },
      "calls": ["approval.ask", "signal.wait", "timer.until", "queue.Put"]
    },
    "clock": "2030-01-01T09:00:00Z"
  },
  {
    "name": "the goods never come",
    "frame": { "number": "A-17", "amount": 120, "due": "2030-01-31T08:00:00Z" },
    "mocks": {
      "approval.ask": [{ "result": { "decision": "approve", "approved": true, "by": "ann", "comment": null } }],
      "signal.wait": [{ "result": { "received": false, "name": null, "data": null, "id": null, "at": null } }]
    },
    "expect": { "result": { "state": "no goods", "why": null }, "calls": ["approval.ask", "signal.wait"] }
  },
  {
    "name": "rejected",
    "frame": { "number": "A-17", "amount": 120, "due": "2030-01-31T08:00:00Z" },
    "mocks": {
      "approval.ask": [
        { "result": { "decision": "reject", "approved": false, "by": "ann", "comment": "too expensive" } }
      ]
    },
    "expect": { "result": { "state": "reject", "why": "too expensive" }, "calls": ["approval.ask"] }
  },
  {
    "name": "no decision in time",
    "frame": { "number": "A-17", "amount": 120, "due": "2030-01-31T08:00:00Z" },
    "mocks": {
      "approval.ask": [{ "result": { "decision": "expired", "approved": false, "by": null, "comment": null } }]
    },
    "expect": { "result": { "state": "expired", "why": null }, "calls": ["approval.ask"] }
  },
  {
    "name": "counts what waits",
    "label": "waiting",
    "mocks": { "queue.len": [{ "result": 2 }] },
    "expect": { "result": { "payments": 2 }, "calls": ["queue.len"] }
  }
]
`;

export const approvalTemplate = projectTemplate({
  name: "approval",
  title: "A bill that a person approves",
  program: PROGRAM,
  expected: EXPECTED,
  config: {
    strict: true,
    adapters: { enable: ["core", "approval", "queue", "signal", "timer"] },
    programs: { approval: { lifetime_s: 31_536_000, endpoints: { "/bills": { mode: "job" } } } },
  },
  run: `wf run approval.wf --decide approve --signal goods@A-17 --skip-timers --frame '{"number": "A-17", "amount": 120, "due": "2026-01-31T08:00:00Z"}'`,
  more: `\`--decide\` answers in the place of a person, \`--signal\` brings the goods, and \`--skip-timers\` waits for no time. Without \`--decide\` the run asks on the terminal.

In a service each bill is a durable job: it waits for days without a thread, and no restart loses it. \`@cron\` runs \`waiting\` on working days:

\`\`\`sh
wf serve approval.wf --state-dir state --ui act      # people can decide at http://127.0.0.1:8770/ui
curl -s localhost:8770/app/approval/bills -H content-type:application/json -d '{"number": "A-17", "amount": 120, "due": "2026-01-31T08:00:00Z"}'
wf jobs list                      # the job, and that it waits
wf approve                        # what is open
wf approve ID approve
curl -s localhost:8770/signals/goods -H content-type:application/json -d '{"key": "A-17"}'
wf jobs why JOB                   # what it waits for now: its day
wf schedule list                  # when \`waiting\` runs next
\`\`\`

Where a service takes proposals, \`wf propose approval.wf --comment 'asks for the goods'\` puts a changed version before a person, who accepts it with \`wf proposals accept ID\`.`,
});
