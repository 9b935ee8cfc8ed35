/** Two entries around a decision that a person makes. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# A request that a person approves. ask asks and returns the id of the question; decide acts on the answer to that id, as soon as
# there is one.
ask @api "/ask" POST:
  in: request:map
  id = agent.send_task({
    "schema_version": "1.0",
    "requester_id": "approval",
    "target_agent": "person",
    "target_role": "approver",
    "task_type": "approval",
    "description": "Approve or reject this request",
    "approval_required": "pre",
    "input": {"refs": [], "payload": request}
  })
  memory.put("workflow", "approval", id, {"request": request, "state": "asked"})
  out id

decide @api "/decide" POST:
  in: id:text
  try:
    answer = agent.read_result(id)
  except:
    out {"id": id, "state": "asked"}
  state = "approved" if answer.status == "completed" else "rejected"
  memory.patch("workflow", "approval", id, {"state": state})
  if state == "approved":
    out {"id": id, "state": state}
  out {"id": id, "state": state, "why": answer.output.summary}
`;

const EXPECTED = `[
  {
    "name": "asks",
    "frame": { "request": { "what": "a new chair", "price": 120 } },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "memory.put": [
        {
          "args": [
            "workflow",
            "approval",
            "t-1",
            { "request": { "what": "a new chair", "price": 120 }, "state": "asked" }
          ],
          "result": { "ok": true }
        }
      ]
    },
    "expect": { "result": "t-1", "calls": ["agent.send_task", "memory.put"] }
  },
  {
    "name": "no decision yet",
    "label": "decide",
    "frame": { "id": "t-1" },
    "mocks": { "agent.read_result": [{ "error": { "code": "ADAPTER_NOT_FOUND", "retryable": true } }] },
    "expect": { "result": { "id": "t-1", "state": "asked" }, "calls": ["agent.read_result"] }
  },
  {
    "name": "approved",
    "label": "decide",
    "frame": { "id": "t-1" },
    "mocks": {
      "agent.read_result": [{ "result": { "task_id": "t-1", "status": "completed" } }],
      "memory.patch": [
        {
          "args": ["workflow", "approval", "t-1", { "state": "approved" }],
          "result": { "ok": true }
        }
      ]
    },
    "expect": { "result": { "id": "t-1", "state": "approved" } }
  },
  {
    "name": "rejected",
    "label": "decide",
    "frame": { "id": "t-1" },
    "mocks": {
      "agent.read_result": [
        {
          "result": { "task_id": "t-1", "status": "rejected", "output": { "summary": "too expensive" } }
        }
      ],
      "memory.patch": [
        {
          "args": ["workflow", "approval", "t-1", { "state": "rejected" }],
          "result": { "ok": true }
        }
      ]
    },
    "expect": { "result": { "id": "t-1", "state": "rejected", "why": "too expensive" } }
  }
]
`;

export const approvalTemplate = projectTemplate({
  name: "approval",
  title: "A request that a person approves",
  program: PROGRAM,
  expected: EXPECTED,
  config: { strict: true },
  run: 'wf run approval.wf --frame \'{"request": {"what": "a new chair"}}\'',
  more: `The first run prints the id of a task in the mailbox (\`wf mailbox tasks\`). The approver records a decision:

\`\`\`sh
echo '{"schema_version": "1.0", "task_id": "ID", "agent_id": "ann", "status": "completed", "output": {"summary": "fine"}}' | wf mailbox put-result -
wf run approval.wf --label decide --frame-set 'id="ID"'
\`\`\``,
});
