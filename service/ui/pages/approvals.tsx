/** Questions that jobs put before people, and one of them with the form that decides it. */
import { useState } from "preact/hooks";
import { send } from "../api.ts";
import type { Approval as ApprovalData, ApprovalPage } from "../data.ts";
import { useData } from "../loading.ts";
import { ActButton } from "../parts/act.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { FrameFields, type FrameInput } from "../parts/frame-form.tsx";
import { readJson } from "../parts/json.ts";
import { Time } from "../parts/time.tsx";
import { address } from "../router.ts";
import { RULES } from "../rules.ts";
import { exact } from "../words.ts";

export function Approvals() {
  const [state, setState] = useState("open");
  const { data, fault } = useData<ApprovalPage>(`/approvals?${new URLSearchParams({ state, limit: "200" })}`);
  const approvals = data?.approvals ?? [];
  return (
    <>
      <h1>Approvals</h1>
      <FaultNotice fault={fault} />
      <div class="filters">
        <label>
          State
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            {["open", "decided", "expired", "cancelled", "all"].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      {data !== null && approvals.length === 0 ? <p class="quiet">No question is {state}.</p> : null}
      <section class="wide" tabIndex={0} aria-label="Approvals">
        <table>
          <thead>
            <tr>
              {["Question", "Program", "For", "State", "Asked", "Open until"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {approvals.map((each) => (
              <tr key={each.approval_id}>
                <td>
                  <a href={address(["approvals", each.approval_id])}>{titleOf(each)}</a>
                </td>
                <td>{programOf(each)}</td>
                <td>{each.to.join(", ")}</td>
                <td>{each.decision ?? each.state}</td>
                <td>
                  <Time at={each.opened_at} />
                </td>
                <td>{each.expires_at === null ? null : <Time at={each.expires_at} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

export const titleOf = ({ title, approval_id: id }: ApprovalData): string => title ?? id;
const programOf = ({ program, version, name }: ApprovalData): string =>
  program === undefined ? (name ?? "") : `${program}@${version ?? "?"}`;

export function Approval({ id }: { readonly id: string }) {
  const { data, fault, again } = useData<ApprovalData>(`/approvals/${encodeURIComponent(id)}`);
  if (data === null)
    return (
      <>
        <h1>{id}</h1>
        <FaultNotice fault={fault} />
      </>
    );
  return (
    <>
      <h1>{titleOf(data)}</h1>
      <FaultNotice fault={fault} />
      <p>
        {programOf(data) === "" ? null : `${programOf(data)}, `}
        <a href={address(["jobs", data.job_id])}>job</a>
        {data.asked_by === undefined ? null : `, queued by ${data.asked_by}`}
        {data.to.length === 0 ? null : `, for ${data.to.join(", ")}`}. State: {data.state}.
        {data.expires_at === null ? null : ` Open until ${exact(data.expires_at)}.`}
      </p>
      {RULES.people ? null : (
        <p class="notice bad">People are not named here: all who reach this service may decide (WF_USER_HEADER).</p>
      )}
      {data.values_hidden ? <p class="quiet">The service does not show what the program wrote.</p> : null}
      {data.details === undefined || data.details === null ? null : (
        <section class="wide" tabIndex={0} aria-label="Details">
          <pre>{typeof data.details === "string" ? data.details : JSON.stringify(data.details, null, 2)}</pre>
        </section>
      )}
      {data.answers.length === 0 ? null : <h2>Answers</h2>}
      <ul>
        {data.answers.map(({ choice, by, via, comment, at }) => (
          <li key={at}>
            {choice}, by {by ?? "somebody without a name"} ({via}), {exact(at)}
            {comment == null ? null : `: ${comment}`}
          </li>
        ))}
      </ul>
      {data.state === "open" ? <Decide approval={data} done={again} /> : null}
    </>
  );
}

function Decide({ approval, done }: { readonly approval: ApprovalData; readonly done: () => void }) {
  const { approval_id: id, choices, form, need } = approval;
  const [comment, setComment] = useState("");
  const [data, setData] = useState("{}");
  if (!RULES.act && !RULES.people) return null;
  const decide = async (decision: string) => {
    const fields = form === null ? {} : { data: readJson(data, "the form is") };
    return send("POST", `/approvals/${id}`, { decision, ...(comment === "" ? {} : { comment }), ...fields });
  };
  return (
    <section aria-label="Decide">
      <h2>Decide</h2>
      {need > 1 ? <p>{need} people must agree.</p> : null}
      {form === null ? null : <FrameFields inputs={fieldsOf(form)} title="Fields, as JSON" text={data} set={setData} />}
      <label>
        Comment
        <textarea rows={2} value={comment} onInput={(event) => setComment(event.currentTarget.value)} />
      </label>
      <p class="actions">
        {choices.map((choice) => (
          <ActButton
            key={choice}
            text={choice}
            confirm={`Decide: ${choice}? The decision counts at once.`}
            ofPeople
            run={() => decide(choice)}
            done={done}
          />
        ))}
      </p>
    </section>
  );
}

const fieldsOf = (form: NonNullable<ApprovalData["form"]>): FrameInput[] =>
  Object.entries(form).map(([name, type]) =>
    typeof type === "string" ? { name, type } : { name, type: "one of them", choices: type },
  );
