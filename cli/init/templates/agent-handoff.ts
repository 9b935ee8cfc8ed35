/** Work for an agent, bounded in time, with a rule for when to believe it. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Hands a question to an agent, waits up to a minute for the answer, and takes it over only when the agent is sure of it.
# frame: question: text
L1:
  Set task {
    "schema_version": "1.0",
    "requester_id": "agent-handoff",
    "target_agent": "researcher",
    "target_role": "executor",
    "task_type": "research",
    "description": "Answer the question",
    "input": {"refs": [], "payload": {"question": question}}
  }
  R agent.send_task task ->id
  R agent.read_result id ->answer
  Retry 30 2000
  Err ->L_late
  If answer.status=completed ->L_answered ->L_review

L_late:
  J {"state": "waiting", "id": id}

L_answered:
  If answer.confidence >= 0.7 ->L_sure ->L_review
  Err ->L_review

L_sure:
  J {"state": "answered", "id": id, "answer": answer.output.summary}

L_review:
  J {"state": "needs_review", "id": id, "answer": answer.output.summary}
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
\`{"state": "waiting"}\` and the id of the task. See it go on from a second terminal: \`wf mailbox tasks\` lists the task and whether it has
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
