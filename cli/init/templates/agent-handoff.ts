/** Work for an agent, bounded in time, with a rule for when to believe it. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Hands a question to an agent, waits up to a minute for the answer, and takes it over only when the agent is sure of it.
handoff:
  in: question:text
  id = agent.send_task({
    "schema_version": "1.0",
    "requester_id": "agent-handoff",
    "target_agent": "researcher",
    "target_role": "executor",
    "task_type": "research",
    "description": "Answer the question",
    "input": {"refs": [], "payload": {"question": question}}
  })
  try:
    answer = agent.read_result(id)
    Retry 30 2000
  except:
    out {"state": "waiting", "id": id}
  is_sure = False
  if answer.status == "completed":
    try:
      is_sure = answer.confidence >= 0.7
    except:
      is_sure = False
  state = "answered" if is_sure else "needs_review"
  out {"state": state, "id": id, "answer": answer.output.summary}
`;

const EXPECTED = `[
  {
    "name": "a sure answer, at the second look",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "agent.read_result": [
        { "error": { "code": "ADAPTER_NOT_FOUND", "retryable": true } },
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
      "calls": ["agent.send_task", "agent.read_result", "agent.read_result"]
    }
  },
  {
    "name": "an unsure one",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "agent.read_result": [
        {
          "result": { "status": "completed", "confidence": 0.4, "output": { "summary": "A kind of boat?" } }
        }
      ]
    },
    "expect": { "result": { "state": "needs_review", "id": "t-1", "answer": "A kind of boat?" } }
  },
  {
    "name": "no answer within the minute",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
      "agent.read_result": [{ "error": { "code": "ADAPTER_NOT_FOUND", "retryable": true } }]
    },
    "expect": { "result": { "state": "waiting", "id": "t-1" } }
  },
  {
    "name": "one without a number",
    "frame": { "question": "What is a weft?" },
    "mocks": {
      "agent.send_task": [{ "result": "t-1" }],
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
      "agent.read_result": [{ "result": { "status": "rejected", "output": { "summary": "Not my subject" } } }]
    },
    "expect": { "result": { "state": "needs_review", "id": "t-1", "answer": "Not my subject" } }
  }
]
`;

const WAITING = `The run waits up to a minute for the answer, looking every two seconds, and says nothing until then; without one it gives
\`{"state": "waiting"}\` and the id of the task. Continue it from a second terminal: \`wf mailbox tasks\` lists the task and whether it has
a result, and \`wf mailbox put-result result.json\` answers in the agent's place, with this file and the id that is listed:

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

With \`--trace\` the run lists every look it took when it ends.`;

export const agentHandoffTemplate = projectTemplate({
  name: "agent-handoff",
  title: "Hands a question to an agent and checks the answer",
  program: PROGRAM,
  expected: EXPECTED,
  config: { strict: true },
  run: 'wf run agent-handoff.wf --frame \'{"question": "What is a weft?"}\'',
  more: WAITING,
});
