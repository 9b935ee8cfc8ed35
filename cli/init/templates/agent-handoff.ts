/** Work for an agent: a wait that is bounded in time, with a rule for when to believe the answer. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Hands a question to an agent, waits for the answer, and takes it over only when the agent is sure of it.
from weft import AdapterError, agent, signal


@api("/questions", method="POST")
def handoff(question: str):
    id = agent.send_task(
        {
            "schema_version": "1.0",
            "requester_id": "agent-handoff",
            "target_agent": "researcher",
            "target_role": "executor",
            "task_type": "research",
            "description": "Answer the question",
            "input": {"refs": [], "payload": {"question": question}},
        }
    )
    # The service sends this signal when the answer is in the mailbox.
    signal.wait("agent.result", key=id, timeout="2d")
    try:
        answer = agent.read_result(id)
    except AdapterError:
        return {"state": "waiting", "id": id}
    state = "answered" if is_sure(answer) else "needs_review"
    return {"state": state, "id": id, "answer": answer["output"]["summary"]}


def is_sure(answer):
    confidence = answer.get("confidence")
    return answer["status"] == "completed" and isinstance(confidence, (int, float)) and confidence >= 0.7
`;

const EXPECTED = `[
  {
    "name": "a sure answer",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "signal.wait": [{ "result": { "received": true, "name": "agent.result", "data": null, "id": null, "at": null } }],
      "agent.read_result": [
        {
          "args": ["t-1"],
          "result": {
            "status": "completed",
            "confidence": 0.9,
            "output": { "summary": "The crosswise thread" }
          }
        }
      ]
    },
    "expect": {
      "result": { "state": "answered", "id": "t-1", "answer": "The crosswise thread" },
      "calls": ["agent.send_task", "signal.wait", "agent.read_result"]
    }
  },
  {
    "name": "an unsure one",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "signal.wait": [{ "result": { "received": true, "name": "agent.result", "data": null, "id": null, "at": null } }],
      "agent.read_result": [
        {
          "result": { "status": "completed", "confidence": 0.4, "output": { "summary": "A kind of boat?" } }
        }
      ]
    },
    "expect": { "result": { "state": "needs_review", "id": "t-1", "answer": "A kind of boat?" } }
  },
  {
    "name": "no answer in time",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "signal.wait": [{ "result": { "received": false, "name": null, "data": null, "id": null, "at": null } }],
      "agent.read_result": [{ "error": { "code": "ADAPTER_NOT_FOUND", "retryable": true } }]
    },
    "expect": { "result": { "state": "waiting", "id": "t-1" } }
  },
  {
    "name": "one without a number",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "signal.wait": [{ "result": { "received": true, "name": "agent.result", "data": null, "id": null, "at": null } }],
      "agent.read_result": [
        {
          "result": { "status": "completed", "confidence": "high", "output": { "summary": "A thread" } }
        }
      ]
    },
    "expect": { "result": { "state": "needs_review", "id": "t-1", "answer": "A thread" } }
  },
  {
    "name": "a refusal",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "signal.wait": [{ "result": { "received": true, "name": "agent.result", "data": null, "id": null, "at": null } }],
      "agent.read_result": [{ "result": { "status": "rejected", "output": { "summary": "Not my subject" } } }]
    },
    "expect": { "result": { "state": "needs_review", "id": "t-1", "answer": "Not my subject" } }
  }
]
`;

const WAITING = `Each question is a job. It waits up to two days for the answer, without a thread, and continues as soon as the answer is there:

\`\`\`sh
curl -s localhost:8770/app/agent-handoff/questions -H content-type:application/json -d '{"question": "What is a weft?"}'
wf mailbox tasks                     # the task, and whether it has a result
wf mailbox put-result result.json    # answers in the place of the agent
wf jobs list
\`\`\`

\`result.json\`, with the id that is listed:

\`\`\`json
{
  "schema_version": "1.0",
  "task_id": "THE-ID",
  "agent_id": "researcher",
  "status": "completed",
  "confidence": 0.9,
  "output": {"summary": "The crosswise thread"}
}
\`\`\`

Without an answer in time the result is \`{"state": "waiting"}\` with the id of the task.`;

export const agentHandoffTemplate = projectTemplate({
  name: "agent-handoff",
  title: "Hands a question to an agent and checks the answer",
  program: PROGRAM,
  expected: EXPECTED,
  config: {
    strict: true,
    adapters: { enable: ["core", "agent", "signal"] },
    programs: { "agent-handoff": { endpoints: { "/questions": { mode: "job" } } } },
  },
  run: "wf serve agent-handoff.wf --state-dir state",
  more: WAITING,
});
