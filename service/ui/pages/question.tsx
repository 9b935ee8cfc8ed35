/** A question that a job puts before people: what the program wrote, what was answered, and the form that decides it. */
import { useState } from "preact/hooks";
import { type Refused, send } from "../api.ts";
import type { Approval } from "../data.ts";
import { Field } from "../look/field.tsx";
import { ActButton } from "../parts/act.tsx";
import { Fact } from "../parts/fact.tsx";
import { FrameFields, type FrameInput } from "../parts/frame-form.tsx";
import { readJson } from "../parts/json.ts";
import { OtherProblems, problemAt, problemsIn } from "../parts/problems.tsx";
import { RULES } from "../rules.ts";
import { exact } from "../words.ts";

export const titleOf = ({ title, approval_id: id }: Approval): string => title ?? id;

/** `done`: it was decided. */
export function Question({ approval, done }: { readonly approval: Approval; readonly done: () => void }) {
  const { details = null, answers, values_hidden: isHidden, state } = approval;
  return (
    <>
      {isHidden ? <p class="quiet">The service does not show what the program wrote.</p> : null}
      {details === null ? null : <Details details={details} />}
      {answers.length === 0 ? null : (
        <ul class="answers" aria-label="Answers">
          {answers.map(({ choice, by, via, comment, data, at }) => (
            <li key={at}>
              <strong>{choice}</strong>, by {by ?? "somebody without a name"} ({via}), {exact(at)}
              {comment == null ? null : `: ${comment}`}
              {data == null ? null : <Data data={data} />}
            </li>
          ))}
        </ul>
      )}
      {state === "open" ? <Decide approval={approval} done={done} /> : null}
    </>
  );
}

/** What the program wrote, as plain text: an object as a list of its members. */
function Details({ details }: { readonly details: unknown }) {
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return (
    <section class="details" tabIndex={0} aria-label="Details">
      {isObject ? (
        <Data data={details} />
      ) : (
        <pre class="value">{typeof details === "string" ? details : JSON.stringify(details, null, 2)}</pre>
      )}
    </section>
  );
}

/** The fields that came with an answer. */
function Data({ data }: { readonly data: object }) {
  return (
    <dl class="facts">
      {Object.entries(data).map(([name, value]) => (
        <Fact key={name} term={name}>
          {typeof value === "string" ? value : JSON.stringify(value)}
        </Fact>
      ))}
    </dl>
  );
}

function Decide({ approval, done }: { readonly approval: Approval; readonly done: () => void }) {
  const { approval_id: id, choices, form, need } = approval;
  const [comment, setComment] = useState("");
  const [data, setData] = useState("{}");
  const [fault, setFault] = useState<Refused | null>(null);
  if (!RULES.act && !RULES.people) return null;
  const decide = async (decision: string) => {
    const fields = form === null ? {} : { data: readJson(data, "the form is") };
    return send("POST", `/approvals/${id}`, { decision, ...(comment === "" ? {} : { comment }), ...fields });
  };
  const names = Object.keys(form ?? {});
  return (
    <section class="decide" aria-label="Decide">
      {RULES.people ? null : (
        <p class="notice waits">
          The service does not know who you are: everybody who reaches it may decide (WF_USER_HEADER).
        </p>
      )}
      {need > 1 ? <p>{need} people must agree.</p> : null}
      {form === null ? null : (
        <FrameFields
          inputs={fieldsOf(form)}
          title="Fields, as JSON"
          text={data}
          set={setData}
          problems={problemsIn(fault, "/data", names)}
        />
      )}
      <Field label="Comment" error={problemAt(fault, "/comment")}>
        {(marks) => (
          <textarea {...marks} rows={2} value={comment} onInput={(event) => setComment(event.currentTarget.value)} />
        )}
      </Field>
      <OtherProblems fault={fault} fields={["/comment", ...names.map((name) => `/data/${name}`)]} />
      <p class="actions">
        {choices.map((choice, at) => (
          <ActButton
            key={choice}
            text={choice}
            kind={at === 0 ? "primary" : "normal"}
            confirm={`Decide: ${choice}? The decision counts at once.`}
            ofPeople
            run={() => decide(choice)}
            done={done}
            refused={setFault}
          />
        ))}
      </p>
    </section>
  );
}

const fieldsOf = (form: NonNullable<Approval["form"]>): FrameInput[] =>
  Object.entries(form).map(([name, type]) =>
    typeof type === "string" ? { name, type } : { name, type: "choose one", choices: type },
  );
