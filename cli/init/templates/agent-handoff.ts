/** Work for an agent: a wait that is bounded in time, a rule for when to believe the answer, and a person where it does not hold. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Hands a question to an agent and waits for the answer. One that the agent is not sure of is put before a person.
from weft import agent, approval, signal


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
    # The service sends this signal when the answer of the agent is there.
    news = signal.wait("agent.result", key=id, timeout="2d")
    if not news.received:
        return {"state": "no answer", "id": id, "answer": None}
    answer = agent.read_result(id)
    text = answer["output"]["summary"]
    if not is_sure(answer):
        decision = approval.ask("Take over this answer?", details={"question": question, "answer": text}, timeout="3d")
        if not decision.approved:
            return {"state": decision.decision, "id": id, "answer": text}
    return {"state": "answered", "id": id, "answer": text}


def is_sure(answer):
    confidence = answer.get("confidence")
    return answer["status"] == "completed" and isinstance(confidence, (int, float)) and confidence >= 0.7
`;

const CASE = (name: string, mocks: object, expected: object): object => ({
  name,
  frame: { question: "What is a weft?" },
  mocks: { "agent.send_task": [{ result: "t-1" }], ...mocks },
  expect: expected,
});

const news = (received: boolean): object => ({
  "signal.wait": [{ result: { received, name: received ? "agent.result" : null, data: null, id: null, at: null } }],
});

const answer = (result: object): object => ({ ...news(true), "agent.read_result": [{ args: ["t-1"], result }] });

const decision = (approved: boolean, word: string): object => ({
  "approval.ask": [{ result: { decision: word, approved, by: "ann", comment: null } }],
});

const sure = { status: "completed", confidence: 0.9, output: { summary: "The crosswise thread" } };
const unsure = { status: "completed", confidence: 0.4, output: { summary: "A kind of boat?" } };

const EXPECTED = `${JSON.stringify(
  [
    CASE("a sure answer", answer(sure), {
      result: { state: "answered", id: "t-1", answer: "The crosswise thread" },
      calls: ["agent.send_task", "signal.wait", "agent.read_result"],
    }),
    CASE(
      "an unsure one that a person takes over",
      { ...answer(unsure), ...decision(true, "approve") },
      {
        result: { state: "answered", id: "t-1", answer: "A kind of boat?" },
        calls: ["agent.send_task", "signal.wait", "agent.read_result", "approval.ask"],
      },
    ),
    CASE(
      "an unsure one that a person refuses",
      { ...answer(unsure), ...decision(false, "reject") },
      { result: { state: "reject", id: "t-1", answer: "A kind of boat?" } },
    ),
    CASE(
      "one without a number, and no decision in time",
      {
        ...answer({ status: "completed", confidence: "high", output: { summary: "A thread" } }),
        ...decision(false, "expired"),
      },
      { result: { state: "expired", id: "t-1", answer: "A thread" } },
    ),
    CASE(
      "a refusal of the agent",
      { ...answer({ status: "rejected", output: { summary: "Not my subject" } }), ...decision(false, "reject") },
      { result: { state: "reject", id: "t-1", answer: "Not my subject" } },
    ),
    CASE("no answer in time", news(false), {
      result: { state: "no answer", id: "t-1", answer: null },
      calls: ["agent.send_task", "signal.wait"],
    }),
  ],
  null,
  2,
)}\n`;

const WAITING = `Each question is a durable job: it waits up to two days for the answer, without a thread and across restarts, and continues as soon as the answer is there:

\`\`\`sh
curl -s localhost:8770/app/agent-handoff/questions -H content-type:application/json -d '{"question": "What is a weft?"}'
wf mailbox tasks                     # the task, and whether it has a result
wf mailbox put-result result.json    # answers in the place of the agent
wf approve                           # the answers of which the agent was not sure
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

With a confidence below 0.7 the job asks a person, up to three days. \`wf jobs why ID\` says what it waits for; without an answer in time its state is \`no answer\`.`;

export const agentHandoffTemplate = projectTemplate({
  name: "agent-handoff",
  title: "A question for an agent, whose answer a person may have to confirm",
  program: PROGRAM,
  expected: EXPECTED,
  config: {
    strict: true,
    adapters: { enable: ["core", "agent", "approval", "signal"] },
    programs: { "agent-handoff": { endpoints: { "/questions": { mode: "job" } } } },
  },
  run: "wf serve agent-handoff.wf --state-dir state",
  more: WAITING,
});
